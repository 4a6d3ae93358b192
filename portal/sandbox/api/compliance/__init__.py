"""Controls, frameworks, tests, policies, integrations, documents and the event log."""

from portal.sandbox.api.compliance import (
    checks,
    controls,
    documents,
    event_logs,
    frameworks,
    integrations,
    mappings,
    uploads,
)
from portal.sandbox.api.route import Route

ROUTES: tuple[Route, ...] = (
    *controls.ROUTES,
    *mappings.ROUTES,
    *frameworks.ROUTES,
    *checks.ROUTES,
    *integrations.ROUTES,
    *documents.ROUTES,
    *uploads.ROUTES,
    *event_logs.ROUTES,
)
