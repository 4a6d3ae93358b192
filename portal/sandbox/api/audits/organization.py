"""What an auditor sees of the organization, and the deprecated lists (specification 4.7, platform-api 4.13)."""

from collections.abc import Callable

from portal.sandbox.api.audits.audits import AUDIT_PATH
from portal.sandbox.api.audits.common import route
from portal.sandbox.api.filters import any_of, between, containing, equal_to
from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import Order, listing
from portal.sandbox.api.route import Call
from portal.sandbox.kinds.audits.organization import (
    CATEGORIES,
    CODE_SOURCES,
    INFORMATION,
    NOTIFICATIONS,
    RISK_LEVELS,
    TAGS,
    VENDOR_STATUSES,
)
from portal.sandbox.objects import Missing
from portal.sandbox.store import Json


def only(kind: str) -> Callable[[Call], Json]:
    """Make the handler that answers the one object of a kind that an audit has."""

    def run(call: Call) -> Json:
        found = call.sandbox.objects.all(call.tenant.id, kind, parent_id=call.object["id"], limit=1)
        if not found:
            raise Missing(kind, call.object["id"])
        return found[0]

    return run


INTEGRATIONS = listing(
    "audit-integrations",
    filters=(
        containing("search", "displayName"),
        any_of("tagsMatchesAny", "tags", allowed=TAGS),
        any_of("categoriesMatchesAny", "categories", allowed=CATEGORIES),
    ),
)
ISSUES = listing(
    "issue-items",
    filters=(
        containing("search", "title", "description"),
        any_of("snapshotIdMatchesAny", "snapshotId"),
        *between("createdAfterDate", "createdBeforeDate", "createdAt"),
        *between("detectedAfterDate", "detectedBeforeDate", "detectedAt"),
    ),
    order=Order(fields={name: name for name in ("createdAt", "lastModifiedAt", "detectedAt")}, is_descending=True),
)
CHANGES = listing(
    "code-changes",
    filters=(
        containing("search", "title", "identifier", "repository"),
        any_of("sourcesMatchesAny", "source", allowed=CODE_SOURCES),
        *between("closedAfterDate", "closedBeforeDate", "closedDate"),
    ),
)
BY_NAME = Order(fields={"name": "name"})
SEARCH = containing("search", "name")
PEOPLE = listing(
    "personnel-people",
    filters=(containing("search", "name", "email"), equal_to("status", "status"), any_of("groupsMatchesAny", "groupIds")),
    order=BY_NAME,
)
VENDORS = listing(
    "managed-vendors",
    filters=(
        SEARCH,
        any_of("vendorStatusesMatchesAny", "status", allowed=VENDOR_STATUSES),
        any_of("inherentRiskMatchesAny", "inherentRiskLevel", allowed=RISK_LEVELS),
    ),
    order=BY_NAME,
)
WITH_STATUS = (SEARCH, equal_to("status", "status"))
SERVICES = f"{AUDIT_PATH}/personnel/account-access/services"
LEGACY = {
    "monitored-computers": "monitored-computers",
    "people": "audit-people",
    "vendors": "audit-vendors",
    "vulnerabilities": "vulnerabilities",
    "vulnerability-remediations": "vulnerability-remediations",
    "vulnerable-assets": "vulnerable-assets",
}
"""The last part of each deprecated path and the kind behind it."""
ROUTES = (
    route("GET", f"{AUDIT_PATH}/integrations", INTEGRATIONS),
    route("GET", f"{AUDIT_PATH}/organization/information", only("organization-information"), answer=INFORMATION),
    route("GET", f"{AUDIT_PATH}/organization/notifications", only("organization-notifications"), answer=NOTIFICATIONS),
    route("GET", f"{AUDIT_PATH}/issues/items", ISSUES),
    route("GET", f"{AUDIT_PATH}/issues/snapshots", listing("issue-snapshots")),
    route("GET", f"{AUDIT_PATH}/risks/snapshots", listing("risk-snapshots")),
    route("GET", f"{AUDIT_PATH}/risks/<risk_snapshot_id>", listing("snapshot-risks")),
    route("GET", f"{AUDIT_PATH}/assets/code-changes", CHANGES),
    route("GET", f"{AUDIT_PATH}/personnel/people", PEOPLE),
    route("GET", f"{AUDIT_PATH}/personnel/computers", listing("personnel-computers", filters=WITH_STATUS, order=BY_NAME)),
    route("GET", f"{AUDIT_PATH}/personnel/groups", listing("personnel-groups", filters=[SEARCH], order=BY_NAME)),
    route("GET", SERVICES, listing("account-services", filters=WITH_STATUS, order=BY_NAME)),
    route("GET", f"{SERVICES}/<account_service_id>", reading("account-services")),
    route("GET", f"{AUDIT_PATH}/managed-vendors", VENDORS),
    *(route("GET", f"{AUDIT_PATH}/{path}", listing(kind), is_deprecated=True) for path, kind in LEGACY.items()),
)
