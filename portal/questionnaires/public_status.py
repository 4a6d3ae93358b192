"""Where a questionnaire stands, in words for the one who sent it. They say nothing of people, answers or machines here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from portal.questionnaires.models import Questionnaire

STEPS: Final = ("Received", "Being answered", "In review", "Complete")


@dataclass(frozen=True)
class PublicStatus:
    """What the requester reads: what it waits for, and how many of the steps are behind."""

    text: str
    done: int
    tone: str = "info"

    @property
    def steps(self) -> list[dict[str, str]]:
        states = ["done"] * self.done + ["now"] + ["todo"] * len(STEPS)
        return [{"title": title, "state": state} for title, state in zip(STEPS, states, strict=False)]


PUBLIC_STATUSES: Final[Mapping[str, PublicStatus]] = {
    "new": PublicStatus("We've received it and are preparing the questions.", 0),
    "processing": PublicStatus("We've received it and are preparing the questions.", 0),
    "needs-input": PublicStatus("We're writing the answers that are missing.", 1),
    "in-progress": PublicStatus("We're writing the answers.", 1),
    "in-review": PublicStatus("The answers are in review on our side.", 2),
    "approved": PublicStatus("The answers are approved. We'll send them to you shortly.", 3, "good"),
    "done": PublicStatus("It's complete. You have our answers.", 4, "good"),
    "on-hold": PublicStatus("It's paused. Ask your contact why.", 1, "warn"),
    "refused": PublicStatus("It won't be answered. If you didn't expect this, ask your contact.", 0, "warn"),
    "error": PublicStatus("Something in the file keeps us from answering it. We're looking into it.", 0, "warn"),
}
ON_THE_WAY: Final = PublicStatus("We're working on it.", 1)
"""For statuses that the platform adds without notice."""


def status_for_requester(questionnaire: Questionnaire) -> PublicStatus:
    return PUBLIC_STATUSES.get(questionnaire.stage.key, ON_THE_WAY)
