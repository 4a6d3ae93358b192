"""People of the tenant (platform-api 4.6)."""

from portal.sandbox.api.bulk import line_by_line, updates
from portal.sandbox.api.errors import Invalid, unprocessable
from portal.sandbox.api.filters import any_of, containing, equal_to, values_of
from portal.sandbox.api.handlers import reading, updating
from portal.sandbox.api.lists import listing
from portal.sandbox.api.people.users import ACTIVE
from portal.sandbox.api.route import Call, Parameter, Query, Route
from portal.sandbox.changes.people import mark, offboard
from portal.sandbox.kinds.people import EMPLOYMENT_STATUSES, PEOPLE, SUMMARY_STATUSES, TASK_STATUSES, TASK_TYPES
from portal.sandbox.objects import Clause
from portal.sandbox.schemas import MOMENT, NAME, array, closed, nullable, one_of
from portal.sandbox.store import Json
from portal.sandbox.values import normalised

PATCH = closed(
    name=closed(required=["first", "last"], first=NAME, last=NAME),
    employment=closed(startDate=MOMENT),
)
LEAVE = closed(required=["startDate", "endDate"], startDate=MOMENT, endDate=nullable(MOMENT))
TASK_TYPE, TASK_STATUS = "taskTypeMatchesAny", "taskStatusMatchesAny"


def with_task(query: Query) -> Clause | None:
    """Keep people with a task of one of the types in one of the statuses. The one is not accepted without the other."""
    types, statuses = values_of(query, TASK_TYPE, TASK_TYPES), values_of(query, TASK_STATUS, TASK_STATUSES)
    if bool(types) != bool(statuses):
        missing = TASK_STATUS if types else TASK_TYPE
        raise Invalid.at(missing, f"{TASK_TYPE} and {TASK_STATUS} go together")
    fits = (
        f"json_extract(e.value, '$.taskType') IN ({', '.join('?' * len(types))}) "
        f"AND json_extract(e.value, '$.status') IN ({', '.join('?' * len(statuses))})"
    )
    sql = f"EXISTS (SELECT 1 FROM json_each(body, '$.tasksSummary.details') e WHERE {fits})"  # noqa: S608
    return Clause(sql=sql, values=(*types, *statuses)) if types else None


TASK_FILTERS = (
    any_of("tasksSummaryStatusMatchesAny", "tasksSummary.status", allowed=SUMMARY_STATUSES),
    Parameter(name=TASK_TYPE, schema=array(one_of(*TASK_TYPES)), read=with_task),
    Parameter(name=TASK_STATUS, schema=array(one_of(*TASK_STATUSES))),
)
FILTERS = (
    *TASK_FILTERS,
    containing("emailAndNameFilter", "emailAddress", "name.display"),
    any_of("groupIdsMatchesAny", "groupIds"),
    equal_to("employmentStatus", "employment.status", allowed=EMPLOYMENT_STATUSES),
)


def changed(call: Call) -> Json:
    """Put what was sent into the two parts of a person that can be changed."""
    name, employment = call.object["name"], call.object["employment"]
    if sent := call.body.get("name"):
        name = sent | {"display": f"{sent['first']} {sent['last']}"}
    if start := call.body.get("employment", {}).get("startDate"):
        employment = employment | {"startDate": normalised(start)}
    return {"name": name, "employment": employment}


def on_leave(call: Call) -> Json:
    start, end = normalised(call.body["startDate"]), normalised(call.body["endDate"])
    # Our moments sort as text.
    has_begun = str(start) <= call.now
    employment = call.object["employment"] | ({"status": "ON_LEAVE"} if has_begun else {})
    leave = {"startDate": start, "endDate": end, "status": "ACTIVE" if has_begun else "UPCOMING"}
    return {"leaveInfo": leave, "employment": employment}


def back(call: Call) -> Json:
    employment = call.object["employment"]
    is_away = employment["status"] == "ON_LEAVE"
    return {"leaveInfo": None, "employment": employment | ({"status": "CURRENT"} if is_away else {})}


def mark_as_person(call: Call, line: Json) -> None:
    mark(call.sandbox, call.tenant.id, line["id"], is_person=True)


def mark_as_no_person(call: Call, line: Json) -> None:
    mark(call.sandbox, call.tenant.id, line["id"], is_person=False)


def offboard_line(call: Call, line: Json) -> None:
    """Complete the leaving of a person; somebody else, a person too, answers for it."""
    call.sandbox.objects.get(call.tenant.id, PEOPLE, line["acknowledgerId"])
    person = call.sandbox.objects.get(call.tenant.id, PEOPLE, line["id"])
    if reason := what_keeps(call, person):
        raise unprocessable(reason)
    offboard(call.sandbox, call.tenant.id, person)


def what_keeps(call: Call, person: Json) -> str:
    """Say why the leaving of a person cannot be completed yet; empty when it can."""
    if person["employment"]["status"] != "FORMER":
        return "The person has not left yet"
    user = Clause(sql="id = ?", values=(person.get("userId"),))
    if call.sandbox.objects.all(call.tenant.id, "users", where=[user, ACTIVE], limit=1):
        return "The person has accounts that are not deactivated"
    if person["tasksSummary"]["details"]["completeOffboardingCustomTasks"]["status"] not in {"COMPLETE", "NONE"}:
        return "The person has offboarding tasks that are not complete"
    return ""


PATH = "/people"
ONE = f"{PATH}/<person_id>"
ROUTES = (
    Route("GET", PATH, listing(PEOPLE, filters=FILTERS)),
    Route("GET", ONE, reading(PEOPLE)),
    Route("PATCH", ONE, updating(PEOPLE, fill=changed), body=PATCH),
    Route("POST", f"{PATH}/mark-as-people", line_by_line(mark_as_person), body=updates(100)),
    Route("POST", f"{PATH}/mark-as-not-people", line_by_line(mark_as_no_person), body=updates(100, reason=NAME)),
    Route("POST", f"{PATH}/offboard", line_by_line(offboard_line), body=updates(1000, acknowledgerId=NAME)),
    Route("POST", f"{ONE}/set-leave", updating(PEOPLE, fill=on_leave), body=LEAVE),
    Route("POST", f"{ONE}/clear-leave", updating(PEOPLE, fill=back)),
)
