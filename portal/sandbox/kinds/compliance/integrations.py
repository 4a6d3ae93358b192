"""Integrations, the kinds of what they bring in, and the resources themselves (platform-api 4.10)."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import (
    BOOLEAN,
    IDS,
    INTEGER,
    MAYBE_BOOLEAN,
    MAYBE_MOMENT,
    MAYBE_STRING,
    MOMENT,
    STRING,
    array,
    extended,
    one_of,
    record,
)
from portal.sandbox.store import Json

CONNECTION = record(connectionId=STRING, isDisabled=BOOLEAN, connectionErrorMessage=MAYBE_STRING)
INTEGRATION = record(integrationId=STRING, displayName=STRING, resourceKinds=IDS, connections=array(CONNECTION))
LISTED_KIND = record(
    integrationId=STRING, resourceKind=STRING, isScopable=BOOLEAN, canUpdateDescription=BOOLEAN, canUpdateOwner=BOOLEAN
)
COUNTS = ("numResources", "numInScope", "numOwned", "numWithDescription")
RESOURCE_KIND = extended(LISTED_KIND, **dict.fromkeys(COUNTS, INTEGER))
PLACE: Json = {"account": STRING, "region": STRING}
PERSONAL: Json = {"containsEphi": MAYBE_BOOLEAN, "containsUserData": MAYBE_BOOLEAN}
DETAILS: dict[str, Json] = {
    "ComputeInstance": PLACE,
    "ContainerRepository": PLACE | {"isAutoscanEnabled": MAYBE_BOOLEAN},
    "StorageBucket": PLACE | PERSONAL | {"isEncrypted": BOOLEAN, "isVersioned": MAYBE_BOOLEAN},
    "Device": PERSONAL | {"operatingSystemName": STRING, "isEncrypted": MAYBE_BOOLEAN},
    "Account": {
        "accountName": STRING,
        "roles": IDS,
        "groups": IDS,
        "isDeactivated": BOOLEAN,
        "isMfaEnabled": MAYBE_BOOLEAN,
    },
    "GitRepository": {},
    "Resource": {},
}
"""What resources of a type have besides what all have; of the platform's sixteen types those that are met here."""
COMMON: Json = {
    "resourceKind": STRING,
    "resourceId": STRING,
    "connectionId": MAYBE_STRING,
    "displayName": STRING,
    "owner": MAYBE_STRING,
    "inScope": BOOLEAN,
    "description": MAYBE_STRING,
    "creationDate": MOMENT,
}
RESOURCE: Json = {
    "anyOf": [
        record(responseType=one_of(name), **COMMON, **more, optional={"deletedDate": MAYBE_MOMENT})
        for name, more in DETAILS.items()
    ]
}
"""The owner is the id of a user. A date of deletion stands there only once it was deleted."""
KEPT_INTEGRATION = extended(INTEGRATION, id=STRING)
KEPT_KIND = extended(LISTED_KIND, id=STRING)
KEPT_RESOURCE = record(
    id=STRING,
    responseType=STRING,
    **COMMON,
    optional={name: value for more in DETAILS.values() for name, value in more.items()} | {"deletedDate": MAYBE_MOMENT},
)
"""As they are kept: everything has an id of its own here; kinds are named alike under several integrations."""
INTEGRATIONS, RESOURCE_KINDS, RESOURCES = "integrations", "resource-kinds", "integration-resources"
KINDS = (
    Kind(name=INTEGRATIONS, title="Integration", shape=KEPT_INTEGRATION, by="integration_id"),
    Kind(
        name=RESOURCE_KINDS,
        title="Resource kind",
        shape=KEPT_KIND,
        by="resource_kind_id",
        also_by="resourceKind",
        parent="integration_id",
    ),
    Kind(
        name=RESOURCES,
        title="Resource",
        shape=KEPT_RESOURCE,
        by="integration_resource_id",
        parent="resource_kind_id",
    ),
)
