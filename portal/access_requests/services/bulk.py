"""Deciding many requests at once: a scheduled decision for each; what could not be decided is listed (guarantee W4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.access_requests.bulk_summary import Report, report_of
from portal.access_requests.models import (
    FULL,
    LEVELS,
    PARTIAL,
    AccessRequest,
    Decision,
    DecisionState,
    Verb,
)
from portal.access_requests.refusals import error_message
from portal.access_requests.services.failures import BeingDecided, DecidedElsewhere, RequestGone
from portal.access_requests.services.outcomes import AREA
from portal.access_requests.services.scheduling import enqueue_sending, schedule_decision
from portal.access_requests.services.terms import Terms
from portal.audit.services import record
from portal.connections.services import Urgency, client_for, trust_center
from portal.lib.counted import counted
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role

MAX_AT_ONCE = 200
"""The platform takes fifty calls a minute: this is some minutes' work, and as much as anybody can answer for at one glance."""


@dataclass(frozen=True, kw_only=True)
class BulkChoice:
    """What is decided about all of them; each request gets what it asked for."""

    verb: Verb
    reason: str = ""
    terms: Terms | None = None
    """Expiry and NDA of the approvals; the level and the documents are those of each request."""


def decide_many(rows: Sequence[AccessRequest], choice: BulkChoice, *, member: Membership) -> UUID:
    """Schedule a decision about each request; return the name of the batch.

    What cannot be decided becomes a decision that was not made, so that the report of the batch is whole. Raises NotConnected,
    NoTrustCenter, PermissionDenied.
    """
    if not member.may(Role.APPROVER):
        raise PermissionDenied
    batch = uuid4()
    trust_center(client_for(Urgency.PERSON))
    number = sum(_decide_one(row, choice, member, batch) for row in rows[:MAX_AT_ONCE])
    if number:
        enqueue_sending(member.tenant_id)
        summary = f"{choice.verb.label} {counted(number, 'access request')} together; each can be undone before it is sent."
        record("access_request.bulk", target=("access_request_batch", str(batch)), summary=summary, actor=member.user)
    return batch


def to_retry(report: Report) -> list[Decision]:
    """Return what was not decided and still can be: nobody has pressed first, or decided one by one, here or there, since."""
    failed = [each for each in report.failed if each.access_request.is_pending and not each.access_request.gone_at]
    taken = Decision.objects.active().filter(access_request__in=[decision.access_request_id for decision in failed])
    others = set(taken.values_list("access_request_id", flat=True))
    return [decision for decision in failed if decision.access_request_id not in others]


def retry_batch(batch: UUID, *, member: Membership) -> int:
    """Decide those again that were not decided; return how many. From now on it is this member who decides."""
    if not member.may(Role.APPROVER):
        raise PermissionDenied
    number = sum(
        _decide_one(decision.access_request, _choice_of(decision), member, batch, terms=_terms_of(decision))
        for decision in to_retry(report_of(batch))
    )
    if number:
        enqueue_sending(member.tenant_id)
        summary = f"Retried {counted(number, 'access request')}."
        record("access_request.bulk_retry", target=("access_request_batch", str(batch)), summary=summary, actor=member.user)
    return number


def _decide_one(row: AccessRequest, choice: BulkChoice, member: Membership, batch: UUID, *, terms: Terms | None = None) -> bool:
    """Decide one of a batch; False when it could not be decided, which is then written down."""
    if choice.verb == Verb.APPROVE and terms is None and choice.terms:
        terms = terms_as_asked(row, choice.terms)
    try:
        schedule_decision(row, verb=choice.verb, terms=terms, reason=choice.reason, member=member, batch=batch)
    except (BeingDecided, DecidedElsewhere, RequestGone) as error:
        is_elsewhere = isinstance(error, DecidedElsewhere)
        with transaction.atomic():
            Decision.objects.create(
                access_request=row,
                verb=choice.verb,
                terms=terms.kept() if terms else {},
                reason=choice.reason,
                state=DecisionState.ELSEWHERE if is_elsewhere else DecisionState.FAILED,
                description=error_message(error, slug=member.tenant.slug),
                decided_by=member.user,
                decided_by_name=str(member.user)[:120],
                batch=batch,
                settled_at=timezone.now(),
            )
            touch_areas(AREA)
        return False
    return True


def terms_as_asked(row: AccessRequest, common: Terms) -> Terms:
    """What one request gets of an approval of many: exactly what it asked for, on the terms of all."""
    return Terms(
        access_level=row.access_level if row.access_level in LEVELS else PARTIAL,
        resource_ids=() if row.access_level == FULL else tuple(row.requested_resources or ()),
        expires_at=common.expires_at,
        is_nda_required=common.is_nda_required,
    )


def _choice_of(decision: Decision) -> BulkChoice:
    return BulkChoice(verb=Verb(decision.verb), reason=decision.reason)


def _terms_of(decision: Decision) -> Terms | None:
    if decision.verb != Verb.APPROVE:
        return None
    kept = decision.terms
    return Terms(
        access_level=kept["access_level"],
        resource_ids=tuple(kept["resource_ids"]),
        expires_at=decision.expires_at,
        is_nda_required=kept["is_nda_required"],
    )
