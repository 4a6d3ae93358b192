"""Controls, frameworks, tests, policies, integrations, documents and the event log (platform-api 4.10-4.12)."""

from portal.sandbox.kinds.kind import Kind

KINDS: tuple[Kind, ...] = ()
