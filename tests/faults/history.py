"""What happened on the platform while nobody listened: its own changes and its own messages, made before it is started."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portal.sandbox.app import create_app
from portal.sandbox.changes import access_requests, exports, newcomers, questionnaires
from portal.sandbox.changes.questionnaires import MACHINE, PEOPLE_STATUSES
from portal.sandbox.kinds.questionnaires import CSV
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.tenants import Tenant


@dataclass(frozen=True)
class Message:
    """One event as the platform words it."""

    hook_id: str
    body: str


def make_history(folder: Path, *, objects: int, messages: int, seed: int) -> tuple[str, list[Message]]:
    """Make an organisation of so many objects to which so much has happened; return its id and what is to be told.

    Two in ten objects are requests for access and the viewers that came of them; the others are questionnaires. Some of those
    are deleted in the end. Every object is named by a message at least once.
    """
    sandbox: Sandbox = create_app(data_dir=folder).extensions["sandbox"]
    choice = random.Random(seed)
    requests = objects // 10
    viewers = requests // 2
    counts: dict[str, Any] = {"questionnaires": objects - requests - viewers, "responses_per_questionnaire": 2}
    tenant = sandbox.tenants.create("Busy", region="eu", seed=seed, access_requests=0, viewers=0, contracts=0, **counts)
    with sandbox.store.transaction():
        _let_requests_come(sandbox, tenant, requests, approved=viewers)
        _let_questionnaires_change(sandbox, tenant, messages - requests - requests * 3 // 4, choice)
    rows = sandbox.store.rows("SELECT id, body FROM messages WHERE tenant_id = ?", tenant.id)
    sandbox.close()
    assert len(rows) == messages, len(rows)
    return tenant.id, [Message(row["id"], row["body"]) for row in rows]


def _let_requests_come(sandbox: Sandbox, tenant: Tenant, count: int, *, approved: int) -> None:
    """Half of them are approved, a quarter is denied, the others stay open."""
    for number in range(count):
        request = newcomers.access_request(sandbox, tenant)
        if number < approved:
            access_requests.approve(sandbox, tenant, request["id"])
        elif number < count * 3 // 4:
            access_requests.deny(sandbox, tenant, request["id"], reason="No running deal")


def _let_questionnaires_change(sandbox: Sandbox, tenant: Tenant, messages: int, choice: random.Random) -> None:
    ids = [questionnaire["id"] for questionnaire in sandbox.objects.all(tenant.id, questionnaires.KIND)]
    deleted = choice.sample(ids, len(ids) // 20)
    told = [*ids, *choice.choices(ids, k=messages - len(ids) - len(deleted))]
    for number, questionnaire_id in enumerate(told):
        if number % 10 == 9:
            export = exports.start(sandbox, tenant.id, questionnaire_id=questionnaire_id, export_format=CSV)
            exports.complete(sandbox, tenant.id, export["id"])
        else:
            now = sandbox.objects.get(tenant.id, questionnaires.KIND, questionnaire_id)["status"]
            status = choice.choice([status for status in PEOPLE_STATUSES if status != now])
            questionnaires.change_status(sandbox, tenant.id, questionnaire_id, status=status, actor=MACHINE)
    for questionnaire_id in deleted:
        questionnaires.delete(sandbox, tenant.id, questionnaire_id)
