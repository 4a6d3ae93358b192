"""Audits, and the auditors of the firm (platform-api 4.13)."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import (
    BOOLEAN,
    IDS,
    MAYBE_MOMENT,
    MAYBE_STRING,
    MOMENT,
    STRING,
    array,
    nullable,
    one_of,
    record,
)

TRUST_CRITERIA = ("SECURITY", "AVAILABILITY", "CONFIDENTIALITY", "PRIVACY", "PROCESSING_INTEGRITY")
DELIVERABLE = record(reportType=one_of("soc2type1", "soc2type2"), tscs=nullable(array(one_of(*TRUST_CRITERIA))))
NAMED = record(id=STRING, displayName=STRING)
SEGMENT = record(
    id=STRING,
    kind=one_of("PROGRAM", "SYSTEM"),
    displayName=STRING,
    framework=record(displayName=STRING),
    businessUnit=nullable(NAMED),
    system=nullable(NAMED),
    soc2Deliverable=nullable(DELIVERABLE),
)
AUDIT = record(
    id=STRING,
    customerOrganizationName=STRING,
    customerDisplayName=MAYBE_STRING,
    customerOrganizationId=STRING,
    auditStartDate=MOMENT,
    auditEndDate=MOMENT,
    earlyAccessStartsAt=MAYBE_MOMENT,
    framework=STRING,
    displayName=STRING,
    allowAuditorEmails=IDS,
    allowAllAuditors=BOOLEAN,
    deletionDate=MAYBE_MOMENT,
    creationDate=MOMENT,
    modificationDate=MAYBE_MOMENT,
    completionDate=MAYBE_MOMENT,
    auditFocus=one_of("EXTERNAL", "INTERNAL"),
    segments=array(SEGMENT),
    optional={"auditorRequestListMetadata": record(requestsSharedWithCustomer=MAYBE_MOMENT)},
)
"""The last one is there only where the audit is run by information requests."""
AUDITOR = record(id=STRING, organizationId=STRING, email=STRING, givenName=STRING, familyName=STRING)
KINDS = (
    Kind(name="audits", title="Audit", shape=AUDIT, by="audit_id"),
    Kind(name="auditors", title="Auditor", shape=AUDITOR),
)
