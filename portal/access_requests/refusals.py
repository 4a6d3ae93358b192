"""Why a decision did not work out, in words for the person who made it."""

from portal.access_requests.models import Decision, DecisionState
from portal.access_requests.services.failures import BeingDecided, DecidedElsewhere, RequestGone, SamePerson, TooLate
from portal.connections.error_messages import Refusal, refusal_of, when_to_retry
from portal.connections.services import NotConnected, NoTrustCenter
from portal.platform_api import errors

REFUSALS = (
    errors.PlatformError,
    errors.InvalidIdentifier,
    NotConnected,
    NoTrustCenter,
    BeingDecided,
    DecidedElsewhere,
    RequestGone,
    SamePerson,
    TooLate,
)


__all__ = ["REFUSALS", "Refusal", "error_message", "refusal_for"]
NOTHING_DECIDED = "Nothing was decided. The request is still open."


def refusal_for(error: Exception, *, slug: str) -> Refusal:
    """Say what happened and what to do now."""
    match error:
        case BeingDecided():
            return explain_being_decided(error.decision)
        case DecidedElsewhere():
            text = "Someone decided it first, here or on the platform. Your decision wasn't used."
            return Refusal("This request was already decided", text, tone="warn")
        case RequestGone():
            return Refusal("This request is no longer on the platform", "It was deleted there. Nothing was decided.")
        case SamePerson():
            return Refusal(
                "Someone else has to confirm it", "You approved it first, and you can't give the second approval as well."
            )
        case TooLate():
            return explain_too_late(error.decision)
        case errors.PlatformError() | errors.InvalidIdentifier() | NotConnected() | NoTrustCenter():
            return refusal_of(error, slug=slug, area="the Trust Center", nothing=NOTHING_DECIDED)
    raise error


def explain_being_decided(decision: Decision) -> Refusal:
    has_decided = f"{decision.decided_by_name} {decision.get_verb_display().lower()} it"
    match decision.state:
        case DecisionState.SCHEDULED:
            text = (
                f"{has_decided}. It'll be sent in {decision.seconds_left} s unless someone undoes it. "
                "Your decision wasn't saved."
            )
        case DecisionState.AWAITING_SECOND:
            text = f"{has_decided}, and it's waiting for second approval. Confirm it, or reject it first."
        case _:
            text = f"{decision.decided_by_name} sent a decision, but the platform hasn't confirmed it yet. Yours wasn't sent."
    return Refusal("Someone is deciding this request right now", text, tone="warn")


def explain_too_late(decision: Decision) -> Refusal:
    match decision.state:
        case DecisionState.UNDONE:
            return Refusal("Already undone", f"{decision.undone_by_name} undid it first. Nothing was sent.", tone="info")
        case DecisionState.AWAITING_SECOND:
            title = f"Only {decision.decided_by_name} can withdraw this approval"
            return Refusal(title, "Confirm it or reject it.", tone="warn")
        case DecisionState.SCHEDULED:
            text = f"{decision.second_by_name or 'Someone'} confirmed it first. Nothing was changed."
            return Refusal("Already confirmed", text, tone="warn")
    return Refusal("It's too late for that", "The decision was already sent or has ended.", tone="warn")


def error_message(error: Exception, *, slug: str) -> str:
    """The same in one line, for a row that shows why it was not made: true whenever that is read."""
    if isinstance(error, BeingDecided):
        decision = error.decision
        return f"{decision.decided_by_name} already {decision.get_verb_display().lower()} it. Your decision wasn't saved."
    refusal = refusal_for(error, slug=slug)
    return f"{refusal.title}. {refusal.text}".removesuffix(when_to_retry(error)).rstrip()[:300]
