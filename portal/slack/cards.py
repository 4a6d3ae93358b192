"""What a message in Slack shows of an access request: who asks for what, how it stands, and what can be done about it."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from portal.access_requests.models import WINDOW, Decision, DecisionState, Verb
from portal.access_requests.selectors import Row
from portal.notifications.formats import slack_headline, slack_markup
from portal.slack.blocks import Block, button, context
from portal.tenants.models import Tenant
from portal.users.dates import stored

APPROVE, DENY, UNDO, CONFIRM = "approve", "deny", "undo", "confirm"
REJECT = "turn_down"
"""Messages in Slack that were posted before the word changed still send this one."""
GONE = "This access request is no longer in the portal."
MAX_REASON = 600


@dataclass(frozen=True)
class Card:
    """A message: what lock screens show, and its blocks."""

    text: str
    blocks: list[Block]


def card_of(row: Row, tenant: Tenant, *, title: str, url: str) -> Card:
    """Show a request with the buttons that help now. `title` and `url` are those of its notification."""
    blocks = [slack_headline(title, url, _facts(row))]
    if words := _state(row):
        blocks.append(context(words))
    if buttons := _buttons(row):
        blocks.append({"type": "actions", "elements": buttons})
    return Card(slack_markup(title), [*blocks, context(str(tenant))])


def gone_card(tenant: Tenant) -> Card:
    """Show nothing of a request that was erased."""
    return Card(GONE, [context(GONE), context(str(tenant))])


def _facts(row: Row) -> str:
    request = row.request
    reason = request.reason.strip()
    lines = [
        " · ".join(filter(None, (request.company, request.email))),
        f"Requested: {row.asks}",
        f"Reason: {reason[:MAX_REASON]}{'…' if len(reason) > MAX_REASON else ''}" if reason else "",
        " · ".join(words for words, _, _ in row.knowledge.marks),
    ]
    return "\n".join(filter(None, lines))


def _state(row: Row) -> str:
    """Say how it stands, and who has brought it there."""
    decision = row.decision
    if row.request.gone_at or decision is None:
        return f"{row.failure.title}. {row.failure.description}" if row.failure else "" if row.is_undecided else row.state[0]
    what = f"{decision.get_verb_display()} by {decision.decided_by_name}"
    terms = _terms(decision)
    match decision.state:
        case DecisionState.AWAITING_SECOND:
            return f"{what}: {terms}. Waiting for second approval."
        case DecisionState.SCHEDULED:
            return f"{what}: {terms}. Sending within {WINDOW.seconds} seconds unless someone undoes it."
        case DecisionState.DONE:
            return f"{what}{f', confirmed by {decision.second_by_name}' if decision.second_by_name else ''}: {terms}."
    return f"{row.state[0]}. {what}: {terms}."


def _terms(decision: Decision) -> str:
    if decision.verb == Verb.DENY:
        return decision.reason or "no reason given"
    documents = ", ".join(decision.terms.get("resources", ()))
    ends = f"until {_day(decision.expires_at)}" if decision.expires_at else "no end date"
    nda = "NDA first" if decision.terms.get("is_nda_required") else "no NDA"
    return "; ".join((documents or decision.level_label, ends, nda))


def _day(moment: datetime) -> str:
    return stored(timezone.localdate(moment))


def _buttons(row: Row) -> list[Block]:
    if row.scheduled:
        return [button(UNDO, "Undo", row.scheduled.pk)]
    if row.asked:
        return [
            button(CONFIRM, "Approve", row.asked.pk, "primary"),
            button(REJECT, "Reject…", row.asked.pk, "danger"),
            button(UNDO, "Withdraw", row.asked.pk),
        ]
    if row.is_undecided:
        return [button(APPROVE, "Approve…", row.request.pk, "primary"), button(DENY, "Deny…", row.request.pk, "danger")]
    return []
