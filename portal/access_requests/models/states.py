"""What can become of a decision, and how long each part of that may take."""

from datetime import timedelta

from django.db import models

WINDOW = timedelta(seconds=30)
"""How long a decision waits before it is sent, so that it can be undone (guarantee W3)."""
ANSWER_TIME = timedelta(seconds=60)
"""Longer than a call and the look that follows it: a call without an answer is no longer on its way after this."""
LEASE = timedelta(seconds=150)
"""How long a worker owns a decision; longer than the longest task (120 s), so that a live one is never robbed."""
MAX_TRIES = 5
"""Calls that could not leave are tried again so often; then a person decides."""


class Verb(models.TextChoices):
    """What can be decided."""

    APPROVE = "approve", "Approved"
    DENY = "deny", "Denied"


class DecisionState(models.TextChoices):
    """asked -> scheduled | rejected | undone; scheduled -> sending | undone, and back when the platform asks for a pause.

    sending -> done | elsewhere | failed | unconfirmed; unconfirmed -> done | elsewhere | failed, by verifying. What is asked or
    scheduled ends as elsewhere, without a call, when the platform has the request decided. When the request is gone, what is
    asked or scheduled ends as failed, and what is unconfirmed as never confirmed.
    """

    AWAITING_SECOND = "asked", "Waiting for second approval"
    SCHEDULED = "held", "Scheduled"
    UNDONE = "undone", "Undone"
    REJECTED = "declined", "Rejected"
    SENDING = "sending", "Being sent"
    UNCONFIRMED = "unconfirmed", "Not confirmed yet"
    DONE = "done", "Decided"
    ELSEWHERE = "elsewhere", "Decided elsewhere"
    FAILED = "failed", "Not decided"
    NEVER_CONFIRMED = "lost", "Not confirmed"


WAITING = (DecisionState.AWAITING_SECOND, DecisionState.SCHEDULED)
"""Nothing has been sent yet."""
OPEN = (DecisionState.SENDING, DecisionState.UNCONFIRMED)
FAILURES = (DecisionState.FAILED, DecisionState.NEVER_CONFIRMED)
"""It did not come to the decision, as far as anybody knows."""
ACTIVE = (*WAITING, *OPEN, DecisionState.DONE)
"""A request has one of these at most."""
