"""Audits, as an auditor firm sees them."""

from portal.sandbox.api.audits import (
    audits,
    controls,
    evidence,
    information_requests,
    organization,
    request_comments,
    request_evidence,
)
from portal.sandbox.api.route import Route

ROUTES: tuple[Route, ...] = (
    *audits.ROUTES,
    *controls.ROUTES,
    *evidence.ROUTES,
    *information_requests.ROUTES,
    *request_comments.ROUTES,
    *request_evidence.ROUTES,
    *organization.ROUTES,
)
