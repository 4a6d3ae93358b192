"""Makes the change that an event stands for, so that an event fired by a test is true."""

from portal.sandbox.api.errors import Refusal
from portal.sandbox.changes import access_requests, exports, machine, newcomers, questionnaires, vendors
from portal.sandbox.changes.questionnaires import MACHINE, PEOPLE_STATUSES
from portal.sandbox.control.audit_events import AUDIT_HAPPENINGS
from portal.sandbox.control.choice import Happening, chosen
from portal.sandbox.kinds.questionnaires import ORIGINAL, WEBSITE
from portal.sandbox.kinds.vendors import VENDORS
from portal.sandbox.objects import Clause
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.tenants import Tenant
from portal.sandbox.webhooks.catalogue import EXAMPLES


def happen(sandbox: Sandbox, tenant: Tenant, event_type: str, *, object_id: str | None = None) -> str:
    """Change something so that an event of this type is fired; return its hook-id.

    Types whose objects the sandbox does not have are sent as examples.
    """
    if event_type not in EXAMPLES:
        raise Refusal(400, f"Unknown event type: {event_type}")
    happening = HAPPENINGS.get(event_type)
    if happening is None:
        return sandbox.emit(tenant.id, event_type, EXAMPLES[event_type])
    happening(sandbox, tenant, object_id)
    # Nobody else sends in between: the caller holds the transaction.
    hook_id = sandbox.messages.newest(tenant.id, event_type)
    if hook_id is None:
        raise Refusal(409, f"Nothing could happen that fires {event_type}")
    return hook_id


def create_questionnaire(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    newcomers.questionnaire(sandbox, tenant)


def delete_questionnaire(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    questionnaire = chosen(sandbox, tenant, questionnaires.KIND, object_id)
    questionnaires.delete(sandbox, tenant.id, questionnaire["id"])


def change_status(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    """Move a questionnaire that people work on to the next of their statuses."""
    marks = ", ".join("?" * len(PEOPLE_STATUSES))
    in_work = Clause(sql=f"json_extract(body, '$.status') IN ({marks})", values=PEOPLE_STATUSES)
    questionnaire = chosen(sandbox, tenant, questionnaires.KIND, object_id, in_work)
    status = machine.next_people_status(questionnaire["status"])
    questionnaires.change_status(sandbox, tenant.id, questionnaire["id"], status=status, actor=MACHINE)


def complete_export(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    exports.complete(sandbox, tenant.id, start_export(sandbox, tenant, object_id))


def fail_export(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    export_id = start_export(sandbox, tenant, object_id)
    exports.fail(sandbox, tenant.id, export_id, reason="The file could not be written")


def start_export(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> str:
    """Start an export of the named questionnaire, or of the newest one that has a file."""
    has_file = Clause(sql="json_extract(body, '$.type') != ?", values=(WEBSITE,))
    questionnaire = chosen(sandbox, tenant, questionnaires.KIND, object_id, has_file)
    export = exports.start(sandbox, tenant.id, questionnaire_id=questionnaire["id"], export_format=ORIGINAL)
    return str(export["id"])


def receive_request(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    newcomers.access_request(sandbox, tenant, may_be_approved=False)


def approve_request(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    request = chosen(sandbox, tenant, access_requests.OPEN, object_id)
    access_requests.approve(sandbox, tenant, request["id"])


def deny_request(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    request = chosen(sandbox, tenant, access_requests.OPEN, object_id)
    access_requests.deny(sandbox, tenant, request["id"], reason="No running deal")


def decide_vendor(sandbox: Sandbox, tenant: Tenant, object_id: str | None) -> None:
    vendor = chosen(sandbox, tenant, VENDORS, object_id)
    vendors.decide(sandbox, tenant.id, vendor["id"], status="APPROVED", comments="Reviewed; nothing is open.")


HAPPENINGS: dict[str, Happening] = {
    "v1.questionnaire.created": create_questionnaire,
    "v1.questionnaire.deleted": delete_questionnaire,
    "v1.questionnaire.status-changed": change_status,
    "v1.questionnaire.export-completed": complete_export,
    "v1.questionnaire.export-failed": fail_export,
    "v1.trust-center.access-request.received": receive_request,
    "v1.trust-center.access-request.denied": deny_request,
    "v1.trust-center.access-request.approved": approve_request,
    **AUDIT_HAPPENINGS,
    vendors.EVENT: decide_vendor,
}
