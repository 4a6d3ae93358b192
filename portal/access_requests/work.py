"""The requests that wait for a person, as work: deciding them, and giving the second approval."""

from collections.abc import Iterable, Mapping
from functools import partial

from django.urls import reverse

from portal.access_requests.deadlines import deadlines
from portal.access_requests.expiry import DEFAULT_PRESET, end_of_preset
from portal.access_requests.forms import REASONS
from portal.access_requests.models import FULL, PARTIAL, AccessRequest, Decision, DecisionState, DeskSettings, Verb
from portal.access_requests.refusals import REFUSALS, error_message
from portal.access_requests.services.bulk import terms_as_asked
from portal.access_requests.services.scheduling import schedule_decision
from portal.access_requests.services.second_approval import confirm
from portal.access_requests.services.terms import Terms
from portal.access_requests.services.viewer_working import VIEWERS
from portal.calendars.models import Holiday, OfficeHours
from portal.platform_writes.failed_runs import register_failed_runs
from portal.tenants.models import Membership, Role
from portal.work_items.kinds import EVERY, Action, Item, Key, Kind, Searched, Source, register_kind

NAME = "access_request"


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of those requests that wait for a person."""
    found = list(AccessRequest.objects.waiting().filter(pk__in=list(ids)).defer("payload", "search"))
    decisions = Decision.objects.filter(access_request__in=[request.pk for request in found]).order_by("id")
    last = {decision.access_request_id: decision for decision in decisions.defer("facts")}
    due_of = deadlines({request.tenant_id for request in found})
    items = {}
    for request in found:
        decision = last.get(request.pk)
        asked = decision if decision and decision.state == DecisionState.AWAITING_SECOND else None
        items[request.pk] = Item(
            title=str(request),
            to_do=_to_do(request, decision),
            url=partial(_url, request.platform_id),
            customer=request.company or request.domain,
            due_at=due_of(request),
            asked_by_id=asked.decided_by_id if asked else None,
            role=Role.APPROVER,
            actions=("confirm",) if asked else ("approve", "deny") if _is_plain(request) else ("deny",),
        )
    return items


def _to_do(request: AccessRequest, decision: Decision | None) -> str:
    if decision and decision.state == DecisionState.AWAITING_SECOND:
        return f"Give the second approval, asked by {decision.decided_by_name}"
    if decision and decision.state == DecisionState.FAILED:
        return "Decide again: the last decision was not made"
    number = len(request.requested_resources or ())
    what = "full access" if request.access_level == FULL else f"{number} document{'' if number == 1 else 's'}"
    return f"Approve or deny {what}"


def _is_plain(request: AccessRequest) -> bool:
    """Say whether it can be granted exactly as it was asked for."""
    return request.access_level == FULL or (request.access_level == PARTIAL and bool(request.requested_resources))


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
        return f"A second person has to confirm: {request}"
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
        return "Choose a reason: the person is told."
    return "Somebody was faster." if isinstance(error, Decision.DoesNotExist) else error_message(error, slug=slug)


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
                    asks="Deny, saying",
                ),
                "confirm": Action(label="Approve", key=Key.ACCEPT, role=Role.APPROVER, run=_confirm),
            },
            refusals=(*REFUSALS, Decision.DoesNotExist, NoReason),
            error_message=_error_message,
        )
    )
