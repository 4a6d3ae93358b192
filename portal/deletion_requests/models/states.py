from django.db import models


class State(models.TextChoices):
    """received -> sending -> confirmed -> erased, the good way.

    received: taken in; nobody has decided to send it. sending -> waiting: it did not reach the platform. sending -> uncertain:
    it may have. sending -> refused: the platform said no, or whoever sent it has lost the role. All three can be sent again; an
    uncertain one stays uncertain until the platform has answered. A person closes what was only received, is refused or still
    waits.
    """

    RECEIVED = "received", "Received"
    SENDING = "sending", "Being sent"
    WAITING = "waiting", "Waiting to be sent"
    UNCERTAIN = "uncertain", "Uncertain, being checked"
    CONFIRMED = "confirmed", "Confirmed, being erased here"
    ERASED = "erased", "Erased"
    REFUSED = "refused", "Refused"
    CLOSED = "closed", "Closed without erasure"


class Identity(models.TextChoices):
    """Whether the person who asks was found to be the one whose address it is."""

    UNCHECKED = "unchecked", "Not checked yet"
    CONFIRMED = "confirmed", "Confirmed"
    FAILED = "failed", "Not confirmed"


class Intake(models.TextChoices):
    """The way a request came in."""

    FORM = "form", "Entered by hand"
    FILE = "file", "From a file"
    LINK = "link", "Public link"


TONES = {
    State.RECEIVED.value: "accent",
    State.SENDING.value: "info",
    State.WAITING.value: "info",
    State.UNCERTAIN.value: "warn",
    State.CONFIRMED.value: "info",
    State.ERASED.value: "good",
    State.REFUSED.value: "bad",
    State.CLOSED.value: "muted",
}
IDENTITY_TONES = {Identity.UNCHECKED.value: "warn", Identity.CONFIRMED.value: "good", Identity.FAILED.value: "bad"}
OVER = (State.ERASED.value, State.CLOSED.value)
OPEN = tuple(state for state in State.values if state not in OVER)
SENDABLE = tuple(state for state in OPEN if state != State.RECEIVED)
"""What may go to the platform: an approver has said so."""
PURSUED = tuple(state for state in SENDABLE if state != State.REFUSED)
"""What the sweep goes on with. A refusal waits for a person."""
REPEATABLE = (State.WAITING.value, State.UNCERTAIN.value, State.REFUSED.value)
CLOSABLE = (State.RECEIVED.value, State.WAITING.value, State.REFUSED.value)
"""An uncertain one cannot be closed: nobody knows yet what there is to close."""
NEEDS_ATTENTION = (State.UNCERTAIN.value, State.REFUSED.value)
