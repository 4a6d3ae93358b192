"""The lists of the platform for issues and risks, and what pages call their values (platform-api 4.8, 4.9). All are open."""

MAX_WORD_LENGTH = 80
CLOSED = "CLOSED"
STATUSES = {
    "NOT_STARTED": ("Not started", "warn"),
    "IN_PROGRESS": ("In progress", "info"),
    CLOSED: ("Closed", "good"),
}
SEVERITIES = {
    "CRITICAL": ("Critical", "bad"),
    "HIGH": ("High", "bad"),
    "MEDIUM": ("Medium", "warn"),
    "LOW": ("Low", "info"),
    "NO_SEVERITY": ("No severity", "muted"),
}
SOURCES = {
    "AUDIT": "Audit",
    "AUDIT_EXTERNAL": "External audit",
    "INCIDENT": "Incident",
    "EXTERNAL_PARTY": "External party",
    "SELF_ASSESSMENT": "Self-assessment",
    "OTHER": "Other",
}
CLOSE_REASONS = {"RESOLVED": "Resolved", "DUPLICATE": "Duplicate", "ACCEPTED": "Accepted", "OTHER": "Other"}
REVIEWS = {
    "DRAFT": ("Draft", "muted"),
    "NOT_REVIEWED": ("Not reviewed", "warn"),
    "AWAITING_SUBMISSION": ("Awaiting submission", "warn"),
    "PENDING_APPROVAL": ("Pending approval", "info"),
    "REQUESTED_CHANGES": ("Changes requested", "warn"),
    "APPROVED": ("Approved", "good"),
}
CONTROL_TYPES = {"EXISTING": "Existing", "TREATMENT_PLAN": "Treatment plan"}
"""What a control does for a scenario: it works today, or it is how the risk will be treated (management-api 3.16)."""
USER, TEAM = "USER", "TEAM"


def type_label(control_type: str) -> str:
    """Return what people call the type of a control; one that the platform has added is shown as it came."""
    return CONTROL_TYPES.get(control_type, control_type)


def severity_rank(severity: str) -> int:
    """Return what lists are sorted by, the worst first; an unknown one stands before those without any."""
    known = list(SEVERITIES)
    return known.index(severity) * 10 if severity in known else known.index("NO_SEVERITY") * 10 - 5
