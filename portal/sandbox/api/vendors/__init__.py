"""Vendors and their parts."""

from portal.sandbox.api.route import Route
from portal.sandbox.api.scopes import opened_by
from portal.sandbox.api.vendors import discovered, documents, findings, reviews, vendors

ROUTES: tuple[Route, ...] = opened_by(
    "svc-api.vendors",
    (*vendors.ROUTES, *documents.ROUTES, *findings.ROUTES, *reviews.ROUTES, *discovered.ROUTES),
)
