"""What resources and answers share: owners, an end of validity, a moment of the last look (platform-api 4.4)."""

from datetime import timedelta

from portal.sandbox.api.filters import between
from portal.sandbox.api.handlers import saved
from portal.sandbox.api.route import Call
from portal.sandbox.schemas import MOMENT, closed, one_of, reference
from portal.sandbox.store import Json
from portal.sandbox.values import moment, normalised

OWNER = closed(required=["type", "id"], type=one_of("User"), id=reference("users"))
VERIFY = closed(expirationDate=MOMENT)
DATES = (
    *between("lastUpdatedAfter", "lastUpdatedBefore", "lastUpdated"),
    *between("expiresAfter", "expiresBefore", "expirationDate"),
)


def kept(call: Call) -> Json:
    """Make the owner with the name, and say whether it has expired."""
    fields: Json = {}
    owner = call.body.get("ownerAssignment")
    if owner is not None:
        user = call.sandbox.objects.get(call.tenant.id, "users", owner["id"])
        fields["ownerAssignment"] = owner | {"displayName": user["displayName"]}
    if "expirationDate" in call.body:
        fields |= expiration(call)
    return fields


def expiration(call: Call) -> Json:
    at = normalised(call.body.get("expirationDate"))
    return {"expirationDate": at, "expirationStatus": "EXPIRED" if at is not None and at <= call.now else "CURRENT"}


def verify(call: Call, kind: str, *, cadence: timedelta | None = None) -> Json:
    """Write down that somebody looked. That is no change of the content (platform-api 7.21).

    Where nothing is said about the end of validity, it lies as far ahead again as the tenant reviews, if that is known.
    """
    looked = call.object | {"lastVerified": call.now}
    if "expirationDate" in call.body:
        looked |= expiration(call)
        return saved(call, kind, looked)
    if cadence is not None:
        looked |= {"expirationDate": moment(call.sandbox.clock.now() + cadence), "expirationStatus": "CURRENT"}
    return call.sandbox.objects.save(call.tenant.id, kind, looked)
