"""Groups, people and users."""

from portal.sandbox.api.people import users
from portal.sandbox.api.route import Route

ROUTES: tuple[Route, ...] = (*users.ROUTES,)
