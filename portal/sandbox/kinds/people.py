"""Groups and people (specification 2.1, platform-api 4.6)."""

from portal.sandbox.kinds.kind import Kind

KINDS: tuple[Kind, ...] = ()
