"""The kill switch. One press, and no rule acts: not one that is about to, and nothing of theirs that has not left."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.access_requests.models import Decision
from portal.access_requests.services.applying import APPLY
from portal.access_requests.services.failures import TooLate
from portal.access_requests.services.holding import undo
from portal.access_requests.services.ruling import lock_switch
from portal.access_requests.services.settling import AREA
from portal.audit.services import record
from portal.lib.bell import ring
from portal.live.services import changed
from portal.tenants.models import Membership, Role
from portal.tenants.scope import current_tenant_id

TARGET = ("access_rules", "book")


def stop_rules(*, member: Membership) -> int:
    """Stop every rule from acting, and take back what they decided and has not left; return how many decisions that were."""
    _pull(member)
    undone = 0
    for decision in Decision.objects.held().exclude(rule_name="").order_by("leaves_at", "id"):
        try:
            undo(decision, member=member)
        except (TooLate, Decision.DoesNotExist):
            continue
        undone += 1
    return undone


@transaction.atomic
def _pull(member: Membership) -> None:
    """A rule that is about to act waits for this lock, and then finds the switch pulled; one that has it is undone after."""
    if not member.may(Role.APPROVER):
        raise PermissionDenied
    switch = lock_switch()
    if switch.is_stopped:
        return
    switch.is_stopped, switch.stopped_at, switch.stopped_by_name = True, timezone.now(), str(member.user)[:120]
    switch.save(update_fields=["is_stopped", "stopped_at", "stopped_by_name"])
    record("access_rules.stop", target=TARGET, summary="Stopped the rules: none acts by itself.", actor=member.user)
    changed(AREA)


@transaction.atomic
def start_rules(*, member: Membership) -> None:
    """Let rules act by themselves again."""
    if not member.may(Role.ADMIN):
        raise PermissionDenied
    switch = lock_switch()
    if not switch.is_stopped:
        return
    switch.is_stopped, switch.stopped_at, switch.stopped_by_name, switch.applied_stamp = False, None, "", ""
    switch.save(update_fields=["is_stopped", "stopped_at", "stopped_by_name", "applied_stamp"])
    record("access_rules.start", target=TARGET, summary="Let the rules act by themselves again.", actor=member.user)
    changed(AREA)
    ring(APPLY, current_tenant_id())
