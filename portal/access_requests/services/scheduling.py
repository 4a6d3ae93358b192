"""Deciding a request: a decision is a row that is sent half a minute later; until then it can be undone (guarantee W3)."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import batched
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from portal.access_requests.models import (
    ACTIVE,
    WINDOW,
    AccessRequest,
    Decision,
    DecisionQuerySet,
    DecisionState,
    Verb,
)
from portal.access_requests.selectors import facts_of, two_people_approve
from portal.access_requests.services.decision_audit import decision_entry, record_decision
from portal.access_requests.services.failures import BeingDecided, DecidedElsewhere, RequestGone, TooLate
from portal.access_requests.services.outcomes import AREA, lock_request, touch
from portal.access_requests.services.terms import Terms
from portal.audit.models import Entry
from portal.audit.services import record_all
from portal.connections.services import Urgency, client_for, trust_center
from portal.lib.enqueue import enqueue_in
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role

SEND = "portal.access_requests.tasks.send_decisions"
UNDONE_AT_ONCE = 200
"""Decisions that are taken back in one transaction: those who wait for one of them wait for a blink."""


@dataclass(frozen=True)
class RuleMark:
    """Which rule decided, as it was then."""

    id: str
    name: str
    version: int


def schedule_decision(
    access_request: AccessRequest,
    *,
    verb: Verb | str,
    terms: Terms | None = None,
    reason: str = "",
    member: Membership | None = None,
    rule: RuleMark | None = None,
    needs_second: bool = False,
    batch: UUID | None = None,
) -> Decision:
    """Decide a request for a person or a rule. It leaves after half a minute, or once it has its second approval.

    Whoever schedules a batch enqueues its sending once for all. Raises BeingDecided, DecidedElsewhere, RequestGone,
    PermissionDenied; NotConnected or NoTrustCenter, because nothing could leave.
    """
    if (member is None) == (rule is None) or (verb == Verb.APPROVE) != (terms is not None):
        raise ValueError("exactly one person or rule decides, and exactly an approval has terms")
    if member and not member.may(Role.APPROVER):
        raise PermissionDenied
    trust_center(client_for(Urgency.PERSON))
    with transaction.atomic():
        row = _decidable(access_request)
        is_asked = verb == Verb.APPROVE and (needs_second or two_people_approve())
        decision = Decision.objects.create(
            access_request=row,
            verb=verb,
            terms=terms.kept() if terms else {},
            reason=reason,
            batch=batch,
            facts=facts_of(row),
            **_decider(member, rule),
            **({"state": DecisionState.AWAITING_SECOND} if is_asked else scheduled_columns()),
        )
        if is_asked:
            record_decision("ask_second", decision, "Approved {}. It needs a second approval.")
        elif batch is None:
            enqueue_sending(decision.tenant_id)
        touch(decision)
    return decision


def _decidable(access_request: AccessRequest) -> AccessRequest:
    """Lock a request that nobody has decided: from here on nobody else can."""
    row = AccessRequest.objects.select_for_update().get(pk=access_request.pk)
    if row.gone_at:
        raise RequestGone
    if not row.is_pending:
        raise DecidedElsewhere
    active = row.decisions.active().first()
    if active:
        raise BeingDecided(active)
    return row


def _decider(member: Membership | None, rule: RuleMark | None) -> dict[str, Any]:
    if member:
        return {"decided_by": member.user, "decided_by_name": str(member.user)[:120]}
    if rule:
        named = {"rule_id": rule.id, "rule_name": rule.name[:200], "rule_version": rule.version}
        return named | {"decided_by_name": f"Rule “{rule.name}”"[:120]}
    raise ValueError("a decision is one person's or one rule's")


def scheduled_columns() -> dict[str, Any]:
    """Return the columns of a decision that is scheduled now."""
    return {"state": DecisionState.SCHEDULED, "send_at": timezone.now() + WINDOW}


def enqueue_sending(tenant_id: int) -> None:
    """Enqueue the sending of what is scheduled now, for the end of its window. A lost message costs the sweep's interval."""
    enqueue_in(WINDOW.total_seconds(), SEND, tenant_id)


