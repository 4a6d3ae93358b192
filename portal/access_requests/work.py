"""The requests that wait for a person, as work: deciding them, and giving the second approval."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from django.db.models import CharField, Exists, ExpressionWrapper, F, OuterRef, Q, Value
from django.db.models.functions import Concat
from django.urls import reverse

from portal.access_requests.bulk_summary import is_plain
from portal.access_requests.deadlines import deadlines
from portal.access_requests.expiry import DEFAULT_PRESET, end_of_preset
from portal.access_requests.forms import REASONS
from portal.access_requests.models import (
    FAILURES,
    FULL,
    PARTIAL,
    AccessRequest,
    Decision,
    DecisionState,
    DeskSettings,
    ListedDomain,
    ListKind,
    Verb,
    latest_decisions,
)
from portal.access_requests.refusals import REFUSALS, error_message
from portal.access_requests.services.bulk import terms_as_asked
from portal.access_requests.services.scheduling import schedule_decision
from portal.access_requests.services.second_approval import confirm
from portal.access_requests.services.terms import Terms
from portal.access_requests.services.viewer_runs import VIEWERS
from portal.calendars.models import Holiday, OfficeHours
from portal.lib.counted import counted
from portal.platform_writes.failed_runs import register_failed_runs
from portal.tenants.models import Membership, Role
from portal.trust_center.models import Resource
from portal.work_items.kinds import EVERY, Action, Item, Key, Kind, Searched, Source, register_kind

NAME = "access_request"


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of those requests that wait for a person."""
    rows = AccessRequest.objects.waiting().filter(pk__in=list(ids)).defer("payload", "search")
    found: list[Any] = list(rows.annotate(is_blocked=_is_blocked()))
    decisions = Decision.objects.filter(access_request__in=[request.pk for request in found]).order_by("id")
    last = latest_decisions(each for each in decisions.defer("facts") if not each.was_too_late)
    due_of = deadlines({request.tenant_id for request in found})
    objections = _objections(found)
    items = {}
    for request in found:
        decision = last.get(request.pk)
        asked = decision if decision and decision.state == DecisionState.AWAITING_SECOND else None
        items[request.pk] = Item(
            title=str(request),
            to_do=_to_do(request, decision, objections.get(request.pk, "")),
            to_wait_for="Waiting for second approval" if asked else "",
            url=partial(_url, request.platform_id),
            customer=request.company or request.domain,
            due_at=due_of(request),
            asked_by_id=asked.decided_by_id if asked else None,
            role=Role.APPROVER,
            actions=("confirm",) if asked else ("deny",) if request.pk in objections else ("approve", "deny"),
        )
    return items


def _is_blocked() -> Exists:
    """Say whether the domain of a request, or one above it, is blocked in its tenant."""
    marks = ListedDomain.objects.filter(tenant=OuterRef("tenant"), kind=ListKind.BLOCKED)
    asking = ExpressionWrapper(OuterRef("domain"), output_field=CharField())
    above = Q(asking=F("domain")) | Q(asking__endswith=Concat(Value("."), F("domain")))
    return Exists(marks.alias(asking=asking).filter(above))


def _objections(requests: Sequence[Any]) -> dict[int, str]:
    """Say of requests why they are not approved with one key; those that can be granted exactly as asked for are left out."""
    unknown = _asking_for_unknown(requests)
    found = {}
    for request in requests:
        if request.is_blocked:
            found[request.pk] = "Open it: its domain is blocked"
        elif not is_plain(request):
            found[request.pk] = "Choose documents, or deny"
        elif request.pk in unknown:
            found[request.pk] = "Open it: it asks for a document we don't recognize"
    return found


