"""Opening an incident, changing what is known of it, closing it and opening it again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from portal.incidents.data_kinds import kinds_words
from portal.incidents.models import DraftTemplate, Incident, Responder, Step
from portal.incidents.services.incident_log import check, lock_incident, note, write_log
from portal.incidents.services.mentions import note_mentions
from portal.incidents.services.plans import Difference, plan_again, plan_first
from portal.tenants.models import Membership, Role
from portal.users.dates import stored


class ChangedMeanwhile(Exception):
    """Somebody else has changed it since it was looked at."""


@dataclass(frozen=True, kw_only=True)
class IncidentFacts:
    """What a person says of an incident."""

    name: str
    public_title: str = ""
    noticed_at: datetime
    kinds: Sequence[str]
    concerns_all: bool
    account_ids: Sequence[str] = ()
    notes: str = ""
    template: DraftTemplate | None = None
    responders: Sequence[int] = ()
    """Keys of members' users."""


@transaction.atomic
def open_incident(facts: IncidentFacts, *, member: Membership) -> Incident:
    """Write an incident down and make its plan."""
    check(member)
    incident = Incident(opened_by_name=str(member.user)[:120])
    _take(incident, facts)
    incident.save()
    _name_responders(incident, facts.responders)
    note_mentions([incident])
    text = f"Noticed {stored(incident.noticed_at)}; data: {incident.kinds_words}."
    write_log(incident, Step.OPENED, text, member=member, note=incident.notes)
    plan_first(incident, member=member)
    note(incident, "open", f"Opened the incident {incident}.", member=member, details=_details(incident))
    return incident


@transaction.atomic
def change_incident(
    incident: Incident, facts: IncidentFacts, *, seen: int, member: Membership
) -> tuple[Incident, Difference | None]:
    """Change what is known, and plan anew where that changes the plan. Raises ChangedMeanwhile, IncidentClosed."""
    check(member)
    locked = lock_incident(incident)
    if locked.version != seen:
        raise ChangedMeanwhile
    before, basis, state, notes = _details(locked), _basis(locked), _state(locked), locked.notes
    _take(locked, facts)
    if _state(locked) == state and not _responders_differ(locked, facts):
        return locked, None
    locked.version += 1
    locked.save()
    _name_responders(locked, facts.responders)
    note_mentions([locked])
    after = _details(locked)
    words = _changes(before, after, locked.notes != notes)
    write_log(locked, Step.CHANGED, words, member=member, note=locked.notes if locked.notes != notes else "")
    difference = None
    if _basis(locked) != basis:
        difference = plan_again(locked, because="because the incident changed", member=member)
    note(locked, "change", f"Changed the incident {locked}.", member=member, details={"before": before, "after": after})
    return locked, difference


@transaction.atomic
def close_incident(incident: Incident, *, remark: str, member: Membership) -> None:
    """Say that nothing is left to be done. Whom nobody has told stays to be told. Raises IncidentClosed."""
    check(member)
    locked = lock_incident(incident)
    left = locked.notices.to_tell().count()
    locked.closed_at, locked.closed_by_name = timezone.now(), str(member.user)[:120]
    locked.save(update_fields=["closed_at", "closed_by_name"])
    text = (
        f"Closed, with {left} customer{'' if left == 1 else 's'} not notified."
        if left
        else "Closed. Every customer was notified or needed no notice."
    )
    write_log(locked, Step.CLOSED, text, member=member, note=remark)
    note(locked, "close", f"Closed the incident {locked}.", member=member, details={"not_told": left})


@transaction.atomic
def reopen_incident(incident: Incident, *, member: Membership) -> bool:
    """Open an incident again; False when it is open."""
    check(member)
    locked = Incident.objects.select_for_update().get(pk=incident.pk)
    if locked.is_open:
        return False
    locked.closed_at, locked.closed_by_name = None, ""
    locked.save(update_fields=["closed_at", "closed_by_name"])
    write_log(locked, Step.REOPENED, "Reopened.", member=member)
    note(locked, "reopen", f"Reopened the incident {locked}.", member=member)
    return True


@transaction.atomic
def add_remark(incident: Incident, remark: str, *, member: Membership) -> None:
    """Write something into the log. Also of an incident that is closed: what follows is part of it."""
    check(member)
    write_log(incident, Step.REMARK, "Remark.", member=member, note=remark)
    note(incident, "remark", f"Wrote a remark about the incident {incident}.", member=member)


def _take(incident: Incident, facts: IncidentFacts) -> None:
    incident.name, incident.noticed_at = facts.name, facts.noticed_at
    incident.public_title = facts.public_title
    incident.kinds, incident.concerns_all = sorted(facts.kinds), facts.concerns_all
    incident.account_ids = [] if facts.concerns_all else sorted(set(facts.account_ids))
    incident.notes, incident.template = facts.notes, facts.template
    incident.search = facts.name.casefold()


def _name_responders(incident: Incident, users: Sequence[int]) -> None:
    # Only those who may work on it, whatever the form said.
    members = Membership.objects.who_may(Role.ANALYST).filter(user_id__in=users)
    incident.responders.all().delete()
    Responder.objects.bulk_create(
        [Responder(incident=incident, user_id=each) for each in members.values_list("user", flat=True)]
    )


def _responders_differ(incident: Incident, facts: IncidentFacts) -> bool:
    return set(incident.responders.values_list("user_id", flat=True)) != set(facts.responders)


def _basis(incident: Incident) -> tuple[object, ...]:
    """What the plan depends on."""
    return incident.noticed_at, incident.kinds, incident.concerns_all, incident.account_ids


def _state(incident: Incident) -> tuple[object, ...]:
    return *_basis(incident), incident.name, incident.public_title, incident.notes, incident.template_id


def _details(incident: Incident) -> dict[str, object]:
    """What the audit trail keeps: no text that may be about a person."""
    return {
        "noticed_at": incident.noticed_at.isoformat(),
        "kinds": incident.kinds,
        "concerns_all": incident.concerns_all,
        "customers": len(incident.account_ids),
        "template": incident.template_id,
    }


def _changes(before: dict[str, object], after: dict[str, object], are_notes_new: bool) -> str:
    parts = []
    if before["noticed_at"] != after["noticed_at"]:
        first, second = (datetime.fromisoformat(str(each["noticed_at"])) for each in (before, after))
        parts.append(f"noticed {stored(first)} → {stored(second)}")
    if before["kinds"] != after["kinds"]:
        first_kinds, second_kinds = (kinds_words(each["kinds"]) for each in (before, after))  # type: ignore[arg-type]
        parts.append(f"data {first_kinds} → {second_kinds}")
    if (before["concerns_all"], before["customers"]) != (after["concerns_all"], after["customers"]):
        whom = [
            "all customers" if each["concerns_all"] else f"{each['customers']} chosen customers" for each in (before, after)
        ]
        parts.append(f"affects {whom[0]} → {whom[1]}")
    if are_notes_new:
        parts.append("notes")
    return f"Changed: {'; '.join(parts)}." if parts else "Changed its name, its people or its customers."
