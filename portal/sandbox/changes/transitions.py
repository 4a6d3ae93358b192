"""Which status a questionnaire may be moved to by people, where transitions are strict (platform-api 5.1, U9)."""

from portal.sandbox.changes.questionnaires import PEOPLE_STATUSES

OPEN = tuple(status for status in PEOPLE_STATUSES if status != "NO_LONGER_NEEDED")
ALLOWED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(OPEN, PEOPLE_STATUSES),
    "READY_FOR_REVIEW": (*PEOPLE_STATUSES, "APPROVED"),
    "IN_REVIEW": (*PEOPLE_STATUSES, "APPROVED"),
    "APPROVED": (*OPEN, "COMPLETE"),
}
"""From each status to those that follow. A status that is missing is an end, or the machine's."""


def refusal(present: str, wanted: str) -> str | None:
    """Say in words why a move is not allowed; None when it is, or when it is none."""
    if present == wanted or wanted in ALLOWED.get(present, ()):
        return None
    return f"A questionnaire that is {present} cannot become {wanted}"
