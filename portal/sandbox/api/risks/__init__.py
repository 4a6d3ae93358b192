"""Issues and risk scenarios."""

from portal.sandbox.api.route import Route

ROUTES: tuple[Route, ...] = ()
