"""Issues: read only (platform-api 4.8)."""

from portal.sandbox.api.filters import any_of, any_within, between, containing, flag, flag_parameter, or_without
from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import Order, listing
from portal.sandbox.api.route import Parameter, Query, Route
from portal.sandbox.kinds.risks import (
    CLOSE_REASONS,
    ISSUE_STATUSES,
    ISSUE_TYPES,
    ISSUES,
    SEVERITIES,
    SOURCES,
    TEMPLATES,
)
from portal.sandbox.objects import Clause

WITHOUT, ONLY_WITHOUT = "includeIssuesWithoutDueDate", "includeOnlyIssuesWithoutDueDate"
NO_DUE_DATE = "json_extract(body, '$.dueDate') IS NULL"


def only_without(query: Query) -> Clause | None:
    return Clause(sql=NO_DUE_DATE) if flag(query, ONLY_WITHOUT) else None


def checked(query: Query) -> None:
    """Refuse a value that is no boolean also where no due date is asked for."""
    flag(query, WITHOUT)


ONLY = flag_parameter(ONLY_WITHOUT)
FILTERS = (
    containing("search", "title", "description", "readableIssueId"),
    any_of("readableIssueIdMatchesAny", "readableIssueId"),
    any_of("statusMatchesAny", "status", allowed=ISSUE_STATUSES),
    any_of("severityMatchesAny", "severity", allowed=SEVERITIES),
    any_of("sourceMatchesAny", "source.sourceType", allowed=SOURCES),
    any_of("typeMatchesAny", "type", allowed=ISSUE_TYPES),
    any_of("templateMatchesAny", "template", allowed=TEMPLATES),
    any_of("closeReasonMatchesAny", "closedMetadata.reason", allowed=CLOSE_REASONS),
    any_within("ownerIdMatchesAny", "owners", "ownerId"),
    any_of("auditIdMatchesAny", "source.sourceId"),
    any_of("controlIdMatchesAny", "mappedControlIds"),
    *between("closedAfterDate", "closedBeforeDate", "closedMetadata.closedAt"),
    *(or_without(due, WITHOUT, "dueDate") for due in between("dueAfterDate", "dueBeforeDate", "dueDate")),
    *between("detectedAfterDate", "detectedBeforeDate", "detectedDate"),
    *between("createdAfterDate", "createdBeforeDate", "createdDate"),
    Parameter(name=WITHOUT, schema=ONLY.schema, read=checked),
    Parameter(name=ONLY_WITHOUT, schema=ONLY.schema, read=only_without),
)
ORDER_FIELDS = ("dueDate", "createdDate", "detectedDate", "lastModifiedDate", "status", "severity")
ORDER = Order(fields={name: name for name in ORDER_FIELDS})
ROUTES = (
    Route("GET", "/issues", listing(ISSUES, filters=FILTERS, order=ORDER)),
    Route("GET", "/issues/<issue_id>", reading(ISSUES)),
)