@transaction.atomic
def undo(decision: Decision, *, member: Membership) -> Decision:
    """Take a decision back that has not left. Raises TooLate once a worker has taken it, or it has ended; PermissionDenied.

    Every approver may undo what is scheduled, and what a rule waits for a second approval with; a person's own request for a
    second approval is undone by that person alone.
    """
    if not member.may(Role.APPROVER):
        raise PermissionDenied
    lock_request(decision)
    # One statement: a worker's claim, the truth from the platform and this one exclude each other.
    undone = _undoable(member).filter(pk=decision.pk).update(**_undone(member))
    decision = Decision.objects.select_related("access_request").get(pk=decision.pk)
    if not undone:
        raise TooLate(decision)
    record_all([_undo_entry(decision, member)])
    touch(decision)
    return decision


def _undoable(member: Membership) -> DecisionQuerySet:
    asked = Q(state=DecisionState.AWAITING_SECOND) & (Q(decided_by=member.user) | ~Q(rule_name=""))
    return Decision.objects.filter(Q(state=DecisionState.SCHEDULED) | asked)


def _undone(member: Membership) -> dict[str, Any]:
    return {"state": DecisionState.UNDONE, "undone_by_name": str(member.user)[:120], "settled_at": timezone.now()}


def _undo_entry(decision: Decision, member: Membership) -> Entry:
    whose = "" if decision.is_by(member.user) else f" by {decision.decided_by_name}"
    return decision_entry("undo", decision, f"Undid {{}}{whose} before it was sent.", actor=member.user)


def undo_all(member: Membership, *, batch: UUID | None = None) -> int:
    """Undo what is scheduled and this person made or gave the second approval, and return how many were undone.

    Of a batch everything that is scheduled, and what of it this person sent for second approval.
    """
    scheduled = Decision.objects.scheduled()
    if batch is None:
        return undo_each(scheduled.of(member.user_id), member=member)
    asked = Decision.objects.awaiting_second().filter(decided_by=member.user)
    return undo_each((scheduled | asked).filter(batch=batch), member=member)


def undo_each(decisions: DecisionQuerySet, *, member: Membership) -> int:
    """Take back those of these decisions that have not left, first those that leave first; return how many that were."""
    if not member.may(Role.APPROVER):
        raise PermissionDenied
    keys = decisions.order_by(F("send_at").asc(nulls_last=True), "id").values_list("pk", flat=True)
    return sum(_undo_piece(piece, member) for piece in batched(list(keys), UNDONE_AT_ONCE))


def _undo_piece(keys: Collection[int], member: Membership) -> int:
    undone = _undo_free(keys, member)
    # What somebody else had in hand just then, a worker or the truth from the platform: it is waited for, one by one.
    for decision in _undoable(member).filter(pk__in=keys):
        try:
            undo(decision, member=member)
        except (TooLate, Decision.DoesNotExist):
            continue
        undone += 1
    return undone


@transaction.atomic
def _undo_free(keys: Collection[int], member: Membership) -> int:
    """Take back together those of these decisions that nobody else has in hand; return how many that were."""
    # While this holds what others wait for, it waits for nobody: first for the area, which they touch last, then only what is
    # free is taken. Else it and a page of fetched requests, locked in an order of its own, could lock each other out.
    touch_areas(AREA)
    about = Decision.objects.filter(pk__in=keys).values("access_request")
    free = list(_free(AccessRequest.objects.filter(pk__in=about).order_by("pk")).values_list("pk", flat=True))
    rows = _undoable(member).filter(pk__in=keys, access_request__in=free).select_related("access_request").order_by("pk")
    found = list(_free(rows).defer("terms", "reason", *(f"access_request__{name}" for name in ("payload", "search", "reason"))))
    Decision.objects.filter(pk__in=[decision.pk for decision in found]).update(**_undone(member))
    touched = AccessRequest.objects.filter(pk__in=[decision.access_request_id for decision in found])
    touched.update(touched_at=timezone.now())
    record_all([_undo_entry(decision, member) for decision in found])
    return len(found)


def _free[Rows: QuerySet[Any]](rows: Rows) -> Rows:
    """Lock those of the rows that nobody else has locked, and leave out the others; SQLite has one writer at a time."""
    return rows.select_for_update(skip_locked=True) if connection.features.has_select_for_update_skip_locked else rows


@transaction.atomic
def dismiss_notices(member: Membership) -> None:
    """Remember that somebody has read what came to nothing."""
    unseen = Decision.objects.exclude(state__in=ACTIVE).filter(decided_by=member.user, seen_at=None)
    if unseen.update(seen_at=timezone.now()):
        touch_areas(AREA)
