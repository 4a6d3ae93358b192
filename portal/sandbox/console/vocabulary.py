"""How the console words and draws values: names of kinds, columns of tables, tones of pills, short times."""

import json
import re
from dataclasses import dataclass
from typing import Any

from portal.sandbox.console.blueprint import blueprint
from portal.sandbox.store import Json
from portal.sandbox.values import moment

MOMENT = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
GOOD = frozenset({"APPROVED", "COMPLETE", "SIGNED", "completed", "delivered"})
WARN = frozenset({"ON_HOLD", "WAITING_ON_COLUMN_SELECTION", "WAITING_ON_COLUMN_APPROVAL", "pending"})
BAD = frozenset({"ERROR", "DENIED", "failed"})


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of object: its name, and which of its fields stand in a table. The first column is the link."""

    name: str
    columns: tuple[tuple[str, str], ...]

    def title_of(self, body: Json) -> str:
        """Name one object by its first column."""
        return str(at_path(body, self.columns[0][1]) or body["id"])


KINDS = {
    "questionnaires": Kind(
        name="Questionnaires",
        columns=(
            ("Name", "displayName"),
            ("Type", "type"),
            ("Status", "status"),
            ("Owner", "ownerAssignment.displayName"),
            ("Due", "dueDate"),
            ("Updated", "updatedDate"),
        ),
    ),
    "responses": Kind(
        name="Responses",
        columns=(
            ("Question", "question"),
            ("No.", "sequenceLabel"),
            ("Origin", "originType"),
            ("Owner", "ownerAssignment.displayName"),
            ("Pending", "isPendingAnswerGeneration"),
            ("Approved by", "approvedBy.email"),
        ),
    ),
    "accounts": Kind(
        name="Accounts",
        columns=(("Name", "name"), ("Domain", "emailDomain"), ("NDA", "ndaDetails.ndaStatus"), ("Updated", "updatedDate")),
    ),
    "access-requests": Kind(
        name="Access requests",
        columns=(
            ("Name", "name"),
            ("E-mail", "email"),
            ("Company", "companyName"),
            ("Level", "accessLevel"),
            ("Reason", "reason"),
            ("Received", "creationDate"),
        ),
    ),
    "historical-access-requests": Kind(
        name="Decided access requests",
        columns=(
            ("Name", "name"),
            ("E-mail", "email"),
            ("Company", "companyName"),
            ("Outcome", "outcome"),
            ("Reason of denial", "manualDenialReason"),
            ("Decided", "updatedDate"),
        ),
    ),
    "viewers": Kind(
        name="Viewers",
        columns=(
            ("E-mail", "email"),
            ("Name", "name"),
            ("Company", "companyName"),
            ("Level", "accessLevel"),
            ("NDA", "ndaInfo.provider"),
            ("Expires", "expirationDate"),
        ),
    ),
    "resources": Kind(
        name="Resources",
        columns=(("Title", "title"), ("File", "fileName"), ("Public", "isPublic"), ("Updated", "updatedDate")),
    ),
    "activity": Kind(
        name="Activity",
        columns=(("Date", "date"), ("Event", "eventType"), ("Viewer", "viewerEmail"), ("City", "city")),
    ),
    "contracts": Kind(
        name="Contracts",
        columns=(("Name", "name"), ("External id", "externalId"), ("Executed", "executedDate"), ("Created", "creationDate")),
    ),
    "exports": Kind(
        name="Exports",
        columns=(("Asked", "requestedAt"), ("Format", "format"), ("Status", "status"), ("Ended", "completedAt")),
    ),
    "trust-centers": Kind(name="Trust Center", columns=(("Title", "title"), ("Updated", "updatedDate"))),
    "deletion-requests": Kind(name="Deletion requests", columns=(("E-mail", "email"), ("Asked", "creationDate"))),
    "users": Kind(
        name="Users", columns=(("Name", "displayName"), ("E-mail", "email"), ("Active", "isActive"))
    ),
}  # fmt: skip


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
