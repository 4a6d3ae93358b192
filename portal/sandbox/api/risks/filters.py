"""Parameters that choose risk scenarios (platform-api 4.9)."""

from collections.abc import Sequence

from portal.sandbox.api.filters import any_of, containing, equal_to, flag, values_of
from portal.sandbox.api.route import Parameter, Query
from portal.sandbox.kinds.risks import CIA, REVIEW_STATUSES, RISK_TYPES, SCORE_GROUPS, TREATMENTS
from portal.sandbox.objects import Clause
from portal.sandbox.schemas import BOOLEAN, STRING, array, one_of

NO_OWNER = "No owner"


def any_or_none(name: str, field: str, none: str, allowed: Sequence[str]) -> Parameter:
    """Keep scenarios whose field has one of the values; the word for none stands for those that have nothing there."""
    nothing = f"NOT EXISTS (SELECT 1 FROM json_each(body, '$.{field}') e WHERE e.value IS NOT NULL)"  # noqa: S608

    def read(query: Query) -> Clause | None:
        values = values_of(query, name, (*allowed, none))
        marks = ", ".join("?" * len(values))
        sql = f"EXISTS (SELECT 1 FROM json_each(body, '$.{field}') e WHERE e.value IN ({marks}))"  # noqa: S608
        return Clause(sql=f"{sql} OR {nothing}" if none in values else sql, values=tuple(values)) if values else None

    return Parameter(name=name, schema=array(one_of(*allowed, none)), read=read)


def of_owner(query: Query) -> Clause | None:
    """Keep scenarios of these users. A scenario names its owner by e-mail address, the query by id."""
    values = values_of(query, "ownerMatchesAny")
    users = "SELECT json_extract(u.body, '$.email') FROM objects u WHERE u.tenant_id = objects.tenant_id AND u.kind = 'users'"
    marks = ", ".join("?" * len(values))
    sql = f"json_extract(body, '$.owner') IN ({users} AND u.id IN ({marks}))"
    if NO_OWNER in values:
        sql += " OR json_extract(body, '$.owner') IS NULL"
    return Clause(sql=sql, values=tuple(values)) if values else None


def scored(name: str, likelihood: str, impact: str) -> Parameter:
    """Keep scenarios whose score, likelihood times impact, lies in one of the groups."""
    score = f"json_extract(body, '$.{likelihood}') * json_extract(body, '$.{impact}')"

    def read(query: Query) -> Clause | None:
        groups = values_of(query, name, [*SCORE_GROUPS])
        sql = " OR ".join([f"({score} BETWEEN ? AND ?)"] * len(groups))
        return Clause(sql=sql, values=tuple(bound for group in groups for bound in SCORE_GROUPS[group])) if groups else None

    return Parameter(name=name, schema=array(one_of(*SCORE_GROUPS)), read=read)


def unless_ignored(query: Query) -> Clause | None:
    """Leave archived scenarios out unless they are asked for."""
    return None if flag(query, "includeIgnored") else Clause(sql="NOT json_extract(body, '$.isArchived')")


def of_type(query: Query) -> Clause | None:
    """Keep scenarios of one type, which is the first one unless the query says otherwise."""
    return OF_TYPE.read(query) or Clause(sql="json_extract(body, '$.type') = ?", values=(RISK_TYPES[0],))


OF_TYPE = equal_to("type", "type", allowed=RISK_TYPES)
ORDER_BY = ("createdAt", "description")
FILTERS = (
    Parameter(name="includeIgnored", schema=BOOLEAN, read=unless_ignored),
    Parameter(name="ownerMatchesAny", schema=array(STRING), read=of_owner),
    containing("searchString", "id", "description", "detailedDescription"),
    any_of("categoryMatchesAny", "categories"),
    any_or_none("ciaCategoryMatchesAny", "ciaCategories", "Uncategorized", CIA),
    any_or_none("treatmentTypeMatchesAny", "treatment", "No treatment type", TREATMENTS),
    scored("inherentScoreGroupMatchesAny", "likelihood", "impact"),
    scored("residualScoreGroupMatchesAny", "residualLikelihood", "residualImpact"),
    any_of("reviewStatusMatchesAny", "reviewStatus", allowed=REVIEW_STATUSES),
    Parameter(name="type", schema=OF_TYPE.schema, read=of_type),
    Parameter(name="orderBy", schema=one_of(*ORDER_BY)),
)
