"""Approving and denying: one call, whose outcome is confirmed by reading it back and never guessed (guarantees W1, W3)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.access_requests.models import ACTIVE, FULL, AccessRequest, Decision, DecisionState, Verb
from portal.access_requests.selectors import facts_of, resource_titles
from portal.access_requests.services.looking import FetchedRequest, look, look_again
from portal.access_requests.services.settling import AREA, settle
from portal.access_requests.services.storing import store_access_request
from portal.connections.services import NotConnected, Urgency, client_for, trust_center
from portal.live.services import changed
from portal.platform_api.areas.trust_center import TrustCenter
from portal.platform_api.bodies.trust_center import ApprovalTerms
from portal.platform_api.errors import (
    Conflict,
    InvalidIdentifier,
    NotFound,
    PlatformError,
    Unavailable,
    UnexpectedAnswer,
    ValidationFailed,
)
from portal.tenants.models import Membership, Role

type Call = Callable[[TrustCenter], None]


class BeingDecided(Exception):
    """Somebody is deciding this request right now, or has and the platform has yet to confirm it."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(str(decision))
        self.decision = decision


class DecidedElsewhere(Exception):
    """The request was decided before, by somebody else; the mirror shows how."""


class OutcomeUnknown(Exception):
    """The platform may have done it, and cannot tell right now. It is looked at again; nothing is sent twice."""


class RequestGone(Exception):
    """The platform has no such request any more."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What an approval grants. Everything is said to the platform, nothing is left to its defaults (platform-api 4.5.2)."""

    access_level: str
    resource_ids: tuple[str, ...] = ()
    expires_at: datetime | None = None
    is_nda_required: bool = True


def approve(access_request: AccessRequest, *, member: Membership, terms: Terms) -> AccessRequest:
    """Grant a request. Raises BeingDecided, DecidedElsewhere, OutcomeUnknown, RequestGone, or why the platform refused."""
    resource_ids = [] if terms.access_level == FULL else list(terms.resource_ids)
    titles = resource_titles(resource_ids)

    said: ApprovalTerms = {"access_level": terms.access_level, "is_nda_required": terms.is_nda_required}
    if terms.access_level != FULL:
        said["resource_ids"] = resource_ids
    if terms.expires_at:
        said["expiration_date"] = terms.expires_at

    def call(center: TrustCenter) -> None:
        center.access_requests.approve(access_request.platform_id, **said)

    granted = {
        "access_level": terms.access_level,
        "resources": [titles[resource_id] for resource_id in resource_ids],
        "expires_at": terms.expires_at.isoformat() if terms.expires_at else None,
        "is_nda_required": terms.is_nda_required,
    }
    return _decide(access_request, member=member, verb=Verb.APPROVE, call=call, terms=granted)


def deny(access_request: AccessRequest, *, member: Membership, reason: str) -> AccessRequest:
    """Refuse a request; the platform tells the person, with the reason. Raises what `approve` raises."""

    def call(center: TrustCenter) -> None:
        center.access_requests.deny(access_request.platform_id, **({"reason": reason} if reason else {}))

    return _decide(access_request, member=member, verb=Verb.DENY, call=call, reason=reason)


def _decide(
    access_request: AccessRequest, *, member: Membership, verb: Verb, call: Call, terms: Any = None, reason: str = ""
) -> AccessRequest:
    if not member.may(Role.APPROVER):
        raise PermissionDenied
    center = trust_center(client_for(Urgency.PERSON))
    decision = _begin(access_request, member=member, verb=verb, terms=terms or {}, reason=reason)
    try:
        call(center)
    except (Unavailable, UnexpectedAnswer) as error:
        if isinstance(error, Unavailable) and not error.sent:
            _end(decision, DecisionState.FAILED, was_sent=False)
            raise
        _settle_silence(decision, center, error)
    except (NotFound, Conflict, ValidationFailed) as error:
        _settle_refusal(decision, center, error)
    except (PlatformError, NotConnected, InvalidIdentifier):
        _end(decision, DecisionState.FAILED, was_sent=False)
        raise
    else:
        _confirm(decision, center)
    return AccessRequest.objects.get(pk=access_request.pk)


