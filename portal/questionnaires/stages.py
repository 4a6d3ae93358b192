"""The platform's statuses folded into the stages of a desk. Statuses are an open set: an unknown one is shown as it came."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Stage:
    """Where a questionnaire stands, in the words of the people who work on it."""

    key: str
    label: str
    tone: str
    statuses: tuple[str, ...]
    is_open: bool = True


REVIEWED: Final = "in-review"
"""The stage in which a questionnaire is the approver's."""
STAGES: Final = (
    Stage("new", "New", "info", ("QUEUED_FOR_COLUMN_DETECTION", "QUEUED_FOR_EXTRACTION", "QUEUED_FOR_SECTION_EXTRACTION")),
    Stage(
        "processing",
        "Processing",
        "info",
        (
            "DETECTING_COLUMNS",
            "EXTRACTING_SECTIONS",
            "MAPPING_SECTIONS",
            "EXTRACTING_QUESTIONS",
            "QUEUED_FOR_PROCESSING",
            "PROCESSING",
            "QUEUED_FOR_ANSWERING",
            "GENERATING_ANSWERS",
        ),
    ),
    Stage(
        "needs-input",
        "Needs input",
        "warn",
        ("WAITING_ON_COLUMN_SELECTION", "WAITING_ON_COLUMN_APPROVAL", "WAITING_ON_ANSWERS"),
    ),
    Stage("in-progress", "In progress", "accent", ("IN_PROGRESS",)),
    Stage(REVIEWED, "In review", "accent", ("READY_FOR_REVIEW", "IN_REVIEW")),
    Stage("error", "Error", "bad", ("ERROR",)),
    Stage("on-hold", "On hold", "muted", ("ON_HOLD",)),
    Stage("approved", "Approved", "good", ("APPROVED",)),
    Stage("done", "Done", "good", ("COMPLETE",), is_open=False),
    Stage("refused", "Declined", "muted", ("NO_LONGER_NEEDED",), is_open=False),
)
OTHER: Final = Stage("other", "Other", "muted", ())
"""Values the platform added without notice."""

STAGE_OF: Final = {status: stage for stage in STAGES for status in stage.statuses}
STAGE_BY_KEY: Final = {stage.key: stage for stage in (*STAGES, OTHER)}
FINISHED: Final = frozenset(status for stage in STAGES if not stage.is_open for status in stage.statuses)
PAUSED: Final = frozenset({"ON_HOLD"})

STATUS_LABELS: Final = {
    "READY_FOR_REVIEW": "Ready for review",
    "IN_REVIEW": "In review",
    "WAITING_ON_ANSWERS": "Waiting on answers",
    "WAITING_ON_COLUMN_SELECTION": "Choose the columns",
    "WAITING_ON_COLUMN_APPROVAL": "Confirm the columns",
}
"""Statuses that share a stage and yet ask for different things; all others are called as their stage."""

NO_STATUS: Final = "No status"

SETTABLE: Final = {
    "IN_PROGRESS": "In progress",
    "WAITING_ON_ANSWERS": "Waiting on answers",
    "READY_FOR_REVIEW": "Ready for review",
    "IN_REVIEW": "In review",
    "ON_HOLD": "On hold",
    "NO_LONGER_NEEDED": "Declined",
}
"""What PATCH accepts (platform-api 4.1.4); APPROVED and COMPLETE have calls of their own, machine states cannot be set."""

UNFINISHED: Final = frozenset({"IN_PROGRESS", "WAITING_ON_ANSWERS"})
"""Where it is handed over for review from."""

APPROVABLE: Final = frozenset({"IN_PROGRESS", "WAITING_ON_ANSWERS", "READY_FOR_REVIEW", "IN_REVIEW"})
COMPLETABLE: Final = frozenset({"APPROVED", "IN_PROGRESS", "READY_FOR_REVIEW", "IN_REVIEW"})
"""Its preconditions are not documented (platform-api 6): these are offered, and a refusal is shown in words."""

NEXT_STEPS: Final = {
    "WAITING_ON_COLUMN_SELECTION": "Your turn on the platform: choose which columns hold the questions and the answers. "
    "You can do this step only there; this page continues automatically afterward.",
    "WAITING_ON_COLUMN_APPROVAL": "Your turn on the platform: confirm the columns it found. "
    "You can do this step only there; this page continues automatically afterward.",
    "WAITING_ON_ANSWERS": "Fill in the missing answers, then hand it over for review.",
    "IN_PROGRESS": "Answer the open questions, then hand it over for review.",
    "READY_FOR_REVIEW": "Waiting for a reviewer to start.",
    "IN_REVIEW": "A reviewer reads the answers and approves the questionnaire.",
    "APPROVED": "Send it to the requester, then complete it.",
    "ON_HOLD": "Paused. Set it to in progress to continue.",
    "ERROR": "The platform could not process the file. Check it there; usually you'll need to upload it again.",
}
MACHINE_STEP: Final = "Processing. Nothing to do yet."


def stage_of(status: str) -> Stage:
    """Fold a status into its stage."""
    return STAGE_OF.get(status, OTHER)


def status_label(status: str) -> str:
    """Call a status by its everyday name; an unknown one stays as it came, an empty one is said in words."""
    stage = stage_of(status)
    return STATUS_LABELS.get(status) or (status.strip() or NO_STATUS if stage is OTHER else stage.label)


def next_step(status: str) -> str:
    """Say in a sentence who has to do what now; empty once it is over, or when nobody knows."""
    if stage_of(status).key in ("new", "processing"):
        return MACHINE_STEP
    return NEXT_STEPS.get(status, "")
