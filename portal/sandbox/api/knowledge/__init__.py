"""Tags, the knowledge base and the answer library."""

from portal.sandbox.api.route import Route

ROUTES: tuple[Route, ...] = ()
