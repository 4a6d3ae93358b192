"""Why a change at this desk did not work out, in words for the person who made it."""

from portal.connections.error_messages import Refusal, refusal_of
from portal.connections.services import NotConnected
from portal.engagements.errors import AlreadyDecided, AlreadyThere, AssessedMeanwhile, Gone, NoFile, NotTheAuthor
from portal.lib.sealed import Locked
from portal.platform_api import errors
from portal.platform_writes.outcomes import OutcomeUnknown

AREA_WORDS = "audits"
REFUSALS = (
    errors.PlatformError,
    errors.InvalidIdentifier,
    NotConnected,
    Locked,
    OutcomeUnknown,
    AlreadyDecided,
    AlreadyThere,
    AssessedMeanwhile,
    Gone,
    NoFile,
    NotTheAuthor,
)
AS_WHOM = (
    "It was sent as {email}. The platform accepts that only from the address of an auditor of "
    "your firm who may work in this audit. If yours isn't one, ask an admin of the firm to add it on the platform."
)


def refusal_for(error: Exception, *, slug: str, email: str = "") -> Refusal:
    """Say what happened and what to do now. `email` is the address in whose name it was sent."""
    match error:
        case Gone():
            return Refusal("The platform doesn't have this anymore", "It was deleted there. Nothing was changed.")
        case AlreadyDecided():
            return Refusal("Its status has changed", "Nothing was sent. The page shows the current status.", tone="warn")
        case AlreadyThere():
            text = "Nothing was added. If this is a different one, give it a different name or number."
            return Refusal("Already on the platform", text, tone="warn")
        case AssessedMeanwhile():
            now = f"{error.label}, “{error.justification}”" if error.justification else error.label
            text = f"Nothing was sent. It now says: {now}. What you typed is still here; saving again replaces that."
            return Refusal("The assessment has changed", text, tone="warn")
        case NotTheAuthor():
            return Refusal("This isn't your comment", "Only its author can change or delete it.", tone="warn")
        case NoFile():
            return Refusal("There is no file to download", "The platform provides no address for it.", tone="warn")
    refusal = refusal_of(error, slug=slug, area=AREA_WORDS)
    if isinstance(error, errors.ValidationFailed) and email:
        text = f"{refusal.text} {AS_WHOM.format(email=email)}"
        return Refusal(refusal.title, text, refusal.tone, refusal.url, refusal.link)
    return refusal
