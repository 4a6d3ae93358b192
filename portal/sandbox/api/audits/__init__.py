"""Audits, as an auditor firm sees them."""

from portal.sandbox.api.route import Route

ROUTES: tuple[Route, ...] = ()
