"""Questionnaires, accounts, contracts and deletion requests."""

from portal.sandbox.api.customer_trust import accounts, contracts, deletion_requests, exports, questionnaires, responses
from portal.sandbox.api.route import Route

ROUTES: tuple[Route, ...] = (
    *questionnaires.ROUTES,
    *exports.ROUTES,
    *responses.ROUTES,
    *accounts.ROUTES,
    *contracts.ROUTES,
    *deletion_requests.ROUTES,
)
