"""Why a write did not work out, in words for the person who made it."""

from portal.connections.error_messages import Refusal, refusal_of
from portal.connections.services import NotConnected
from portal.platform_api import errors
from portal.platform_writes.outcomes import OutcomeUnknown
from portal.questionnaires.services.answers import ResponseGone
from portal.questionnaires.services.decisions import NotAllowed, QuestionnaireGone

REFUSALS = (errors.PlatformError, NotConnected, NotAllowed, OutcomeUnknown, QuestionnaireGone, ResponseGone)


__all__ = ["REFUSALS", "Refusal", "refusal_for"]


def refusal_for(error: Exception, *, slug: str) -> Refusal:
    """Say what happened and what to do now."""
    match error:
        case QuestionnaireGone():
            return Refusal(
                "The platform says it has no such questionnaire",
                "Nothing was changed. We check again in two minutes; if it is still missing then, it counts as deleted.",
            )
        case ResponseGone():
            return Refusal(
                "The platform says it has no such question",
                "Nothing was changed, and we check again.",
            )
        case NotAllowed():
            return Refusal("This isn't possible right now", str(error), tone="warn")
        case errors.PlatformError() | NotConnected() | OutcomeUnknown():
            return refusal_of(error, slug=slug, area="questionnaires")
    raise error
