"""Makes integrations with the kinds of what they bring in, and the resources (platform-api 4.10)."""

from collections.abc import Iterator
from datetime import timedelta

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.compliance.texts import INTEGRATIONS
from portal.sandbox.seed.shapes import Batch, Json, ago, moment, new_id

PLACE = {"account": "production", "region": "eu-central-1"}
DETAILS: dict[str, Json] = {
    "ComputeInstance": PLACE,
    "ContainerRepository": PLACE | {"isAutoscanEnabled": True},
    "StorageBucket": PLACE | {"isEncrypted": True, "isVersioned": None, "containsEphi": None, "containsUserData": True},
    "Device": {"operatingSystemName": "macOS", "isEncrypted": True, "containsEphi": None, "containsUserData": None},
    "Account": {"accountName": "deploy", "roles": ["Deployer"], "groups": [], "isDeactivated": False, "isMfaEnabled": True},
    "GitRepository": {},
    "Resource": {},
}
"""What a resource of a type has besides what all have."""


def build(cast: Cast) -> Iterator[Batch]:
    """Make the integrations with three kinds of resources each. One connection is broken, one resource is deleted."""
    content, identifiers = cast.content("integrations"), cast.identifiers("integrations")
    made: list[Json] = []
    belonging: list[Batch] = []
    for key, name, kinds in INTEGRATIONS:
        error = "The credentials were refused" if key == INTEGRATIONS[-1][0] else None
        connection = {"connectionId": new_id(identifiers), "isDisabled": False, "connectionErrorMessage": error}
        made.append({
            "id": key,
            "integrationId": key,
            "displayName": name,
            "resourceKinds": [kind for kind, _ in kinds],
            "connections": [connection],
        })  # fmt: skip
        belonging.append(("resource-kinds", key, [build_kind(key, kind) for kind, _ in kinds]))
        for kind, response_type in kinds:
            resources = []
            for number in range(1, 4):
                resource_id = new_id(identifiers)
                created = ago(cast.now, content, days=(10, 400))
                resource = {
                    "id": resource_id,
                    "responseType": response_type,
                    "resourceKind": kind,
                    "resourceId": resource_id,
                    "connectionId": connection["connectionId"],
                    "displayName": f"{kind}-{number}",
                    "owner": content.choice(cast.active_users)["id"] if number != 2 else None,
                    "inScope": number != 3,
                    "description": "Serves the product." if number == 1 else None,
                    "creationDate": moment(created),
                    **DETAILS[response_type],
                }
                resources.append(resource)
            if kind == "ScanTarget":
                resources[-1]["deletedDate"] = moment(cast.now - timedelta(days=3))
            belonging.append(("integration-resources", f"{key}:{kind}", resources))
    yield "integrations", None, made
    yield from belonging


def build_kind(integration_id: str, kind: str) -> Json:
    is_account = kind.endswith("Account")
    return {
        "id": f"{integration_id}:{kind}",
        "integrationId": integration_id,
        "resourceKind": kind,
        "isScopable": not is_account,
        "canUpdateDescription": not is_account,
        "canUpdateOwner": True,
    }
