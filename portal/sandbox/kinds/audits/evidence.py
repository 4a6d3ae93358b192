"""Evidence of an audit with its files and comments (specification 3.3, platform-api 4.13)."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import BOOLEAN, IDS, MAYBE_MOMENT, MAYBE_STRING, MOMENT, STRING, array, one_of, record

INITIALIZED, NOT_READY, READY = "Initialized", "Not ready for audit", "Ready for audit"
ACCEPTED, FLAGGED, NA = "Accepted", "Flagged", "NA"
STATUSES = (INITIALIZED, NOT_READY, READY, ACCEPTED, FLAGGED, NA)
"""In words, as answers have them; events spell them in upper case (platform-api 4.13, 7.18)."""
EVIDENCE = record(
    id=STRING,
    externalId=STRING,
    status=one_of(*STATUSES),
    name=STRING,
    description=MAYBE_STRING,
    evidenceType=one_of("Evidence Request", "Policy", "Test"),
    evidenceId=STRING,
    testStatus=MAYBE_STRING,
    relatedControls=array(record(name=STRING, sectionNames=IDS)),
    creationDate=MOMENT,
    statusUpdatedDate=MOMENT,
    deletionDate=MAYBE_MOMENT,
)
URL = record(id=STRING, url=STRING, filename=STRING, isDownloadable=BOOLEAN)
COMMENT = record(
    id=STRING,
    auditEvidenceId=STRING,
    text=STRING,
    email=MAYBE_STRING,
    authorName=MAYBE_STRING,
    creationDate=MOMENT,
    modificationDate=MAYBE_MOMENT,
    deletionDate=MAYBE_MOMENT,
)
RECURRENCES = ("P0D", "P1D", "P1W", "P1M", "P3M", "P6M", "P1Y", "P2Y")
CUSTOM_REQUEST = record(
    id=STRING,
    controlIds=IDS,
    title=STRING,
    description=STRING,
    cadence=one_of(*RECURRENCES),
    reminderWindow=one_of(*RECURRENCES),
    isRestricted=BOOLEAN,
)
KINDS = (
    Kind(name="custom-evidence-requests", title="Evidence request", shape=CUSTOM_REQUEST, parent="audit_id"),
    Kind(
        name="audit-evidence",
        title="Evidence",
        shape=EVIDENCE,
        by="audit_evidence_id",
        parent="audit_id",
        is_soft=True,
    ),
    Kind(name="evidence-urls", title="Evidence file", shape=URL, parent="audit_evidence_id"),
    Kind(
        name="evidence-comments",
        title="Comment",
        shape=COMMENT,
        by="evidence_comment_id",
        parent="audit_evidence_id",
        is_soft=True,
    ),
)
