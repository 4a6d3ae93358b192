"""What else the Trust Center shows (platform-api 4.5.5-4.5.12)."""

from portal.sandbox.kinds.kind import Kind

KINDS: tuple[Kind, ...] = ()
