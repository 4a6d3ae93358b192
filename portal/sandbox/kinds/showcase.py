"""What else the Trust Center shows, and who hears of it (specification 2.2, 2.5, platform-api 4.5.5-4.5.12)."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.kinds.trust_center import VISIBILITY_MODES
from portal.sandbox.schemas import (
    BOOLEAN,
    IDS,
    INTEGER,
    MAYBE_STRING,
    MOMENT,
    STRING,
    array,
    extended,
    nullable,
    one_of,
    record,
)

UPDATE_CATEGORIES = ("GENERAL", "COMPLIANCE", "SECURITY", "PRIVACY", "INCIDENT", "ROADMAP")
VISIBILITIES = one_of("PUBLIC", "PRIVATE")
COLLECTED = one_of("COLLECTED", "HIDDEN", "NOT_COLLECTED")
STANDARDS = (
    *("aiact", "aiuc1", "aue8", "awsFTR", "bsic5", "ccpa", "cisv8", "cjis", "cmmc2", "cps234", "cri", "dora", "fedRAMPr5"),
    *("fedramp", "fedramp20x", "fedramp20x_2026", "fedrampKSI", "gdpr", "hipaa", "hitruste1", "iso9001", "iso22301"),
    *("iso27001", "iso27001_2022", "iso27017", "iso27018", "iso27701", "iso27701_2025", "iso42001", "msftSSPA", "mvsp"),
    *("nis2d", "nist53", "nist171", "nist171r3", "nistAiRmf", "nistCSF", "nistcsf2", "ofdss", "pciDss4", "pciSaqA"),
    *("pciSaqAEP", "pciSaqDMerchant", "pciSaqDSP", "soc2", "soxITGC", "t23nycrr500", "tisax", "tisax2027", "trust"),
    *("ukCyberEssentials", "ukCyberEssentials33", "usDataPrivacy"),
)
"""Mixed case is the platform's own (platform-api 5.3)."""

NAMED = record(id=STRING, name=STRING)
CONTROL_CATEGORY = record(
    id=STRING, name=STRING, visibility=one_of("PUBLIC", "SHAREABLE"), statusVisibilityOverride=nullable(VISIBILITY_MODES)
)
CONTROL = record(id=STRING, name=STRING, description=STRING, categories=array(CONTROL_CATEGORY))
KEPT_CONTROL = extended(CONTROL, optional={"tags": array(record(categoryId=STRING, tagId=STRING))})
"""With the tags, which choose who is told of a control and are answered nowhere."""
FAQ = record(id=STRING, question=STRING, answer=STRING, category=nullable(NAMED))
SUBPROCESSOR = record(
    id=STRING,
    name=STRING,
    description=MAYBE_STRING,
    location=MAYBE_STRING,
    purpose=MAYBE_STRING,
    url=MAYBE_STRING,
)
UPDATE = record(
    id=STRING,
    title=STRING,
    description=STRING,
    category=one_of(*UPDATE_CATEGORIES),
    creationDate=MOMENT,
    updatedDate=MOMENT,
    visibilityType=VISIBILITIES,
    optional={"notifiedEmails": IDS},
)
SUBSCRIBER = record(
    id=STRING,
    email=STRING,
    isEmailVerified=BOOLEAN,
    creationDate=MOMENT,
    customerTrustAccountId=MAYBE_STRING,
    groups=array(NAMED),
)
SUBSCRIBER_GROUP = record(id=STRING, name=STRING, subscriberIds=IDS, creationDate=MOMENT)
CONVERSATION = record(
    id=STRING,
    firstMessage=STRING,
    numMessages=INTEGER,
    userEmail=MAYBE_STRING,
    isPublicConversation=BOOLEAN,
    createdAt=MOMENT,
)
MESSAGE = record(id=STRING, role=one_of("USER", "ASSISTANT"), message=STRING, createdAt=MOMENT, references=IDS)
FRAMEWORK = record(id=STRING, name=STRING, standard=nullable(one_of(*STANDARDS)), description=MAYBE_STRING)
DATA_COLLECTED = record(dataCollected=STRING, status=COLLECTED)
VIDEO = record(url=STRING, title=STRING, description=MAYBE_STRING)
KINDS = (
    Kind(name="resource-categories", title="Resource category", shape=NAMED, by="resource_category_id"),
    Kind(name="control-categories", title="Control category", shape=CONTROL_CATEGORY, by="control_category_id"),
    Kind(name="trust-center-controls", title="Control", shape=KEPT_CONTROL, by="trust_center_control_id"),
    Kind(name="faq-categories", title="FAQ category", shape=NAMED, by="faq_category_id"),
    Kind(name="faqs", title="FAQ", shape=FAQ, by="faq_id"),
    Kind(name="subprocessors", title="Subprocessor", shape=SUBPROCESSOR, by="subprocessor_id"),
    Kind(name="updates", title="Update", shape=UPDATE, by="update_id"),
    Kind(name="subscribers", title="Subscriber", shape=SUBSCRIBER, by="subscriber_id"),
    Kind(name="subscriber-groups", title="Subscriber group", shape=SUBSCRIBER_GROUP, by="subscriber_group_id"),
    Kind(name="conversations", title="Conversation", shape=CONVERSATION, by="conversation_id"),
    Kind(name="chatbot-messages", title="Message", shape=MESSAGE, parent="conversation_id"),
    Kind(name="trust-center-frameworks", title="Compliance framework", shape=FRAMEWORK, by="trust_center_framework_id"),
)
