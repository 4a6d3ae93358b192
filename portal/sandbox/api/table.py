"""Every endpoint of the API. To add one: write its line in the file of its area."""

from portal.sandbox.api import audits, compliance, customer_trust, inventory, knowledge, people, risks, trust_center, vendors
from portal.sandbox.api.route import Route

AREAS = {
    "Customer trust": customer_trust.ROUTES,
    "Knowledge": knowledge.ROUTES,
    "Trust Center": trust_center.ROUTES,
    "People": people.ROUTES,
    "Vendors": vendors.ROUTES,
    "Risks": risks.ROUTES,
    "Compliance": compliance.ROUTES,
    "Inventory": inventory.ROUTES,
    "Audits": audits.ROUTES,
}
"""The endpoints under the name of their area."""
ROUTES: tuple[Route, ...] = tuple(route for routes in AREAS.values() for route in routes)
