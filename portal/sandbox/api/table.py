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

AREAS = {
    "Questionnaires": (questionnaires, exports, responses),
    "Customers": (accounts, contracts, deletion_requests),
    "Trust Center": (trust_centers, access_requests, viewers, resources, activity),
    "People": (users,),
}
"""The files of each area, under the name that the description of the API gives it."""
ROUTES: tuple[Route, ...] = tuple(route for files in AREAS.values() for file in files for route in file.ROUTES)
