"""The platform's words for audits, in words of ours (specification 3.2, 3.3). An unknown word is shown as it came."""

from portal.lib.platform_words import Word

NEEDS_EVIDENCE, READY_FOR_AUDIT = "NEEDS_EVIDENCE", "READY_FOR_AUDIT"
AUDITOR_APPROVED, AUDITOR_FLAGGED = "AUDITOR_APPROVED", "AUDITOR_FLAGGED"
REQUEST_STATUSES: dict[str, Word] = {
    READY_FOR_AUDIT: ("Ready for audit", "info"),
    NEEDS_EVIDENCE: ("Needs evidence", "muted"),
    AUDITOR_FLAGGED: ("Flagged", "warn"),
    AUDITOR_APPROVED: ("Approved", "good"),
}
"""What waits for the auditor first."""
NOT_READY_FOR_AUDIT, ACCEPTED, FLAGGED, NA = "NOT_READY_FOR_AUDIT", "ACCEPTED", "FLAGGED", "NA"
INITIALIZED = "INITIALIZED"
EVIDENCE_STATUSES: dict[str, Word] = {
    READY_FOR_AUDIT: ("Ready for audit", "info"),
    NOT_READY_FOR_AUDIT: ("Not ready for audit", "muted"),
    FLAGGED: ("Flagged", "warn"),
    ACCEPTED: ("Accepted", "good"),
    NA: ("Not applicable", "muted"),
    INITIALIZED: ("Not started", "muted"),
}
REQUEST_TYPES = {"POINT_IN_TIME": "Point in time", "POPULATION": "Population", "SAMPLE": "Sample"}
ASSESSMENTS: dict[str, Word] = {
    "NOT_ASSESSED": ("Not assessed", "muted"),
    "IN_PLACE": ("In place", "good"),
    "PARTIAL": ("Partially in place", "warn"),
    "NOT_IN_PLACE": ("Not in place", "bad"),
    "CONFORMING": ("Conforming", "good"),
    "MINOR_NON_CONFORMITY": ("Minor nonconformity", "warn"),
    "MAJOR_NON_CONFORMITY": ("Major nonconformity", "bad"),
    "SATISFIED": ("Satisfied", "good"),
    "NOT_SATISFIED": ("Not satisfied", "bad"),
    "OTHER_THAN_SATISFIED": ("Other than satisfied", "warn"),
    "TRUE": ("True", "good"),
    "FALSE": ("False", "bad"),
}
ACTIVITIES = {
    "CREATED": "Request created",
    "UPDATED": "Request changed",
    "SHARED": "Request shared with the customer",
    "STATUS_CHANGED": "Status changed",
}
