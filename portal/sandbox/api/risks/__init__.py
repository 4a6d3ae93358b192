"""Issues and risk scenarios."""

from portal.sandbox.api.risks import controls, issues, scenarios
from portal.sandbox.api.route import Route
from portal.sandbox.api.scopes import opened_by

ROUTES: tuple[Route, ...] = (*opened_by("svc-api.issues", issues.ROUTES), *scenarios.ROUTES, *controls.ROUTES)
