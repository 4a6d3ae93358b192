"""What an auditor sees of the organization, and the deprecated lists (specification 4.7, platform-api 4.13)."""

from collections.abc import Callable

from portal.sandbox.api.audits.audits import AUDIT_PATH
from portal.sandbox.api.audits.common import route
from portal.sandbox.api.filters import any_of, between, containing, equal_to
from portal.sandbox.api.inventory.computers import computers
from portal.sandbox.api.inventory.filters import OF_REMEDIATIONS, of_assets, of_vulnerabilities
from portal.sandbox.api.lists import Order, listing
from portal.sandbox.api.people.people import TASK_FILTERS
from portal.sandbox.api.route import Call
from portal.sandbox.kinds.audits import legacy
from portal.sandbox.kinds.audits.organization import (
    CATEGORIES,
    CODE_SOURCES,
    EMPLOYMENTS,
    INFORMATION,
    INTEGRATION,
    NOTIFICATIONS,
    PERSON,
    TAGS,
    VENDOR_STATUSES,
)
from portal.sandbox.kinds.vendors import RISK_LEVELS
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


def by(*fields: str) -> Order:
    return Order(fields={field: PATHS.get(field, field) for field in fields})


PATHS = {"owner": "owner.name"}
"""What a list is sorted by where the field itself is an object."""


SEARCH = containing("search", "name")
INTEGRATIONS = listing(
    "audit-integrations",
    filters=(
        SEARCH,
        any_of("tagsMatchesAny", "tagCodes", allowed=TAGS),
        any_of("categoriesMatchesAny", "categoryCodes", allowed=CATEGORIES),
    ),
    shape=INTEGRATION,
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
PEOPLE = listing(
    "personnel-people",
    filters=(
        containing("search", "name", "email"),
        equal_to("status", "employmentStatus", allowed=EMPLOYMENTS),
        any_of("groupsMatchesAny", "groupIds"),
    ),
    order=by("name", "employmentStatus"),
    shape=PERSON,
)
COMPUTERS = listing(
    "personnel-computers",
    filters=(containing("search", "deviceName", "owner.name"), any_of("monitoredByMatchesAny", "monitoredBy")),
    order=by("owner", "deviceName", "monitoredBy", "osVersion"),
)
GROUPS = listing(
    "personnel-groups", filters=[SEARCH], order=by("name", "members", "source", "tasksLastUpdated", "pointOfContact")
)
VENDORS = listing(
    "managed-vendors",
    filters=(
        SEARCH,
        any_of("vendorStatusesMatchesAny", "status", allowed=VENDOR_STATUSES),
        any_of("inherentRiskMatchesAny", "inherentRisk", allowed=RISK_LEVELS),
    ),
    order=by("name", "inherentRisk"),
)
SERVICES = f"{AUDIT_PATH}/personnel/account-access/services"
LEGACY = {
    "monitored-computers": computers(legacy.COMPUTERS, parent="audit_id"),
    "people": listing(legacy.PEOPLE, filters=TASK_FILTERS),
    "vendors": listing(legacy.VENDORS),
    "vulnerabilities": listing(legacy.VULNERABILITIES, filters=of_vulnerabilities("query")),
    "vulnerability-remediations": listing(legacy.REMEDIATIONS, filters=OF_REMEDIATIONS),
    "vulnerable-assets": listing(legacy.ASSETS, filters=of_assets("query")),
}
"""The last part of each deprecated path and what stands there."""
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
    route("GET", f"{AUDIT_PATH}/personnel/computers", COMPUTERS),
    route("GET", f"{AUDIT_PATH}/personnel/groups", GROUPS),
    route("GET", SERVICES, listing("account-services", filters=[containing("search", "credentialDisplayName", "service")])),
    route("GET", f"{SERVICES}/<account_service_id>", listing("service-accounts")),
    route("GET", f"{AUDIT_PATH}/managed-vendors", VENDORS),
    *(route("GET", f"{AUDIT_PATH}/{path}", operation, is_deprecated=True) for path, operation in LEGACY.items()),
)
