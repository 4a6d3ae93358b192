"""Customer-trust accounts, contracts and deletion requests (platform-api 4.1.7, 4.1.8, 4.2)."""

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

GRANT_OPTIONS = one_of("INCLUDE_EVERYTHING_REQUESTED", "INCLUDE_ONLY_CONFIGURED")
ACCOUNT = record(
    id=STRING,
    name=STRING,
    emailDomain=STRING,
    createdDate=MOMENT,
    updatedDate=MOMENT,
    ndaDetails=record(ndaStatus=one_of("SIGNED", "NOT_REQUIRED", "INCOMPLETE"), ndaSatisfiedDate=MAYBE_MOMENT),
    accessConfig=nullable(record(autoApprovalEnabled=BOOLEAN, grantAccessOption=nullable(GRANT_OPTIONS))),
    customFields=array(record(label=STRING, value={"anyOf": [STRING, IDS]})),
    tagsByCategory=array(record(categoryId=STRING, tagIds=IDS)),
)
CONTRACT = record(
    id=STRING,
    externalId=MAYBE_STRING,
    name=STRING,
    customerTrustAccountId=MAYBE_STRING,
    executedDate=MAYBE_MOMENT,
    creationDate=MOMENT,
)
DELETION_REQUEST = record(id=STRING, email=STRING, creationDate=MOMENT)
KINDS = (
    Kind(name="accounts", title="Account", shape=ACCOUNT, by="account_id"),
    Kind(name="contracts", title="Contract", shape=CONTRACT, by="contract_id"),
    Kind(name="deletion-requests", title="Deletion request", shape=DELETION_REQUEST),
)
