"""Erasing a person's customer-trust data (platform-api 4.1.8, U27: at once, unless it is switched off)."""

from portal.sandbox.changes.access_requests import HISTORICAL, OPEN, VIEWERS, of_person
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.switches import ERASES_AT_ONCE
from portal.sandbox.values import moment, new_id


def erase(sandbox: Sandbox, tenant_id: str, *, email: str) -> None:
    """Take a deletion request, and carry it out. No event tells of it."""
    request = {"id": new_id(), "email": email, "creationDate": moment(sandbox.clock.now())}
    sandbox.objects.add(tenant_id, "deletion-requests", request)
    if sandbox.switches[ERASES_AT_ONCE]:
        carry_out(sandbox, tenant_id, email=email)


def carry_out(sandbox: Sandbox, tenant_id: str, *, email: str) -> None:
    """Delete the viewer, the requests, the activity and the conversations of an address."""
    for kind in (VIEWERS, OPEN, HISTORICAL):
        sandbox.objects.delete_where(tenant_id, kind, of_person(email))
    sandbox.objects.delete_where(tenant_id, "activity", of_person(email, field="viewerEmail"))
    for conversation in sandbox.objects.all(tenant_id, "conversations", where=[of_person(email, field="userEmail")]):
        sandbox.objects.delete(tenant_id, "conversations", conversation["id"])
