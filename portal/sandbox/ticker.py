"""Small believable changes, so that a demo lives. Everything runs through the same code as calls of the API."""

from collections.abc import Callable

from portal.sandbox.changes import access_requests, machine, newcomers, questionnaires, responses, visits
from portal.sandbox.changes.access_requests import HISTORICAL, OPEN
from portal.sandbox.changes.newcomers import CHOICE
from portal.sandbox.changes.questionnaires import MACHINE
from portal.sandbox.kinds.questionnaires import SPREADSHEET
from portal.sandbox.objects import Clause
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.tenants import Tenant

MAX_OPEN_REQUESTS = 60
MAX_QUESTIONNAIRES = 120
MAX_HISTORICAL_REQUESTS = 1000
MAX_VISITS = {"activity": 5000, "conversations": 200}
A_QUESTION = 0.05
MESSAGE_SECONDS = 30 * 86400
"""Above these the oldest makes room: a demo left alone for a month still moves and does not grow for ever."""
FINISHED = ("COMPLETE", "NO_LONGER_NEEDED")


def tick(sandbox: Sandbox) -> None:
    """Let one small thing happen in every tenant, and somebody look at its Trust Center."""
    sandbox.messages.prune(before=sandbox.clock.seconds() - MESSAGE_SECONDS)
    for tenant in sandbox.tenants.all():
        with sandbox.store.transaction():
            CHOICE.choice(HAPPENINGS)(sandbox, tenant)
            visit(sandbox, tenant)


def advance_questionnaire(sandbox: Sandbox, tenant: Tenant) -> None:
    """Move a questionnaire on, as colleagues in the platform's own app do."""
    chosen = random_questionnaire(sandbox, tenant, statuses=tuple(machine.AFTER_WORK))
    if chosen is not None:
        status = machine.next_people_status(chosen["status"])
        questionnaires.change_status(sandbox, tenant.id, chosen["id"], status=status, actor=MACHINE)


def advance_machine(sandbox: Sandbox, tenant: Tenant) -> None:
    """Let the machine do its next step on a file that it has had from the start."""
    chosen = random_questionnaire(sandbox, tenant, statuses=machine.WALKS[SPREADSHEET][:-1])
    if chosen is not None:
        machine.step(sandbox, tenant.id, chosen["id"])


def draft_answers(sandbox: Sandbox, tenant: Tenant) -> None:
    """Finish some answers that the machine still writes."""
    chosen = random_questionnaire(sandbox, tenant, statuses=("IN_PROGRESS", "GENERATING_ANSWERS"))
    if chosen is not None:
        for response in machine.pending_responses(sandbox, tenant.id, chosen["id"])[:3]:
            machine.draft(sandbox, tenant.id, response)


def approve_answer(sandbox: Sandbox, tenant: Tenant) -> None:
    """Let a colleague approve an answer in the platform's own app."""
    chosen = random_questionnaire(sandbox, tenant, statuses=("IN_REVIEW", "READY_FOR_REVIEW"))
    if chosen is None:
        return
    waiting = Clause(sql="json_extract(body, '$.approvedBy') IS NULL AND json_extract(body, '$.originType') IS NOT NULL")
    for response in sandbox.objects.all(tenant.id, "responses", parent_id=chosen["id"], where=[waiting], limit=1):
        responses.approve(sandbox, tenant, response["id"])


def receive_access_request(sandbox: Sandbox, tenant: Tenant) -> None:
    """Let somebody ask for access; when nobody has decided for long, a colleague refuses the oldest request."""
    if sandbox.objects.counts(tenant.id)[OPEN] >= MAX_OPEN_REQUESTS:
        access_requests.deny(sandbox, tenant, oldest(sandbox, tenant, OPEN)["id"], reason="No answer to our questions")
    if sandbox.objects.counts(tenant.id)[HISTORICAL] > MAX_HISTORICAL_REQUESTS:
        sandbox.objects.delete(tenant.id, HISTORICAL, oldest(sandbox, tenant, HISTORICAL)["id"])
    newcomers.access_request(sandbox, tenant)


def receive_questionnaire(sandbox: Sandbox, tenant: Tenant) -> None:
    """Let a customer send a file; when there are many, the oldest finished questionnaire is deleted for it."""
    if sandbox.objects.counts(tenant.id)[questionnaires.KIND] >= MAX_QUESTIONNAIRES:
        finished = in_statuses(FINISHED)
        found = sandbox.objects.all(tenant.id, questionnaires.KIND, where=[finished], oldest_first=True, limit=1)
        if not found:
            return
        questionnaires.delete(sandbox, tenant.id, found[0]["id"])
    newcomers.questionnaire(sandbox, tenant)


def visit(sandbox: Sandbox, tenant: Tenant) -> None:
    """Let somebody look at the Trust Center, and now and then ask its chatbot; the oldest makes room. No event tells of it."""
    visits.look_around(sandbox, tenant)
    if CHOICE.random() < A_QUESTION:
        visits.ask(sandbox, tenant)
    counts = sandbox.objects.counts(tenant.id)
    for kind, most in MAX_VISITS.items():
        if counts[kind] > most:
            sandbox.objects.delete(tenant.id, kind, oldest(sandbox, tenant, kind)["id"])


def oldest(sandbox: Sandbox, tenant: Tenant, kind: str) -> Json:
    return sandbox.objects.all(tenant.id, kind, oldest_first=True, limit=1)[0]


def random_questionnaire(sandbox: Sandbox, tenant: Tenant, *, statuses: tuple[str, ...]) -> Json | None:
    found = sandbox.objects.all(tenant.id, questionnaires.KIND, where=[in_statuses(statuses)], limit=200)
    return CHOICE.choice(found) if found else None


def in_statuses(statuses: tuple[str, ...]) -> Clause:
    marks = ", ".join("?" * len(statuses))
    return Clause(sql=f"json_extract(body, '$.status') IN ({marks})", values=statuses)


HAPPENINGS: tuple[Callable[[Sandbox, Tenant], None], ...] = (
    advance_questionnaire,
    *(advance_machine,) * 2,
    *(draft_answers,) * 2,
    approve_answer,
    *(receive_access_request,) * 2,
    receive_questionnaire,
)
