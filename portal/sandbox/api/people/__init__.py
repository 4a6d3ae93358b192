"""Groups, people and users."""

from portal.sandbox.api.people import groups, people, users
from portal.sandbox.api.route import Route

ROUTES: tuple[Route, ...] = (*users.ROUTES, *groups.ROUTES, *people.ROUTES)
