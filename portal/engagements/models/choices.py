"""The lists of the platform for audits, and what pages call their values (specification 3.2, 3.3). All are open."""

from portal.lib.platform_choices import Pill

NEEDS_EVIDENCE, READY_FOR_AUDIT = "NEEDS_EVIDENCE", "READY_FOR_AUDIT"
AUDITOR_APPROVED, AUDITOR_FLAGGED = "AUDITOR_APPROVED", "AUDITOR_FLAGGED"
REQUEST_STATUSES: dict[str, Pill] = {
    READY_FOR_AUDIT: ("Ready for audit", "info"),
    NEEDS_EVIDENCE: ("Needs evidence", "muted"),
    AUDITOR_FLAGGED: ("Flagged", "warn"),
    AUDITOR_APPROVED: ("Approved", "good"),
}
"""What waits for the auditor first."""
NOT_READY_FOR_AUDIT, ACCEPTED, FLAGGED, NA = "NOT_READY_FOR_AUDIT", "ACCEPTED", "FLAGGED", "NA"
INITIALIZED = "INITIALIZED"
EVIDENCE_STATUSES: dict[str, Pill] = {
    READY_FOR_AUDIT: ("Ready for audit", "info"),
    NOT_READY_FOR_AUDIT: ("Not ready for audit", "muted"),
    FLAGGED: ("Flagged", "warn"),
    ACCEPTED: ("Accepted", "good"),
    NA: ("Not applicable", "muted"),
    INITIALIZED: ("Not started", "muted"),
}
REQUEST_TYPES = {"POINT_IN_TIME": "Point in time", "POPULATION": "Population", "SAMPLE": "Sample"}
ASSESSMENTS: dict[str, Pill] = {
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
CADENCES = {"ANNUALLY": "Every year", "BIANNUALLY": "Twice a year", "QUARTERLY": "Every quarter", "MONTHLY": "Every month"}
RECURRENCES = {
    "P0D": "Once",
    "P1D": "Every day",
    "P1W": "Every week",
    "P1M": "Every month",
    "P3M": "Every 3 months",
    "P6M": "Every 6 months",
    "P1Y": "Every year",
}
"""How often evidence is asked for (auditor-api 1.4). A newer description has two years, too; the contract does not."""
REMINDERS = {
    "P0D": "On the day",
    "P1D": "A day before",
    "P1W": "A week before",
    "P1M": "A month before",
    "P3M": "3 months before",
}
"""When the customer is reminded of it; in the same words of the platform."""
DOMAINS = (
    "ARTIFICIAL_&_AUTONOMOUS_TECHNOLOGY",
    "ASSET_MANAGEMENT",
    "BUSINESS_CONTINUITY_&_DISASTER_RECOVERY",
    "CAPACITY_&_PERFORMANCE_PLANNING",
    "CHANGE_MANAGEMENT",
    "CLOUD_SECURITY",
    "COMPLIANCE",
    "CONFIGURATION_MANAGEMENT",
    "CONTINUOUS_MONITORING",
    "CRYPTOGRAPHIC_PROTECTIONS",
    "DATA_CLASSIFICATION_&_HANDLING",
    "EMBEDDED_TECHNOLOGY",
    "ENDPOINT_SECURITY",
    "HUMAN_RESOURCES_SECURITY",
    "IDENTIFICATION_&_AUTHENTICATION",
    "INCIDENT_RESPONSE",
    "INFORMATION_ASSURANCE",
    "MAINTENANCE",
    "MOBILE_DEVICE_MANAGEMENT",
    "NETWORK SECURITY",
    "PHYSICAL_&_ENVIRONMENTAL_SECURITY",
    "PRIVACY",
    "PROJECT_&_RESOURCE MANAGEMENT",
    "RISK_MANAGEMENT",
    "SECURE_ENGINEERING_&_ARCHITECTURE",
    "SECURITY_AWARENESS_&_TRAINING",
    "SECURITY_OPERATIONS",
    "SECURITY_&_PRIVACY_GOVERNANCE",
    "TECHNOLOGY_DEVELOPMENT_&_ACQUISITION",
    "THIRD-PARTY_MANAGEMENT",
    "THREAT_MANAGEMENT",
    "VULNERABILITY_&_PATCH_MANAGEMENT",
    "WEB_SECURITY",
    "ADMINISTRATIVE",
    "PHYSICAL",
    "TECHNICAL",
    "BASIC",
    "DERIVED",
)
"""Of controls, in the platform's own spelling: two have a blank (auditor-api 1.4)."""
