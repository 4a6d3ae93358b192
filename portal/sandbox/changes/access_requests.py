"""How access to a Trust Center is asked for, granted, refused and taken away (platform-api 4.5.2-4.5.3)."""

from portal.sandbox.kinds.trust_center import FULL, PARTIAL
from portal.sandbox.objects import Clause
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.switches import AUTO_APPROVAL
from portal.sandbox.tenants import Tenant
from portal.sandbox.values import moment, new_id

OPEN, HISTORICAL, VIEWERS = "access-requests", "historical-access-requests", "viewers"
PENDING_NDA: Json = {"provider": "ONE_CLICK", "satisfiedDate": None, "docuSign": None, "oneClick": None}
EVENT = "v1.trust-center.access-request"


def receive(
    sandbox: Sandbox,
    tenant: Tenant,
    *,
    person: Json,
    reason: str,
    resource_ids: list[str] | None,
    may_be_approved: bool = True,
) -> Json:
    """Let somebody ask for access. `person` has email, name and companyName; no resources means everything.

    Where an account approves by itself, the request is approved at once, unless it has to stay open.
    """
    now = moment(sandbox.clock.now())
    request = {
        "id": new_id(),
        "email": person["email"],
        "name": person["name"],
        "companyName": person["companyName"],
        "reason": reason,
        "requestedResources": resource_ids,
        "accessLevel": FULL if resource_ids is None else PARTIAL,
        "creationDate": now,
        "updatedDate": now,
    }
    sandbox.objects.add(tenant.id, OPEN, request)
    account = account_that_approves(sandbox, tenant, person["email"]) if may_be_approved else None
    if account is None:
        sandbox.emit(tenant.id, f"{EVENT}.received", payload(tenant, request))
    else:
        approve_for(sandbox, tenant, request, account)
    return request


def account_that_approves(sandbox: Sandbox, tenant: Tenant, email: str) -> Json | None:
    """Return the account that approves requests from an address's domain by itself (platform-api 4.1.7).

    None as well where several do: they may grant different things, and nothing says which one counts.
    """
    if not sandbox.switches[AUTO_APPROVAL]:
        return None
    of_domain = of_person(email.rpartition("@")[2], field="emailDomain")
    enabled = Clause(sql="json_extract(body, '$.accessConfig.autoApprovalEnabled')")
    found = sandbox.objects.all(tenant.id, "accounts", where=[of_domain, enabled])
    return found[0] if len(found) == 1 else None


def approve_for(sandbox: Sandbox, tenant: Tenant, request: Json, account: Json) -> None:
    """Grant what the account grants. Which documents are configured for one, the API does not tell: here none are."""
    is_everything = account["accessConfig"]["grantAccessOption"] == "INCLUDE_EVERYTHING_REQUESTED"
    approve(
        sandbox,
        tenant,
        request["id"],
        is_nda_required=account["ndaDetails"]["ndaStatus"] == "INCOMPLETE",
        resource_ids=None if is_everything else [],
        access_level=None if is_everything else PARTIAL,
    )


def approve(
    sandbox: Sandbox,
    tenant: Tenant,
    request_id: str,
    *,
    expiration_date: str | None = None,
    is_nda_required: bool = True,
    resource_ids: list[str] | None = None,
    access_level: str | None = None,
) -> str:
    """Grant a request: it becomes historical and the person a viewer. Return the event's hook-id. Raises Missing.

    What is not given is granted as it was requested (platform-api 4.5.2).
    """
    request = sandbox.objects.get(tenant.id, OPEN, request_id)
    for resource_id in resource_ids or ():
        sandbox.objects.get(tenant.id, "resources", resource_id)
    level = access_level or request["accessLevel"]
    granted = request["requestedResources"] if resource_ids is None else resource_ids
    viewer = grant(
        sandbox,
        tenant.id,
        person=request,
        granted={
            "accessLevel": level,
            "resourceIds": None if level == FULL else granted or [],
            "expirationDate": expiration_date,
            "ndaInfo": PENDING_NDA if is_nda_required else None,
        },
    )
    _decide(sandbox, tenant, request, outcome="APPROVED", reason=None)
    return sandbox.emit(tenant.id, f"{EVENT}.approved", payload(tenant, request) | {"viewer": {"id": viewer["id"]}})


def deny(sandbox: Sandbox, tenant: Tenant, request_id: str, *, reason: str | None = None) -> str:
    """Refuse a request: it becomes historical. Return the event's hook-id. Raises Missing."""
    request = sandbox.objects.get(tenant.id, OPEN, request_id)
    _decide(sandbox, tenant, request, outcome="DENIED", reason=reason)
    return sandbox.emit(tenant.id, f"{EVENT}.denied", payload(tenant, request))


def grant(sandbox: Sandbox, tenant_id: str, *, person: Json, granted: Json) -> Json:
    """Make somebody a viewer, or give one who is a viewer already what was granted now. An NDA on record stays."""
    now = moment(sandbox.clock.now())
    known = viewer_of(sandbox, tenant_id, person["email"])
    if known is not None:
        nda = known["ndaInfo"] or granted["ndaInfo"]
        return sandbox.objects.save(tenant_id, VIEWERS, known | granted | {"ndaInfo": nda, "updatedDate": now})
    viewer = {
        "id": new_id(),
        "email": person["email"],
        "name": person["name"],
        "companyName": person["companyName"],
        "resourceIds": None,
        "accessLevel": FULL,
        "ndaInfo": None,
        "externalServiceAssociations": None,
        "creationDate": now,
        "updatedDate": now,
        "expirationDate": None,
        "addedByUser": None,
        "customerTrustAccountId": None,
    }
    return sandbox.objects.add(tenant_id, VIEWERS, viewer | granted)


def viewer_of(sandbox: Sandbox, tenant_id: str, email: str) -> Json | None:
    """Return the present viewer with an address."""
    found = sandbox.objects.all(tenant_id, VIEWERS, where=[of_person(email)], limit=1)
    return found[0] if found else None


def of_person(email: str, *, field: str = "email") -> Clause:
    return Clause(sql=f"folded(json_extract(body, '$.{field}')) = ?", values=(email.casefold(),))


def payload(tenant: Tenant, request: Json) -> Json:
    return {"trustCenter": {"slugId": tenant.slug_id}, "accessRequest": {"id": request["id"]}}


def _decide(sandbox: Sandbox, tenant: Tenant, request: Json, *, outcome: str, reason: str | None) -> None:
    decided = request | {
        "updatedDate": moment(sandbox.clock.now()),
        "outcome": outcome,
        "manualDenialReason": reason,
    }
    sandbox.objects.delete(tenant.id, OPEN, request["id"])
    sandbox.objects.add(tenant.id, HISTORICAL, decided)
