"""Telling of a target before it is missed, and once it is: the owner where a member has that name, else the admins."""

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from portal.notifications.kinds import DEADLINE
from portal.notifications.services import notify_once
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.services.clocks import recalculate_clocks
from portal.questionnaires.services.owners import member_named
from portal.tenants.models import Role
from portal.tenants.scope import all_tenants
from portal.tenants.turns import serve_in_turn
from portal.users.dates import stored

MAX_TOLD = 50


def remind_all() -> int:
    """Tell of the targets that are near or missed, in every tenant; return of how many questionnaires."""
    with all_tenants("targets that are near are found over all tenants"):
        due = Questionnaire.objects.present().filter(remind_at__lte=timezone.now()).order_by("remind_at")
        found = list(due.values_list("tenant_id", "pk")[:MAX_TOLD])
    return serve_in_turn(found, _remind, what="a reminder of a target")


def _remind(pk: int) -> bool:
    row = Questionnaire.objects.select_related("tenant", "target").present().filter(pk=pk).first()
    now = timezone.now()
    if row is None or row.remind_at is None or row.remind_at > now or row.target is None or row.target_at is None:
        return False
    is_missed = row.target_at <= now
    with transaction.atomic():
        is_told = _tell(row, is_missed=is_missed)
        locked = Questionnaire.objects.select_for_update().get(pk=pk)
        if getattr(locked, _column(is_missed)) is not None:
            recalculate_clocks([locked])
    return is_told


def _tell(row: Questionnaire, *, is_missed: bool) -> bool:
    """Tell whoever has to know; False when another worker has."""
    return notify_once(
        row,
        _column(is_missed),
        Q(remind_at=row.remind_at),  # it may have been put on hold at this moment
        kind=DEADLINE,
        role=Role.ADMIN,
        person=member_named(row.owner_name),
        title=f"{' '.join(str(row).split())[:150]} {'has missed its target' if is_missed else 'is near its target'}",
        text=_facts(row, is_missed=is_missed),
        url=lambda slug: reverse("questionnaires:questionnaire", args=[slug, row.platform_id]),
    )


def _facts(row: Questionnaire, *, is_missed: bool) -> str:
    at = stored(row.target_at) if row.target_at else ""
    when = f"It was missed on {at}." if is_missed else f"It will be missed on {at} unless it is done or put on hold first."
    owner = f", owner {row.owner_name}" if row.owner_name else ""
    return f"{row.target}. {when} Now: {row.status_label}{owner}."


def _column(is_missed: bool) -> str:
    return "told_missed_at" if is_missed else "warned_at"
