"""Every endpoint of the API. To add one: write its line in the file of its area; an area's file is listed here."""

from portal.sandbox.api import (
    access_requests,
    accounts,
    activity,
    contracts,
    deletion_requests,
    exports,
    questionnaires,
    resources,
    responses,
    trust_centers,
    users,
    viewers,
)
from portal.sandbox.api.route import Route

ROUTES: tuple[Route, ...] = (
    *questionnaires.ROUTES,
    *exports.ROUTES,
    *responses.ROUTES,
    *accounts.ROUTES,
    *deletion_requests.ROUTES,
    *contracts.ROUTES,
    *trust_centers.ROUTES,
    *access_requests.ROUTES,
    *viewers.ROUTES,
    *resources.ROUTES,
    *activity.ROUTES,
    *users.ROUTES,
)
