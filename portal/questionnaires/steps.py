"""Which step of a questionnaire comes next, so that its pages have one main button and never offer the last step first."""

from collections.abc import Mapping
from enum import StrEnum


class Step(StrEnum):
    """A step that a person takes with a whole questionnaire."""

    HAND_OVER = "hand-over"
    REVIEW = "review"
    APPROVE = "approve"
    COMPLETE = "complete"


def main_step(allowed: Mapping[Step, bool], *, is_open: bool, unreviewed: int) -> Step | None:
    """Return the step that comes next for this person, None where it is somebody else's or no button of this page.

    `is_open` says that answers are unreviewed, returned or missing: approving is still possible then, but not what comes next.
    """
    if allowed[Step.HAND_OVER]:
        return Step.HAND_OVER
    if allowed[Step.APPROVE]:
        if unreviewed:
            return Step.REVIEW
        return None if is_open else Step.APPROVE
    return Step.COMPLETE if allowed[Step.COMPLETE] else None
