"""The lists of the platform for controls and tests, and what pages call their values (platform-api 4.10). All are open."""

MAX_NAME_LENGTH, MAX_WORD_LENGTH = 300, 80
EVIDENCE = {
    "COMPLETED": ("Complete", "good"),
    "IN_PROGRESS": ("In progress", "info"),
    "NOT_STARTED": ("Not started", "warn"),
    "NO_EVIDENCE_MAPPED": ("No evidence linked", "muted"),
}
TEST_STATUSES = {
    "NEEDS_ATTENTION": ("Needs attention", "bad"),
    "INVALID": ("Invalid", "warn"),
    "IN_PROGRESS": ("In progress", "info"),
    "OK": ("OK", "good"),
    "NOT_APPLICABLE": ("Not applicable", "muted"),
    "DEACTIVATED": ("Deactivated", "muted"),
}


def status_rank(status: str) -> int:
    """Return what tests are sorted by, what needs somebody first; an unknown one stands behind those."""
    known = list(TEST_STATUSES)
    return known.index(status) * 10 if status in known else 25
