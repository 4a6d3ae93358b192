"""The platform's words for vendors, in words of ours (platform-api 4.7). Open sets: an unknown word stays readable."""

from portal.lib.platform_words import Word

MANAGED, IN_PROCUREMENT, ARCHIVED = "MANAGED", "IN_PROCUREMENT", "ARCHIVED"
STATUSES: dict[str, Word] = {
    MANAGED: ("Managed", "good"),
    IN_PROCUREMENT: ("In procurement", "info"),
    ARCHIVED: ("Archived", "muted"),
}
RISKS: dict[str, Word] = {
    "CRITICAL": ("Critical", "bad"),
    "HIGH": ("High", "bad"),
    "MEDIUM": ("Medium", "warn"),
    "LOW": ("Low", "good"),
    "UNSCORED": ("Not scored", "muted"),
}
"""The most risky first."""
DECISIONS: dict[str, Word] = {
    "APPROVED": ("Approved", "good"),
    "CONDITIONALLY_APPROVED": ("Approved with conditions", "warn"),
    "NOT_APPROVED": ("Not approved", "bad"),
}
ASSESSMENT_STATUSES: dict[str, Word] = {
    "NOT_STARTED": ("Not started", "muted"),
    "IN_PROGRESS": ("In progress", "info"),
    "COMPLETED": ("Completed", "good"),
}
ACCEPT, REMEDIATE, NONE = "ACCEPT", "REMEDIATE", "NONE"
RISK_STATUSES: dict[str, Word] = {
    NONE: ("Not assessed", "muted"),
    REMEDIATE: ("Remediate", "warn"),
    ACCEPT: ("Accepted", "info"),
}
OPEN, CLOSED = "OPEN", "CLOSED"
REMEDIATIONS: dict[str, Word] = {OPEN: ("Open", "warn"), CLOSED: ("Closed", "good")}


def risk_rank(level: str) -> int:
    """Return what risk levels are sorted by: the most risky first, and behind them what nobody here knows."""
    return [*RISKS].index(level) if level in RISKS else len(RISKS)
