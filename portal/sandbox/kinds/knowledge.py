"""Tags, the knowledge base and the answer library (platform-api 4.3, 4.4)."""

from portal.sandbox.kinds.kind import Kind

KINDS: tuple[Kind, ...] = ()
