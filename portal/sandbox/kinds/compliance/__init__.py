"""Controls, frameworks, tests, policies, integrations, documents and the event log (platform-api 4.10-4.12)."""

from portal.sandbox.kinds.compliance import checks, controls, documents, event_logs, integrations
from portal.sandbox.kinds.kind import Kind

KINDS: tuple[Kind, ...] = (
    *controls.KINDS,
    *checks.KINDS,
    *integrations.KINDS,
    *documents.KINDS,
    *event_logs.KINDS,
)
