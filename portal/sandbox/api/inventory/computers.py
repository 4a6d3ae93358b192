"""Computers that somebody watches (platform-api 4.13)."""

from datetime import timedelta

from portal.sandbox.api.filters import values_of
from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import chosen
from portal.sandbox.api.route import Call, Operation, Parameter, Route
from portal.sandbox.kinds.inventory import CHECKS, COMPUTER, COMPUTERS, STALE
from portal.sandbox.objects import Clause
from portal.sandbox.schemas import array, one_of
from portal.sandbox.store import Json
from portal.sandbox.values import moment

FILTER = "complianceStatusFilterMatchesAny"
STATUSES = (*CHECKS, STALE)
STALE_AFTER = timedelta(days=14)


def computers(kind: str, *, parent: str = "") -> Operation:
    """Make the list of the tenant's computers, or of those that an audit shows."""

    def find(call: Call) -> list[Json]:
        wanted = values_of(call.query, FILTER, STATUSES)
        where = [any_clause([trouble(call, status) for status in wanted])] if wanted else []
        parent_id = call.found[parent]["id"] if parent else None
        return call.sandbox.objects.all(call.tenant.id, kind, parent_id=parent_id, where=where)

    return chosen(find, shape=COMPUTER, filters=[Parameter(name=FILTER, schema=array(one_of(*STATUSES)))])


def trouble(call: Call, status: str) -> Clause:
    if status == STALE:
        since = moment(call.sandbox.clock.now() - STALE_AFTER)
        return Clause(sql="json_extract(body, '$.lastCheckDate') < ?", values=(since,))
    return Clause(sql=f"json_extract(body, '$.{CHECKS[status]}.outcome') = 'FAIL'")


def any_clause(clauses: list[Clause]) -> Clause:
    values = tuple(value for clause in clauses for value in clause.values)
    return Clause(sql=" OR ".join(clause.sql for clause in clauses), values=values)


PATH = "/monitored-computers"
ROUTES = (
    Route("GET", PATH, computers(COMPUTERS)),
    Route("GET", f"{PATH}/<computer_id>", reading(COMPUTERS)),
)
