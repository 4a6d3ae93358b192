"""How the console words and draws values: names of kinds, columns of tables, tones of pills, short times."""

import json
import re
from typing import Any

from portal.sandbox.console.blueprint import blueprint
from portal.sandbox.kinds import Kind
from portal.sandbox.store import Json
from portal.sandbox.values import moment

MOMENT = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
GOOD = frozenset({"APPROVED", "COMPLETE", "SIGNED", "completed", "delivered"})
WARN = frozenset({"ON_HOLD", "WAITING_ON_COLUMN_SELECTION", "WAITING_ON_COLUMN_APPROVAL", "pending"})
BAD = frozenset({"ERROR", "DENIED", "failed"})


COLUMNS = {
    "questionnaires": ("displayName", "type", "status", "ownerAssignment.displayName", "dueDate", "updatedDate"),
    "responses": ("question", "sequenceLabel", "originType", "ownerAssignment.displayName", "approvedBy.email"),
    "accounts": ("name", "emailDomain", "ndaDetails.ndaStatus", "updatedDate"),
    "access-requests": ("name", "email", "companyName", "accessLevel", "reason", "creationDate"),
    "historical-access-requests": ("name", "email", "companyName", "outcome", "manualDenialReason", "updatedDate"),
    "viewers": ("email", "name", "companyName", "accessLevel", "ndaInfo.provider", "expirationDate"),
    "exports": ("requestedAt", "format", "status", "completedAt"),
}
"""The columns of tables, where they are not simply the first fields of the kind. The first one is the link."""
MAX_COLUMNS = 5
WORD_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def columns_of(kind: Kind) -> list[tuple[str, str]]:
    """Choose the columns of a kind's table, as (heading, path): texts first, then what else is not an object."""
    paths = COLUMNS.get(kind.name)
    if paths is None:
        properties = kind.shape["properties"]
        simple = [name for name, schema in properties.items() if name != "id" and is_simple(schema)]
        paths = tuple(sorted(simple, key=lambda name: "format" in str(properties[name]))[:MAX_COLUMNS]) or ("id",)
    return [(heading(path), path) for path in paths]


def is_simple(schema: Json) -> bool:
    return all(option.get("type") not in {"object", "array"} for option in schema.get("anyOf", [schema]))


def heading(path: str) -> str:
    """Make words of a field's name: `ownerAssignment.displayName` is headed "Owner assignment"."""
    return WORD_BOUNDARY.sub(" ", path.split(".", maxsplit=1)[0]).capitalize()


def title_of(kind: Kind, body: Json) -> str:
    """Name one object by its first column."""
    return str(at_path(body, columns_of(kind)[0][1]) or body["id"])


@blueprint.app_template_filter("at_path")
def at_path(value: Any, path: str) -> Any:
    """Follow a dotted path through nested objects; None where it ends early."""
    for name in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


@blueprint.app_template_filter("tone")
def tone(value: object) -> str:
    """Choose the colour that goes with a status. The words stand beside it."""
    return "good" if value in GOOD else "warn" if value in WARN else "bad" if value in BAD else ""


@blueprint.app_template_filter("pretty_json")
def pretty_json(value: object) -> str:
    """Lay JSON out for reading; a text is JSON already."""
    if isinstance(value, str):
        value = json.loads(value)
    return json.dumps(value, indent=2, ensure_ascii=False)


@blueprint.app_template_filter("short_moment")
def short_moment(value: str, exact: bool = False) -> str:
    """Show a moment of the API to the minute, or to the second."""
    return value[: 19 if exact else 16].replace("T", " ") + " UTC"


@blueprint.app_template_test("moment")
def is_moment(value: object) -> bool:
    return isinstance(value, str) and MOMENT.match(value) is not None


@blueprint.app_template_filter("moment")
def as_moment(seconds: float | None) -> str | None:
    """Write seconds of the sandbox's clock as the API writes moments."""
    return None if seconds is None else moment(seconds)
