"""Issues and risk scenarios (platform-api 4.8, 4.9)."""

from portal.sandbox.kinds.kind import Kind

KINDS: tuple[Kind, ...] = ()