def _asking_for_unknown(requests: Sequence[AccessRequest]) -> set[int]:
    partly = [request for request in requests if request.access_level == PARTIAL]
    asked = {(request.pk, request.tenant_id, each) for request in partly for each in request.requested_resources or ()}
    rows = Resource.objects.present().filter(platform_id__in={each for _, _, each in asked})
    known = set(rows.filter(tenant__in={tenant_id for _, tenant_id, _ in asked}).values_list("tenant_id", "platform_id"))
    return {pk for pk, tenant_id, each in asked if (tenant_id, each) not in known}


def _to_do(request: AccessRequest, decision: Decision | None, objection: str) -> str:
    if decision and decision.state == DecisionState.AWAITING_SECOND:
        return f"Give the second approval, first approved by {decision.decided_by_name}"
    if objection:
        return objection
    if decision and decision.state in FAILURES:
        return "Decide again: the last decision didn't go through"
    documents = counted(len(request.requested_resources or ()), "document")
    return f"Approve or deny {'full access' if request.access_level == FULL else documents}"


def _url(platform_id: str, slug: str) -> str:
    return reverse("access_requests:detail", args=[slug, platform_id])


def _url_of_run(run_id: int, slug: str) -> str:
    return reverse("access_requests:viewer_run", args=[slug, run_id])


def _approve(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    """Approve a request as it was asked for, with the expiry and the NDA that the form begins with."""
    request = AccessRequest.objects.get(pk=object_id)
    terms = terms_as_asked(request, Terms(access_level=FULL, expires_at=end_of_preset(DEFAULT_PRESET)))
    decision = schedule_decision(request, verb=Verb.APPROVE, terms=terms, member=member)
    if decision.state == DecisionState.AWAITING_SECOND:
        return f"Second approval needed: {request}"
    return f"Approving in {decision.seconds_left} s: {request}"


def _deny(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    """Deny a request with one of the reasons that the form offers; the person is told it."""
    reason = choice.get("value", "")
    if reason not in REASONS:
        raise NoReason
    request = AccessRequest.objects.get(pk=object_id)
    decision = schedule_decision(request, verb=Verb.DENY, reason=reason, member=member)
    return f"Denying in {decision.seconds_left} s: {request}"


def _confirm(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    decision = Decision.objects.get(access_request=object_id, state=DecisionState.AWAITING_SECOND)
    confirmed = confirm(decision, member=member)
    return f"Approving in {confirmed.seconds_left} s: {confirmed.access_request}"


class NoReason(Exception):
    """Nobody is denied without being told why."""


def _error_message(error: Exception, slug: str) -> str:
    if isinstance(error, NoReason):
        return "Choose a reason. It's sent to the person."
    return "Someone else was faster." if isinstance(error, Decision.DoesNotExist) else error_message(error, slug=slug)


def register() -> None:
    register_failed_runs(VIEWERS, desk="Access requests", url=_url_of_run)
    register_kind(
        Kind(
            name=NAME,
            label="Access request",
            icon="key-round",
            desk="Access requests",
            sources=(
                Source(model=AccessRequest, columns=("outcome", "gone_at", "created_at")),
                Source(model=Decision, columns=("state",), key="access_request"),
                Source(model=DeskSettings, columns=("deadline_hours",), key=EVERY),
                Source(model=OfficeHours, columns=("zone", "week"), key=EVERY),
                Source(model=Holiday, columns=("day",), key=EVERY),
            ),
            build=build,
            searched=Searched(AccessRequest),
            objects=lambda: AccessRequest.objects.waiting(),
            actions={
                "approve": Action(label="Approve", key=Key.ACCEPT, role=Role.APPROVER, run=_approve),
                "deny": Action(
                    label="Deny",
                    key=Key.CLOSE,
                    role=Role.APPROVER,
                    run=_deny,
                    options=lambda: [(reason, reason) for reason in REASONS],
                    asks="Deny with reason",
                ),
                "confirm": Action(label="Approve", key=Key.ACCEPT, role=Role.APPROVER, run=_confirm, is_for_others=True),
            },
            refusals=(*REFUSALS, Decision.DoesNotExist, NoReason),
            error_message=_error_message,
        )
    )
