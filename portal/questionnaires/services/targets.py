"""Every change of a tenant's targets. The clocks follow: the row of the settings is the queue, the message only a hint."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.audit.services import record
from portal.lib.enqueue import enqueue_on_commit
from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import ClockSettings, Priority, Target
from portal.questionnaires.services.decisions import NotAllowed
from portal.tenants.models import Membership, Role
from portal.tenants.scope import current_tenant_id

RECALCULATE = "portal.questionnaires.tasks.recalculate_clocks_of_tenant"
MAX_TARGETS = 200
"""Each is tried for each questionnaire."""


@dataclass(frozen=True)
class Condition:
    """What a target asks for; what does not belong to the kind stays empty."""

    kind: str
    priority: int = Priority.NORMAL
    account_id: str = ""
    category_id: str = ""
    tag_id: str = ""
    name: str = ""


def add_target(condition: Condition, *, hours: int, member: Membership) -> Target:
    """Make a target. Raises NotAllowed."""
    _check(member)
    if Target.objects.count() >= MAX_TARGETS:
        raise NotAllowed(f"You already have {MAX_TARGETS} targets. Delete one that you no longer need.")
    target = Target(hours=hours, **vars(condition))
    try:
        with transaction.atomic():
            target.save()
            _note("add", f"Added the target {target}.", member, after={"hours": hours})
    except IntegrityError:
        raise NotAllowed("This already has a target. Change its hours instead.") from None
    return target


@transaction.atomic
def change_target(target: Target, *, hours: int, member: Membership) -> Target:
    """Give a target other hours."""
    _check(member)
    locked = Target.objects.select_for_update().get(pk=target.pk)
    before, locked.hours = locked.hours, hours
    locked.save(update_fields=["hours"])
    changed = {"before": {"hours": before}, "after": {"hours": hours}}
    _note("change", f"Changed the target {locked} (it was {before:,}).", member, **changed)
    return locked


@transaction.atomic
def delete_target(target: Target, *, member: Membership) -> None:
    _check(member)
    _note("delete", f"Deleted the target {target}.", member, before={"hours": target.hours})
    target.delete()


@transaction.atomic
def set_warning(percent: int, *, member: Membership) -> None:
    """Say how much of a target's time is left when it is warned of."""
    _check(member)
    values = {"warn_percent": percent}
    before = ClockSettings.objects.values(*values).first()
    ClockSettings.objects.update_or_create(tenant=member.tenant, defaults=values)
    _note("warning", f"Warns when {percent}% of a target's time is left.", member, before=before, after=values)


def mark_clocks_stale() -> None:
    """Have all clocks of the tenant in scope recalculated, from the first on. Call it in the transaction of the change."""
    ClockSettings.objects.get_or_create(tenant_id=current_tenant_id())
    ClockSettings.objects.update(stale_since=timezone.now(), after_id=0)
    enqueue_on_commit(RECALCULATE, current_tenant_id())


def are_clocks_stale() -> bool:
    return ClockSettings.objects.exclude(stale_since=None).exists()


def _check(member: Membership) -> None:
    if not member.may(Role.ADMIN):
        raise PermissionDenied


def _note(
    verb: str,
    summary: str,
    member: Membership,
    *,
    before: Mapping[str, int] | None = None,
    after: Mapping[str, int] | None = None,
) -> None:
    details = {"before": before or {}, "after": after or {}}
    record(f"target.{verb}", target=("target", "questionnaires"), summary=summary, actor=member.user, details=details)
    mark_clocks_stale()
    touch_areas("questionnaires")