@transaction.atomic
def _begin(access_request: AccessRequest, **decided: Any) -> Decision:
    """Claim the request: from here on nobody else can decide it. The row outlives this process."""
    row = AccessRequest.objects.select_for_update().get(pk=access_request.pk)
    if row.gone_at:
        raise RequestGone
    if not row.is_pending:
        raise DecidedElsewhere
    active = row.decisions.filter(state__in=ACTIVE).first()
    if active:
        raise BeingDecided(active)
    member: Membership = decided.pop("member")
    row.touched_at = timezone.now()
    row.save(update_fields=["touched_at"])
    changed(AREA)
    name = str(member.user)[:120]
    return Decision.objects.create(
        access_request=row, decided_by=member.user, decided_by_name=name, facts=facts_of(row), **decided
    )


def _confirm(decision: Decision, center: TrustCenter) -> None:
    """The platform has accepted. Read it back; if that fails, show what was accepted until the mirror knows better."""
    try:
        found = look(center, decision.access_request.platform_id)
    except PlatformError:
        found = None
    with transaction.atomic():
        settle(decision, DecisionState.DONE, was_sent=True)
        row = AccessRequest.objects.pending().filter(pk=decision.access_request_id)
        row.update(outcome=decision.expected_outcome, is_provisional=True, touched_at=timezone.now())
        if found:
            store_access_request(found)
    if found is None or found.is_open:
        look_again(decision.access_request)


def _settle_silence(decision: Decision, center: TrustCenter, error: PlatformError) -> None:
    """No usable answer: look. Returns when it was done after all."""
    try:
        found = look(center, decision.access_request.platform_id)
    except NotFound as gone:
        _gone(decision)
        raise RequestGone from gone
    except PlatformError:
        found = None
    if found is None or (found.is_open and error.status is None):
        # Without any answer the call may still be on its way: it counts as open until it can be no more.
        _end(decision, DecisionState.UNCONFIRMED, was_sent=True, found=found)
        look_again(decision.access_request)
        raise OutcomeUnknown from error
    if found.is_open:
        _end(decision, DecisionState.FAILED, was_sent=True, found=found)
        raise error
    if found.remote.outcome != decision.expected_outcome:
        _end(decision, DecisionState.ELSEWHERE, was_sent=True, found=found)
        raise DecidedElsewhere from error
    _end(decision, DecisionState.DONE, was_sent=True, found=found)


def _settle_refusal(decision: Decision, center: TrustCenter, error: PlatformError) -> None:
    """Refused for certain: either somebody was faster (platform-api U16) or the terms are not accepted. Always raises."""
    try:
        found = look(center, decision.access_request.platform_id)
    except NotFound as gone:
        _gone(decision)
        raise RequestGone from gone
    except PlatformError:
        _end(decision, DecisionState.FAILED, was_sent=False)
        look_again(decision.access_request)
        raise error from None
    if found.is_open:
        _end(decision, DecisionState.FAILED, was_sent=False, found=found)
        raise error
    _end(decision, DecisionState.ELSEWHERE, was_sent=False, found=found)
    raise DecidedElsewhere from error


@transaction.atomic
def _end(decision: Decision, state: DecisionState, *, was_sent: bool, found: FetchedRequest | None = None) -> None:
    settle(decision, state, was_sent=was_sent)
    if found:
        store_access_request(found)


@transaction.atomic
def _gone(decision: Decision) -> None:
    settle(decision, DecisionState.FAILED, was_sent=True)
    now = timezone.now()
    AccessRequest.objects.filter(pk=decision.access_request_id).update(gone_at=now, touched_at=now)
