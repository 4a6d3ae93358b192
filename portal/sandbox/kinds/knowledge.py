"""Tags, the knowledge base and the answer library (platform-api 4.3, 4.4)."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import (
    MAYBE_BOOLEAN,
    MAYBE_MOMENT,
    MAYBE_STRING,
    MOMENT,
    STRING,
    array,
    nullable,
    one_of,
    record,
)

FILE, URL = "FILE", "URL"
CONTEXTS = ("EXTERNAL_TRUST_CENTER", "DOCUMENT_SHARING", "CONTROL_SHARING", "QUESTIONNAIRE")
WRITABLE_CONTEXTS = CONTEXTS[:3]
PUBLIC, REQUEST_ACCESS = "PUBLIC", "REQUEST_ACCESS"
VISIBILITIES = (PUBLIC, REQUEST_ACCESS, "SHAREABLE", "PRIVATE")
PAGE_VISIBILITIES = (PUBLIC, "PRIVATE")
DOWNLOAD_PERMISSIONS = ("VIEW_ONLY", "VIEW_AND_DOWNLOAD")

TAG_CATEGORY = record(id=STRING, displayName=STRING)
TAG = record(id=STRING, category=STRING, displayName=STRING)
PRODUCT_CONTEXT = record(id=STRING)
OWNER = record(type=one_of("User", "Team"), id=STRING, displayName=MAYBE_STRING)
COMMON = {
    "ownerAssignment": nullable(OWNER),
    "expirationStatus": one_of("CURRENT", "EXPIRED"),
    "expirationDate": MAYBE_MOMENT,
    "lastVerified": MAYBE_MOMENT,
    "lastUpdated": MOMENT,
    "tags": array(record(categoryId=STRING, tagId=STRING)),
}
RESOURCE = record(
    id=STRING,
    type=one_of(FILE, URL),
    title=STRING,
    description=MAYBE_STRING,
    customerVisibility=nullable(one_of(*VISIBILITIES)),
    isUsedInQuestionnaires=MAYBE_BOOLEAN,
    categoryId=MAYBE_STRING,
    **COMMON,
    optional={
        "fileUrl": STRING,
        "downloadPermission": nullable(one_of(*DOWNLOAD_PERMISSIONS)),
        "url": STRING,
        "includeSubPages": MAYBE_BOOLEAN,
    },
)
"""A file or a page; each has two fields that the other has not (platform-api 4.4.1)."""
ANSWER = record(id=STRING, question=STRING, answer=STRING, **COMMON)
KINDS = (
    Kind(name="tag-categories", title="Tag category", shape=TAG_CATEGORY, by="tag_category_id"),
    Kind(name="tags", title="Tag", shape=TAG, parent="tag_category_id"),
    Kind(name="product-contexts", title="Product context", shape=PRODUCT_CONTEXT, parent="tag_category_id"),
    Kind(name="knowledge-resources", title="Knowledge base resource", shape=RESOURCE, by="knowledge_resource_id"),
    Kind(name="answers", title="Answer", shape=ANSWER, by="answer_id"),
)
