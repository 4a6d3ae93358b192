"""Why a decision did not work out, in words for the person who made it."""

from portal.access_requests.models import Decision, DecisionState
from portal.access_requests.services.failures import BeingDecided, DecidedElsewhere, RequestGone, SamePerson, TooLate
from portal.connections.error_messages import Refusal, refusal_of
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
NOTHING_DECIDED = "Nothing was decided: the request is still open."


def refusal_for(error: Exception, *, slug: str) -> Refusal:
    """Say what happened and what to do now."""
    match error:
        case BeingDecided():
            return explain_being_decided(error.decision)
        case DecidedElsewhere():
            text = "Somebody was faster, here or on the platform. Yours did not count; what counts is shown below."
            return Refusal("This request had been decided already", text, tone="warn")
        case RequestGone():
            return Refusal("The platform has no such request any more", "It was deleted there. Nothing was decided.")
        case SamePerson():
            return Refusal(
                "Somebody else has to confirm it", "You have asked for it: a second person confirms or turns it down."
            )
        case TooLate():
            return explain_too_late(error.decision)
        case errors.PlatformError() | errors.InvalidIdentifier() | NotConnected() | NoTrustCenter():
            return refusal_of(error, slug=slug, area="the Trust Center", nothing=NOTHING_DECIDED)
    raise error


def explain_being_decided(decision: Decision) -> Refusal:
    has_decided = f"{decision.decided_by_name} has {decision.get_verb_display().lower()} it"
    match decision.state:
        case DecisionState.SCHEDULED:
            text = f"{has_decided}. It is sent in {decision.seconds_left} s unless somebody undoes it. Yours was not saved."
        case DecisionState.AWAITING_SECOND:
            text = f"{has_decided} and asks for a second person: confirm it, or turn it down first."
        case _:
            text = f"{decision.decided_by_name} has sent a decision, and the platform has yet to confirm it. Yours was not."
    return Refusal("Somebody is deciding this request right now", text, tone="warn")


def explain_too_late(decision: Decision) -> Refusal:
    if decision.state == DecisionState.UNDONE:
        return Refusal("It was undone already", f"{decision.undone_by_name} was faster. Nothing was sent.", tone="info")
    if decision.is_waiting:
        return Refusal("It does not wait for you", "Nothing was changed; what counts is shown below.", tone="warn")
    return Refusal(
        "It is too late for that", "The decision was sent already, or has ended. What counts is shown below.", tone="warn"
    )


def error_message(error: Exception, *, slug: str) -> str:
    """The same in one line, for a row that shows why it was not made."""
    refusal = refusal_for(error, slug=slug)
    return f"{refusal.title}. {refusal.text}"[:300]
