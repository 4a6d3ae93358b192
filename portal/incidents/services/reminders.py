"""Telling the people of an incident as deadlines come near, and once they have passed: all customers at once."""

from collections.abc import Sequence
from datetime import timedelta, tzinfo

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from portal.calendars.selectors import office_time
from portal.incidents.formatting import moment_in
from portal.incidents.models import Incident, Notice, Step
from portal.incidents.services.incident_log import AREA, write_log
from portal.notifications.kinds import DEADLINE
from portal.notifications.selectors import members_from
from portal.notifications.services import notify
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants
from portal.tenants.turns import serve_in_turn
from portal.users.models import User

MAX_INCIDENTS, MAX_NAMED = 50, 3
BATCH = 500
FORGOTTEN = timedelta(days=30)
"""What has passed for longer is not told anymore: it was passed when the incident was written down."""


def remind_all() -> int:
    """Tell of the deadlines that are near or passed, in every tenant; return of how many incidents."""
    now = timezone.now()
    with all_tenants("deadlines that are near are found over all tenants"):
        rows = Notice.objects.to_tell().filter(incident__closed_at=None, warn_at__lte=now, missed_at=None)
        rows = rows.exclude(warned_at__isnull=False, due_at__gt=now).filter(due_at__gt=now - FORGOTTEN)
        found = list(
            rows.order_by("tenant_id", "incident_id").values_list("tenant_id", "incident_id").distinct()[:MAX_INCIDENTS]
        )
    return serve_in_turn(found, _remind_of, what="a reminder of an incident")


def _remind_of(incident_id: int) -> bool:
    incident = Incident.objects.select_related("tenant").filter(pk=incident_id).first()
    return incident is not None and _remind(incident, is_missed=True) | _remind(incident, is_missed=False)


@transaction.atomic
def _remind(incident: Incident, *, is_missed: bool) -> bool:
    """Tell of the deadlines that have passed, or that are near. Two sweeps do not both tell: the rows are locked."""
    now, column = timezone.now(), "missed_at" if is_missed else "warned_at"
    rows = incident.notices.to_tell().filter(warn_at__lte=now, due_at__gt=now - FORGOTTEN, **{column: None})
    rows = rows.filter(due_at__lte=now) if is_missed else rows.filter(due_at__gt=now)
    found = list(rows.select_for_update(of=("self",)).order_by("due_sort", "name_sort", "id"))
    if not found:
        return False
    for start in range(0, len(found), BATCH):
        Notice.objects.filter(pk__in=[row.pk for row in found[start : start + BATCH]]).update(**{column: now})
    people = _people(incident)
    for person in people:
        _tell(incident, found, [person.pk], person.zone, is_missed=is_missed)
    if not people:
        _tell(incident, found, members_from(Role.ADMIN), office_time().zone, is_missed=is_missed)
    number = f"{len(found)} deadline{'' if len(found) == 1 else 's'}"
    to = "the admins" if not people else ", ".join(map(str, people))[:200]
    write_log(incident, Step.REMINDED, f"Reminded {to}: {number} {'passed' if is_missed else 'near'}.", member=None)
    touch_areas(AREA)
    return True


def _people(incident: Incident) -> list[User]:
    """The members that are named for the incident; nobody: the admins are told."""
    users = incident.responders.values_list("user_id", flat=True)
    members = Membership.objects.active().filter(user_id__in=list(users))
    return [each.user for each in members.select_related("user").order_by("user__name", "pk")]


def _tell(incident: Incident, rows: Sequence[Notice], user_ids: list[int], zone: tzinfo, *, is_missed: bool) -> None:
    number = f"{len(rows)} customer{'' if len(rows) == 1 else 's'}"
    late = "was not notified in time" if len(rows) == 1 else "were not notified in time"
    named = [f"{row}: by {moment_in(row.due_at, str(zone))}" for row in rows[:MAX_NAMED] if row.due_at]
    more = [f"and {len(rows) - MAX_NAMED} more"] if len(rows) > MAX_NAMED else []
    notify(
        DEADLINE,
        user_ids,
        key=f"incident:{incident.pk}:{'missed' if is_missed else 'near'}:{timezone.now():%Y%m%d%H%M%S%f}",
        title=f"{number} {late if is_missed else 'to notify soon'}, {' '.join(str(incident).split())[:120]}",
        text=" · ".join([*named, *more]),
        url=lambda slug: reverse("incidents:plan", args=[slug, incident.pk]),
    )
