"""Where a questionnaire stands, in words for the one who sent it. They say nothing of people, answers or machines here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from portal.questionnaires.models import Questionnaire

STEPS: Final = ("Received", "Being answered", "In review", "Ready for you")


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
    "new": PublicStatus("We have it, and prepare its questions.", 0),
    "processing": PublicStatus("We have it, and prepare its questions.", 0),
    "needs-input": PublicStatus("It waits for us: we write the answers that are missing.", 1),
    "in-progress": PublicStatus("It waits for us: we write the answers.", 1),
    "in-review": PublicStatus("It waits for a second pair of eyes on our side.", 2),
    "approved": PublicStatus("The answers are approved. You get them from us shortly.", 3, "good"),
    "done": PublicStatus("It is complete, and you have our answers.", 4, "good"),
    "on-hold": PublicStatus("It is paused. Ask your contact what it waits for.", 1, "warn"),
    "refused": PublicStatus("It will not be answered. Ask your contact if this surprises you.", 0, "warn"),
    "error": PublicStatus("Something in the file keeps us from answering it. We look into it.", 0, "warn"),
}
ON_THE_WAY: Final = PublicStatus("We work on it.", 1)
"""For statuses that the platform adds without notice."""


def status_for_requester(questionnaire: Questionnaire) -> PublicStatus:
    return PUBLIC_STATUSES.get(questionnaire.stage.key, ON_THE_WAY)
