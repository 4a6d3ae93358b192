"""How far the platform is with a questionnaire that was handed in, in the steps that people know of (platform-api 5.1)."""

from dataclasses import dataclass
from typing import Final

from portal.questionnaires.models import Questionnaire

YOUR_MOVE: Final = frozenset({"WAITING_ON_COLUMN_SELECTION", "WAITING_ON_COLUMN_APPROVAL"})
"""There is no call for these: a person has to take the step on the platform itself."""


@dataclass(frozen=True)
class Step:
    """A step of the platform's work, as `components/steps.html` draws it."""

    state: str
    title: str
    detail: str = ""


QUEUED: Final = ("Submitted", ("QUEUED_FOR_COLUMN_DETECTION",))
COLUMNS: Final = (
    ("Finding the columns", ("DETECTING_COLUMNS",)),
    ("Choosing the columns", ("WAITING_ON_COLUMN_SELECTION", "WAITING_ON_COLUMN_APPROVAL")),
)
READING: Final = (
    (
        "Extracting questions",
        (
            "QUEUED_FOR_SECTION_EXTRACTION",
            "EXTRACTING_SECTIONS",
            "MAPPING_SECTIONS",
            "QUEUED_FOR_EXTRACTION",
            "EXTRACTING_QUESTIONS",
        ),
    ),
    ("Writing answers", ("QUEUED_FOR_PROCESSING", "PROCESSING", "QUEUED_FOR_ANSWERING", "GENERATING_ANSWERS")),
)
READY: Final = "Ready for you"
DETAILS: Final = {
    "QUEUED_FOR_COLUMN_DETECTION": "Queued.",
    "DETECTING_COLUMNS": "The platform is finding the columns with questions and answers.",
    "WAITING_ON_COLUMN_SELECTION": "Your turn on the platform.",
    "WAITING_ON_COLUMN_APPROVAL": "Your turn on the platform.",
    "QUEUED_FOR_SECTION_EXTRACTION": "Queued.",
    "EXTRACTING_SECTIONS": "The platform is finding the sections.",
    "MAPPING_SECTIONS": "The platform is putting the sections in order.",
    "QUEUED_FOR_EXTRACTION": "Queued.",
    "EXTRACTING_QUESTIONS": "The platform is reading the questions.",
    "QUEUED_FOR_PROCESSING": "Queued.",
    "PROCESSING": "The platform is preparing the answers.",
    "QUEUED_FOR_ANSWERING": "Queued.",
    "GENERATING_ANSWERS": "The platform is writing the answers.",
}


def processing_steps(questionnaire: Questionnaire) -> list[Step]:
    """Return the steps while the platform is at work or waits for a person; nothing before and after."""
    status = questionnaire.status
    # Only a spreadsheet has columns; a status says more than a type that the platform may call otherwise.
    has_columns = questionnaire.kind != "DOCUMENT" or any(status in statuses for _, statuses in COLUMNS)
    stages = (QUEUED, *(COLUMNS if has_columns else ()), *READING)
    here = next((place for place, (_, statuses) in enumerate(stages) if status in statuses), None)
    if here is None:
        return []
    steps = [
        Step(_state(place, here), title, DETAILS[status] if place == here else "") for place, (title, _) in enumerate(stages)
    ]
    return [*steps, Step("todo", READY)]


def is_your_move(questionnaire: Questionnaire) -> bool:
    return questionnaire.status in YOUR_MOVE


def failure_words(questionnaire: Questionnaire) -> str:
    """What the platform said when it gave the questionnaire up; nothing when it said nothing."""
    if questionnaire.status != "ERROR":
        return ""
    return next((entry.message for entry in questionnaire.remote.status_log if entry.status == "ERROR" and entry.message), "")


def _state(place: int, here: int) -> str:
    return "done" if place < here else "now" if place == here else "todo"
