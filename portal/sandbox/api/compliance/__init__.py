"""Controls, frameworks, tests, policies, integrations, documents and the event log."""

from portal.sandbox.api.route import Route

ROUTES: tuple[Route, ...] = ()
