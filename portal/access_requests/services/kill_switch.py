"""The kill switch. One press, and no rule acts: not one that is about to, and nothing of theirs that has not left."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.access_requests.models import Decision, RuleSwitch
from portal.access_requests.rulebook import RuleBook
from portal.access_requests.services.announcements import Choice, Proposal, new_from
from portal.access_requests.services.outcomes import AREA
from portal.access_requests.services.rule_verdicts import APPLY
from portal.access_requests.services.rules import current_book, is_stopped, lock_switch, make_announced, write_book
from portal.access_requests.services.scheduling import undo_each
from portal.audit.services import record
from portal.lib.enqueue import enqueue_on_commit
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role
from portal.tenants.scope import current_tenant_id

TARGET = ("access_rules", "book")


def stop_rules(*, member: Membership) -> int:
    """Stop every rule from acting, and take back what they decided and has not left; return how many decisions that were."""
    _pull(member)
    return undo_each(Decision.objects.waiting().exclude(rule_name=""), member=member)


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
    record("access_rules.stop", target=TARGET, summary="Stopped the rules. None decides automatically.", actor=member.user)
    touch_areas(AREA)


def undo_rule(rule_id: str, *, member: Membership) -> tuple[int, int]:
    """Take back every decision of one rule that has not left; return how many that were, and how many had just left.

    What waits by then is left to people: the rule may be in the middle of it. It stays on for new requests.
    """
    _leave_waiting_to_people(rule_id, member)
    waiting = Decision.objects.waiting().filter(rule_id=rule_id)
    number = waiting.count()
    undone = undo_each(waiting, member=member)
    return undone, number - undone


@transaction.atomic
def _leave_waiting_to_people(rule_id: str, member: Membership) -> None:
    if not member.may(Role.APPROVER):
        raise PermissionDenied
    lock_switch()
    write_book(current_book().acting_from(new_from().isoformat(), {rule_id}), member)


def start_rules(*, member: Membership, choice: Choice | None = None) -> None:
    """Let rules act by themselves again. Raises DecidesWaiting unless the person has chosen what becomes of what waits."""
    if not member.may(Role.ADMIN):
        raise PermissionDenied
    if is_stopped():
        make_announced(_all_started, choice, lambda rules: _start(rules, member))


def _all_started() -> Proposal:
    book = current_book()
    return Proposal(before=book.all_suggesting(), after=book, limits=book.automatic_ids)


def _start(rules: RuleBook, member: Membership) -> None:
    started = {"is_stopped": False, "stopped_at": None, "stopped_by_name": "", "applied_fact_version": ""}
    if not RuleSwitch.objects.filter(is_stopped=True).update(**started):
        return
    write_book(rules, member)
    record("access_rules.start", target=TARGET, summary="Started the rules again.", actor=member.user)
    touch_areas(AREA)
    enqueue_on_commit(APPLY, current_tenant_id())
