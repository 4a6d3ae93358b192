"""The lists of the platform for vendors, and what pages call their values (platform-api 4.7). An unknown one stays readable."""

from portal.lib.platform_choices import Pill

MANAGED, IN_PROCUREMENT, ARCHIVED = "MANAGED", "IN_PROCUREMENT", "ARCHIVED"
STATUSES: dict[str, Pill] = {
    MANAGED: ("Managed", "good"),
    IN_PROCUREMENT: ("In procurement", "info"),
    ARCHIVED: ("Archived", "muted"),
}
RISKS: dict[str, Pill] = {
    "CRITICAL": ("Critical", "bad"),
    "HIGH": ("High", "bad"),
    "MEDIUM": ("Medium", "warn"),
    "LOW": ("Low", "good"),
    "UNSCORED": ("Not scored", "muted"),
}
"""The most risky first."""
DECISIONS: dict[str, Pill] = {
    "APPROVED": ("Approved", "good"),
    "CONDITIONALLY_APPROVED": ("Approved with conditions", "warn"),
    "NOT_APPROVED": ("Not approved", "bad"),
}
ASSESSMENT_STATUSES: dict[str, Pill] = {
    "NOT_STARTED": ("Not started", "muted"),
    "IN_PROGRESS": ("In progress", "info"),
    "COMPLETED": ("Completed", "good"),
}
ACCEPT, REMEDIATE, NONE = "ACCEPT", "REMEDIATE", "NONE"
RISK_STATUSES: dict[str, Pill] = {
    NONE: ("Not assessed", "muted"),
    REMEDIATE: ("Remediate", "warn"),
    ACCEPT: ("Accepted", "info"),
}
OPEN, CLOSED = "OPEN", "CLOSED"
REMEDIATIONS: dict[str, Pill] = {OPEN: ("Open", "warn"), CLOSED: ("Closed", "good")}


def risk_rank(level: str) -> int:
    """Return what risk levels are sorted by: the most risky first, and behind them what nobody here knows."""
    return [*RISKS].index(level) if level in RISKS else len(RISKS)
