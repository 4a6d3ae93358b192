"""How an export of a questionnaire is asked for and how it ends (platform-api 4.1.5)."""

from portal.sandbox.kinds.questionnaires import ORIGINAL, WEBSITE
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.values import moment, new_id

KIND = "exports"
JOB = "export-end"
EXPORT_SECONDS = 5


def start(sandbox: Sandbox, tenant_id: str, *, questionnaire_id: str, export_format: str) -> Json:
    """Ask for an export; it ends by itself a little later. Raises Missing."""
    sandbox.objects.get(tenant_id, "questionnaires", questionnaire_id)
    export = {
        "id": new_id(),
        "status": "pending",
        "format": export_format,
        "requestedAt": moment(sandbox.clock.now()),
    }
    sandbox.objects.add(tenant_id, KIND, export, parent_id=questionnaire_id)
    sandbox.schedule(tenant_id, JOB, export["id"], seconds=EXPORT_SECONDS)
    return export


def finish(sandbox: Sandbox, tenant_id: str, export_id: str) -> None:
    """End an export: well, unless there is nothing to write or no file to write it into."""
    export = sandbox.objects.get(tenant_id, KIND, export_id)
    questionnaire_id = sandbox.objects.parent_of(tenant_id, KIND, export_id) or ""
    questionnaire = sandbox.objects.get(tenant_id, "questionnaires", questionnaire_id)
    if export["format"] == ORIGINAL and questionnaire["type"] == WEBSITE:
        fail(sandbox, tenant_id, export_id, reason="A website questionnaire has no original file")
    elif not sandbox.objects.all(tenant_id, "responses", parent_id=questionnaire_id, limit=1):
        fail(sandbox, tenant_id, export_id, reason="Nothing to export")
    else:
        complete(sandbox, tenant_id, export_id)


def complete(sandbox: Sandbox, tenant_id: str, export_id: str) -> str | None:
    """End an export well; return the event's hook-id, or None when it had ended before."""
    return _end(sandbox, tenant_id, export_id, status="completed", fields=("completedAt", {}, {}))


def fail(sandbox: Sandbox, tenant_id: str, export_id: str, *, reason: str) -> str | None:
    """End an export badly. What the event calls reason the API calls errorMessage (platform-api 4.1.5)."""
    fields = ("failedAt", {"errorMessage": reason}, {"reason": reason})
    return _end(sandbox, tenant_id, export_id, status="failed", fields=fields)


def _end(sandbox: Sandbox, tenant_id: str, export_id: str, *, status: str, fields: tuple[str, Json, Json]) -> str | None:
    export = sandbox.objects.get(tenant_id, KIND, export_id)
    if export["status"] != "pending":
        return None
    ended_at, in_api, in_event = fields
    now = moment(sandbox.clock.now())
    sandbox.objects.save(tenant_id, KIND, export | {"status": status, ended_at: now} | in_api)
    told = {name: export[name] for name in ("id", "format", "requestedAt")} | {ended_at: now} | in_event
    questionnaire_id = sandbox.objects.parent_of(tenant_id, KIND, export_id)
    payload = {"questionnaire": {"id": questionnaire_id}, "export": told}
    return sandbox.emit(tenant_id, f"v1.questionnaire.export-{status}", payload)
