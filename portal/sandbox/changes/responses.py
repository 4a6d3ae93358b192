"""What people do to one answer (platform-api 4.1.6)."""

from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.tenants import Tenant

KIND = "responses"


def write_answer(sandbox: Sandbox, tenant_id: str, response_id: str, *, values: Json) -> Json:
    """Change some parts of an answer. An edit makes it a person's answer and takes the approval away (U12)."""
    response = sandbox.objects.get(tenant_id, KIND, response_id)
    response["answerPartsValues"] = response.get("answerPartsValues", {}) | values
    response |= {"isPendingAnswerGeneration": False, "originType": "MANUAL", "approvedBy": None, "editedBy": None}
    return sandbox.objects.save(tenant_id, KIND, response)


def set_owner(sandbox: Sandbox, tenant_id: str, response_id: str, *, owner: Json | None) -> Json:
    response = sandbox.objects.get(tenant_id, KIND, response_id)
    response["ownerAssignment"] = owner
    return sandbox.objects.save(tenant_id, KIND, response)


def approve(sandbox: Sandbox, tenant: Tenant, response_id: str) -> Json:
    """Approve an answer as the first of the tenant's users. The API cannot do this: it happens in the platform's app."""
    response = sandbox.objects.get(tenant.id, KIND, response_id)
    approver = sandbox.objects.all(tenant.id, "users", oldest_first=True, limit=1)[0]
    given, _, family = approver["displayName"].rpartition(" ")
    response["approvedBy"] = {
        "id": approver["id"],
        "organizationId": tenant.organization_id,
        "email": approver["email"],
        "givenName": given,
        "familyName": family,
    }
    return sandbox.objects.save(tenant.id, KIND, response)
