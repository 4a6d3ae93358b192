"""The kinds of platform objects that this desk mirrors, as runs, stale marks and audit rows name them, and its live area."""

ENGAGEMENT, PARTS = "engagement", "engagement_parts"
REQUEST, EVIDENCE, CONTROL = "information_request", "audit_evidence", "audit_control"
"""Each by the platform's id of the object; its row tells the audit. A control is fetched for its comments alone."""
ORGANIZATION = "engagement_organization"
"""What an audit shows of the audited organization, by the audit's id: of its lists those that somebody has opened."""
AREA = "engagements"
