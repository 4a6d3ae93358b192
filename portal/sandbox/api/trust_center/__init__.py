"""The Trust Center and everything it shows."""

from portal.sandbox.api.route import Route
from portal.sandbox.api.trust_center import access_requests, activity, resources, settings, viewers

ROUTES: tuple[Route, ...] = (
    *settings.ROUTES,
    *access_requests.ROUTES,
    *viewers.ROUTES,
    *resources.ROUTES,
    *activity.ROUTES,
)
