"""Tags, the knowledge base and the answer library."""

from portal.sandbox.api.knowledge import answers, resources, tags
from portal.sandbox.api.route import Route

ROUTES: tuple[Route, ...] = (*tags.ROUTES, *resources.ROUTES, *answers.ROUTES)
