"""What happens to a questionnaire (platform-api 4.1.3-4.1.4)."""

from portal.sandbox.kinds.questionnaires import DOCUMENT, EVENT_STATUSES, SPREADSHEET, WEBSITE
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.values import moment, new_id

KIND = "questionnaires"
PEOPLE_STATUSES = (
    *("IN_PROGRESS", "IN_REVIEW", "READY_FOR_REVIEW"),
    *("WAITING_ON_ANSWERS", "ON_HOLD", "NO_LONGER_NEEDED"),
)
"""What PATCH may set (platform-api 4.1.4)."""
FIRST_STATUS = {SPREADSHEET: "QUEUED_FOR_COLUMN_DETECTION", DOCUMENT: "QUEUED_FOR_EXTRACTION", WEBSITE: "IN_PROGRESS"}
"""The status a new one starts in (platform-api U10)."""
MACHINE: Json = {"id": "machine", "displayName": None, "email": None}
"""The one who changes a status when no person and no application does."""
STEP = "questionnaire-step"
STEP_SECONDS = 10


def create(sandbox: Sandbox, tenant_id: str, *, questionnaire_type: str, actor: Json, fields: Json) -> Json:
    """Add a questionnaire. One with a file then walks through the machine's states by itself."""
    now, status = moment(sandbox.clock.now()), FIRST_STATUS[questionnaire_type]
    questionnaire = sandbox.objects.add(
        tenant_id,
        KIND,
        {
            "id": new_id(),
            "type": questionnaire_type,
            "status": status,
            "statusLog": [entry(status, at=now, actor=actor)],
            "tagAndCategoryIds": [],
            "createdDate": now,
            "updatedDate": now,
            **fields,
        },
    )
    sandbox.emit(tenant_id, "v1.questionnaire.created", {"questionnaire": {"id": questionnaire["id"]}})
    if questionnaire_type != WEBSITE:
        sandbox.schedule(tenant_id, STEP, questionnaire["id"], seconds=STEP_SECONDS)
    return questionnaire


def update(sandbox: Sandbox, tenant_id: str, questionnaire_id: str, *, changes: Json) -> Json:
    """Change fields other than the status. None takes a field away: unset ones are absent (platform-api 1.2)."""
    questionnaire = sandbox.objects.get(tenant_id, KIND, questionnaire_id)
    for name, value in changes.items():
        if value is None:
            questionnaire.pop(name, None)
        else:
            questionnaire[name] = value
    questionnaire["updatedDate"] = moment(sandbox.clock.now())
    return sandbox.objects.save(tenant_id, KIND, questionnaire)


def change_status(
    sandbox: Sandbox, tenant_id: str, questionnaire_id: str, *, status: str, actor: Json, message: str | None = None
) -> Json:
    """Move a questionnaire to a status, log it and fire the event. The status it already has is no change."""
    questionnaire = sandbox.objects.get(tenant_id, KIND, questionnaire_id)
    if questionnaire["status"] == status:
        return questionnaire
    now = moment(sandbox.clock.now())
    questionnaire |= {"status": status, "updatedDate": now}
    questionnaire["statusLog"] = [entry(status, at=now, actor=actor, message=message), *questionnaire["statusLog"]]
    if status == "COMPLETE":
        questionnaire["completedDate"] = now
    else:
        questionnaire.pop("completedDate", None)
    sandbox.objects.save(tenant_id, KIND, questionnaire)
    if status in EVENT_STATUSES:
        payload = {"questionnaire": {"id": questionnaire_id, "status": status}}
        sandbox.emit(tenant_id, "v1.questionnaire.status-changed", payload)
    return questionnaire


def delete(sandbox: Sandbox, tenant_id: str, questionnaire_id: str) -> None:
    sandbox.objects.delete(tenant_id, KIND, questionnaire_id)
    sandbox.emit(tenant_id, "v1.questionnaire.deleted", {"questionnaire": {"id": questionnaire_id}})


def entry(status: str, *, at: str, actor: Json, message: str | None = None) -> Json:
    return {"updatedBy": actor, "updatedAt": at, "status": status, "message": message}
