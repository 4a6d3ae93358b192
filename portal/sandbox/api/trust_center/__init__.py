"""The Trust Center and everything it shows."""

from portal.sandbox.api.route import Route
from portal.sandbox.api.trust_center import (
    access_requests,
    activity,
    control_categories,
    controls,
    conversations,
    faqs,
    frameworks,
    resources,
    settings,
    subscribers,
    updates,
    viewers,
)

ROUTES: tuple[Route, ...] = (
    *settings.ROUTES,
    *access_requests.ROUTES,
    *viewers.ROUTES,
    *activity.ROUTES,
    *resources.ROUTES,
    *controls.ROUTES,
    *control_categories.ROUTES,
    *faqs.ROUTES,
    *updates.ROUTES,
    *subscribers.ROUTES,
    *conversations.ROUTES,
    *frameworks.ROUTES,
)
