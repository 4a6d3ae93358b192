"""Issues: read only (platform-api 4.8)."""

from portal.sandbox.api.filters import any_of, any_within, between, containing, flag, flag_parameter
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


def or_without(due: Parameter) -> Parameter:
    """Let issues that are never due pass a filter of due dates where the query wants them."""

    def read(query: Query) -> Clause | None:
        clause = due.read(query)
        if clause is None or not flag(query, WITHOUT):
            return clause
        return Clause(sql=f"({clause.sql}) OR {NO_DUE_DATE}", values=clause.values)

    return Parameter(name=due.name, schema=due.schema, read=read)


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
    *(or_without(due) for due in between("dueAfterDate", "dueBeforeDate", "dueDate")),
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
