"""How far a questionnaire of each status has come: the road that led there, its age, and what is answered by then."""

from dataclasses import dataclass
from random import Random

SPREADSHEET_STEPS = (
    "QUEUED_FOR_COLUMN_DETECTION", "DETECTING_COLUMNS", "WAITING_ON_COLUMN_SELECTION", "WAITING_ON_COLUMN_APPROVAL",
    "QUEUED_FOR_EXTRACTION", "EXTRACTING_QUESTIONS", "QUEUED_FOR_PROCESSING", "PROCESSING", "GENERATING_ANSWERS",
)  # fmt: skip
DOCUMENT_STEPS = (
    "QUEUED_FOR_EXTRACTION", "EXTRACTING_SECTIONS", "MAPPING_SECTIONS", "EXTRACTING_QUESTIONS",
    "QUEUED_FOR_PROCESSING", "PROCESSING", "GENERATING_ANSWERS",
)  # fmt: skip
PEOPLE_STEPS = {
    "IN_PROGRESS": ("IN_PROGRESS",),
    "WAITING_ON_ANSWERS": ("IN_PROGRESS", "WAITING_ON_ANSWERS"),
    "READY_FOR_REVIEW": ("IN_PROGRESS", "WAITING_ON_ANSWERS", "READY_FOR_REVIEW"),
    "IN_REVIEW": ("IN_PROGRESS", "READY_FOR_REVIEW", "IN_REVIEW"),
    "APPROVED": ("IN_PROGRESS", "READY_FOR_REVIEW", "IN_REVIEW", "APPROVED"),
    "COMPLETE": ("IN_PROGRESS", "READY_FOR_REVIEW", "IN_REVIEW", "APPROVED", "COMPLETE"),
    "ON_HOLD": ("IN_PROGRESS", "ON_HOLD"),
    "NO_LONGER_NEEDED": ("IN_PROGRESS", "NO_LONGER_NEEDED"),
}
"""What people do once the machine is done (platform-api 5.1)."""

FINISHED = frozenset({"APPROVED", "COMPLETE", "NO_LONGER_NEEDED"})

FIRST_STATUSES = (
    "IN_PROGRESS", "IN_REVIEW", "COMPLETE", "WAITING_ON_ANSWERS", "READY_FOR_REVIEW", "WAITING_ON_COLUMN_SELECTION",
    "APPROVED", "ON_HOLD", "COMPLETE", "ERROR", "IN_PROGRESS", "GENERATING_ANSWERS", "NO_LONGER_NEEDED", "IN_REVIEW",
    "QUEUED_FOR_COLUMN_DETECTION", "DETECTING_COLUMNS", "WAITING_ON_COLUMN_APPROVAL", "COMPLETE", "IN_PROGRESS",
    "QUEUED_FOR_EXTRACTION", "EXTRACTING_QUESTIONS", "EXTRACTING_SECTIONS", "MAPPING_SECTIONS", "READY_FOR_REVIEW",
    "QUEUED_FOR_PROCESSING", "PROCESSING", "WAITING_ON_ANSWERS", "COMPLETE", "IN_PROGRESS", "IN_REVIEW", "COMPLETE",
    "IN_PROGRESS", "WAITING_ON_ANSWERS", "COMPLETE", "READY_FOR_REVIEW", "APPROVED", "IN_PROGRESS", "COMPLETE",
    "IN_REVIEW", "WAITING_ON_ANSWERS", "ON_HOLD", "COMPLETE", "IN_PROGRESS", "READY_FOR_REVIEW", "COMPLETE",
    "IN_REVIEW", "WAITING_ON_ANSWERS", "COMPLETE", "IN_PROGRESS", "WAITING_ON_COLUMN_SELECTION", "COMPLETE",
    "NO_LONGER_NEEDED", "IN_REVIEW", "APPROVED", "WAITING_ON_ANSWERS", "IN_PROGRESS", "ERROR", "READY_FOR_REVIEW",
    "COMPLETE", "ON_HOLD",
)  # fmt: skip
"""A believable week of sixty. The first thirty hold every status of the specification's section 3.1."""

LATER_STATUSES = {
    "COMPLETE": 70, "NO_LONGER_NEEDED": 8, "IN_PROGRESS": 6, "APPROVED": 5, "IN_REVIEW": 4, "WAITING_ON_ANSWERS": 3,
    "READY_FOR_REVIEW": 2, "ON_HOLD": 2,
}  # fmt: skip
"""A tenant with thousands of questionnaires has mostly finished ones."""


@dataclass(frozen=True, kw_only=True)
class Progress:
    """Which share of the questions is there, still being generated, answered, and approved."""

    extracted: float = 1.0
    pending: float = 0.0
    answered: float = 0.0
    approved: float = 0.0


PROGRESS = {
    "EXTRACTING_QUESTIONS": Progress(extracted=0.15),
    "QUEUED_FOR_PROCESSING": Progress(),
    "PROCESSING": Progress(pending=1.0),
    "GENERATING_ANSWERS": Progress(pending=0.45, answered=0.55),
    "IN_PROGRESS": Progress(pending=0.03, answered=0.6, approved=0.2),
    "WAITING_ON_ANSWERS": Progress(answered=0.8, approved=0.35),
    "READY_FOR_REVIEW": Progress(answered=1.0, approved=0.3),
    "IN_REVIEW": Progress(answered=1.0, approved=0.65),
    "APPROVED": Progress(answered=1.0, approved=1.0),
    "COMPLETE": Progress(answered=1.0, approved=1.0),
    "ON_HOLD": Progress(answered=0.4, approved=0.1),
    "NO_LONGER_NEEDED": Progress(answered=0.1),
}
"""A status that is not named here has no questions yet."""

NOTHING_EXTRACTED = Progress(extracted=0.0)


def status_of(number: int, *, rng: Random) -> str:
    """Choose the status of the questionnaire with this number."""
    if number < len(FIRST_STATUSES):
        return FIRST_STATUSES[number]
    return rng.choices(list(LATER_STATUSES), weights=list(LATER_STATUSES.values()))[0]


def kind_of(status: str, *, rng: Random) -> str:
    """Choose a type the status can occur with: only spreadsheets have columns, only documents have sections."""
    if "COLUMN" in status:
        return "SPREADSHEET"
    if "SECTIONS" in status:
        return "DOCUMENT"
    if status in PEOPLE_STEPS:
        return rng.choices(["SPREADSHEET", "DOCUMENT", "WEBSITE"], weights=[65, 15, 20])[0]
    return rng.choices(["SPREADSHEET", "DOCUMENT"], weights=[80, 20])[0]


def machine_steps(status: str, *, kind: str) -> tuple[str, ...]:
    """List what the machine did, oldest first, up to the status if the machine is still at it."""
    steps = {"SPREADSHEET": SPREADSHEET_STEPS, "DOCUMENT": DOCUMENT_STEPS, "WEBSITE": ()}[kind]
    if status == "ERROR":
        return (*steps[:2], "ERROR")
    return steps[: steps.index(status) + 1] if status in steps else steps
