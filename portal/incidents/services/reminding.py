"""Mail to the people of an incident as deadlines come near, and once they have passed: one mail for all customers."""

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from portal.calendars.selectors import office_time
from portal.incidents.formatting import moment_in
from portal.incidents.models import Incident, Notice, Step
from portal.incidents.services.incident_log import AREA, write_log
from portal.members.mail import mail_members
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants, tenant_scope
from portal.users.models import User

MAX_INCIDENTS, MAX_NAMED = 50, 20
BATCH = 500
FORGOTTEN = timedelta(days=30)
"""What has passed for longer is not mailed of any more: it was passed when the incident was written down."""


def remind_all() -> int:
    """Send the mails that are due, of every tenant; return how many incidents were told of."""
    now = timezone.now()
    with all_tenants("deadlines that are near are found over all tenants"):
        rows = Notice.objects.to_tell().filter(incident__closed_at=None, warn_at__lte=now, missed_at=None)
        rows = rows.exclude(warned_at__isnull=False, due_at__gt=now).filter(due_at__gt=now - FORGOTTEN)
        found = list(
            rows.order_by("tenant_id", "incident_id").values_list("tenant_id", "incident_id").distinct()[:MAX_INCIDENTS]
        )
    told = 0
    for tenant_id, incident_id in found:
        with tenant_scope(tenant_id):
            incident = Incident.objects.select_related("tenant").filter(pk=incident_id).first()
            if incident:
                told += _remind(incident, is_missed=True) | _remind(incident, is_missed=False)
    return told


def _remind(incident: Incident, *, is_missed: bool) -> bool:
    """Mail of the deadlines that have passed, or that are near. Claimed first, so that two sweeps do not both write."""
    now, column = timezone.now(), "missed_at" if is_missed else "warned_at"
    rows = incident.notices.to_tell().filter(warn_at__lte=now, due_at__gt=now - FORGOTTEN, **{column: None})
    rows = rows.filter(due_at__lte=now) if is_missed else rows.filter(due_at__gt=now)
    with transaction.atomic():
        found = list(rows.select_for_update(of=("self",)).order_by("due_sort", "name_sort", "id"))
        _mark(found, column, timezone.now())
    if not found:
        return False
    people = _people(incident)
    mailed: list[User | None] = [*people] or [None]
    is_told = all(_mail(incident, found, person, is_missed=is_missed) for person in mailed)
    with transaction.atomic():
        if is_told:
            number = f"{len(found)} deadline{'' if len(found) == 1 else 's'}"
            to = "the admins" if not people else ", ".join(map(str, people))[:200]
            text = f"Reminder mailed to {to}: {number} {'passed' if is_missed else 'near'}."
            write_log(incident, Step.REMINDED, text, member=None)
            touch_areas(AREA)
        else:
            # The mail server did not take it: the next sweep tries again.
            _mark(found, column, None)
    return is_told


def _mark(rows: Sequence[Notice], column: str, at: object) -> None:
    for start in range(0, len(rows), BATCH):
        Notice.objects.filter(pk__in=[row.pk for row in rows[start : start + BATCH]]).update(**{column: at})


def _people(incident: Incident) -> list[User]:
    """The members that are named for the incident; nobody: the admins are mailed."""
    users = incident.responders.values_list("user_id", flat=True)
    members = Membership.objects.filter(tenant=incident.tenant, user_id__in=list(users), user__is_active=True)
    return [each.user for each in members.select_related("user").order_by("user__name", "pk")]


def _mail(incident: Incident, rows: Sequence[Notice], person: User | None, *, is_missed: bool) -> bool:
    zone = str(person.zone if person else office_time().zone)
    number = f"{len(rows)} customer{'' if len(rows) == 1 else 's'}"
    late = "was not told in time" if len(rows) == 1 else "were not told in time"
    name = " ".join(str(incident).split())[:120]
    return mail_members(
        incident.tenant,
        role=Role.ADMIN,
        person=person,
        subject=f"{incident.tenant}: {number} {late if is_missed else 'to tell soon'}, {name}",
        template="incidents/reminder.txt",
        page="incidents:plan",
        page_args=[str(incident.pk)],
        incident=incident,
        is_missed=is_missed,
        lines=[(row, moment_in(row.due_at, zone)) for row in rows[:MAX_NAMED] if row.due_at],
        more=max(len(rows) - MAX_NAMED, 0),
    )
