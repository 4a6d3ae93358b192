"""Documents with their links and uploads (specification 2.3, platform-api 4.11)."""

from portal.sandbox.kinds.codes import CATEGORIES
from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import (
    BOOLEAN,
    MAYBE_MOMENT,
    MAYBE_STRING,
    MOMENT,
    STRING,
    array,
    extended,
    nullable,
    one_of,
    record,
)

NEEDED, OUTDATED, IRRELEVANT, FINE = "Needs document", "Needs update", "Not relevant", "OK"
STATUSES = (NEEDED, OUTDATED, IRRELEVANT, FINE)
CADENCES = ("P0D", "P1D", "P1W", "P1M", "P3M", "P6M", "P1Y", "P2Y")
REMINDERS = ("P0D", "P1D", "P1W", "P1M", "P3M")
"""Each of them is shorter than the next; so are the cadences."""
DOCUMENT = record(
    id=STRING,
    ownerId=MAYBE_STRING,
    category=one_of(*CATEGORIES.values()),
    title=STRING,
    description=STRING,
    isSensitive=BOOLEAN,
    uploadStatus=one_of(*STATUSES),
    uploadStatusDate=MAYBE_MOMENT,
    url=MAYBE_STRING,
)
"""As lists show it."""
DEACTIVATION = record(isDeactivated=BOOLEAN, reason=MAYBE_STRING, creationDate=MAYBE_MOMENT, expiration=MAYBE_MOMENT)
DETAILED_DOCUMENT = extended(
    DOCUMENT,
    deactivatedStatus=DEACTIVATION,
    note=MAYBE_STRING,
    nextRenewalDate=MAYBE_MOMENT,
    renewalCadence=one_of(*CADENCES),
    reminderWindow=nullable(one_of(*REMINDERS)),
    subscribers=array(STRING),
)
LINK = record(id=STRING, url=STRING, title=STRING, description=STRING, effectiveDate=MAYBE_MOMENT, creationDate=MOMENT)
UPLOAD = record(
    id=STRING,
    fileName=MAYBE_STRING,
    title=STRING,
    description=MAYBE_STRING,
    url=MAYBE_STRING,
    mimeType=STRING,
    uploadedBy=nullable(record(id=STRING, type=one_of("USER", "APPLICATION"))),
    creationDate=MOMENT,
    updatedDate=MOMENT,
    effectiveDate=MAYBE_MOMENT,
    deletionDate=MAYBE_MOMENT,
)
KINDS = (
    Kind(name="documents", title="Document", shape=DETAILED_DOCUMENT, by="document_id"),
    Kind(name="links", title="Link", shape=LINK, by="link_id", parent="document_id"),
    Kind(name="uploads", title="Uploaded file", shape=UPLOAD, by="uploaded_file_id", parent="document_id", is_soft=True),
)
