"""What every change of this room does: who may, what is written down, which pages are told."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import PermissionDenied

from portal.audit.services import record
from portal.incidents.addresses import unnamed
from portal.incidents.models import Incident, LogEntry, Notice, Step
from portal.incidents.services.mentions import note_mentions
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role

AREA = "incidents"
KIND = "incident"
MAX_TEXT_LENGTH = 500


class IncidentClosed(Exception):
    """Nothing is done about an incident that is closed; it can be opened again."""


def check(member: Membership, role: Role = Role.ANALYST) -> None:
    if not member.may(role):
        raise PermissionDenied


def lock_incident(incident: Incident) -> Incident:
    """Return the incident as it is now, locked until the transaction ends. Raises IncidentClosed."""
    locked = Incident.objects.select_for_update().get(pk=incident.pk)
    if not locked.is_open:
        raise IncidentClosed
    return locked


def write_log(
    incident: Incident,
    step: Step,
    text: str,
    *,
    member: Membership | None,
    notice: Notice | None = None,
    note: str = "",
    details: Sequence[dict[str, Any]] = (),
) -> LogEntry:
    """Add a row to the log of an incident."""
    entry = LogEntry.objects.create(**_columns(incident, step, text, member), notice=notice, note=note, details=list(details))
    note_mentions([entry])
    return entry


def write_logs(
    incident: Incident, step: Step, texts: Sequence[tuple[Notice, str]], *, member: Membership, note: str = ""
) -> None:
    """Add a row for each of several customers."""
    rows = [LogEntry(**_columns(incident, step, text, member), notice=notice, note=note) for notice, text in texts]
    note_mentions(LogEntry.objects.bulk_create(rows, batch_size=500))


def note(incident: Incident, verb: str, summary: str, *, member: Membership, details: dict[str, Any] | None = None) -> None:
    """Write the change into the audit trail, without mail addresses, and tell the open pages."""
    target = (KIND, str(incident.pk))
    record(f"incident.{verb}", target=target, summary=unnamed(summary), actor=member.user, details=details)
    touch_areas(AREA)


def _columns(incident: Incident, step: Step, text: str, member: Membership | None) -> dict[str, Any]:
    actor = member.user if member else None
    name = str(actor)[:120] if actor else ""
    return {"incident": incident, "step": step, "text": text[:MAX_TEXT_LENGTH], "actor": actor, "actor_name": name}
