"""Vendors and what is known of them."""

from portal.sandbox.api.route import Route

ROUTES: tuple[Route, ...] = ()
