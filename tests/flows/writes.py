"""Every kind of write that people make on the platform, up to the words that they read when it was not made.

Each is a generator: what it needs is there when it stops for the first time; then it makes the write and yields the words.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import count
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from portal.access_requests.models import AccessRequest, Decision, Viewer
from portal.access_requests.services.viewer_runs import VIEWERS
from portal.access_requests.tasks import send_decisions, work_on_viewer_run
from portal.contracts import selectors as contracts
from portal.contracts.models import Contract, Removal, Upload
from portal.contracts.tasks import remove_contract, send_upload
from portal.customers.models import ImportItem
from portal.customers.services.imports import IMPORTS, start_import
from portal.customers.tasks import work_on_import
from portal.deletion_requests.models import DeletionRequest
from portal.platform_writes.bulk import due_runs
from portal.questionnaires.models import Export
from portal.tags.models import Category, SwitchChange
from portal.tenants.models import Membership
from portal.tenants.scope import current_tenant_id
from tests.access_requests import conftest as access
from tests.access_requests import viewers
from tests.contracts import conftest as contract_desk
from tests.customers import conftest as customers
from tests.deletion_requests import conftest as deletions
from tests.questionnaires import conftest as questionnaires
from tests.questionnaires import exports, intakes
from tests.support.refusers import words
from tests.tags import conftest as tags

type Steps = Iterator[str]
_numbers = count(1)


class World:
    """A person at acme, and the sandbox on the other side."""

    def __init__(self, client: Client, member: Membership, sandbox: Any, platform_id: str) -> None:
        self.client, self.member = client, member
        self.sandbox, self.platform_id = sandbox, platform_id
        self.number = next(_numbers)

    @property
    def name(self) -> str:
        """Something that is not there yet."""
        self.number = next(_numbers)
        return f"Initech {self.number}"


def save_an_answer(world: World) -> Steps:
    desk = questionnaires.Desk(world.sandbox, world.platform_id)
    desk.fetch()
    response = desk.set_answer(questionnaires.TWO_PARTS, {"p1": "Yes", "p2": ""})
    yield ""
    sent = questionnaires.fill_in(response, p2=world.name)
    yield words(world.client.post(questionnaires.address(response), sent, follow=True))


def _step(verb: str, **fields: str) -> Callable[[World], Steps]:
    def step(world: World) -> Steps:
        desk = questionnaires.Desk(world.sandbox, world.platform_id)
        desk.fetch()
        address = questionnaires.address(desk.questionnaire)
        yield ""
        yield words(world.client.post(f"{address}{verb}/", fields, follow=True))

    return step


def export_a_questionnaire(world: World) -> Steps:
    desk = questionnaires.Desk(world.sandbox, world.platform_id)
    desk.fetch()
    Export.objects.all().delete()
    yield ""
    yield words(exports.ask(world.client, desk, follow=True))


def hand_in_a_questionnaire(world: World) -> Steps:
    file = intakes.upload(f"{world.name}.xlsx", intakes.XLSX + str(world.number).encode())
    yield ""
    yield words(world.client.post(intakes.NEW, {"file": file}, follow=True))


def _decide(press: Callable[[Client, AccessRequest], object]) -> Callable[[World], Steps]:
    def decide_a_request(world: World) -> Steps:
        desk = access.Desk(world.sandbox, world.platform_id)
        desk.fetch()
        Decision.objects.all().delete()
        press(world.client, desk.waiting)
        Decision.objects.scheduled().update(send_at=timezone.now())
        yield ""
        send_decisions(current_tenant_id())
        decision = Decision.objects.get()
        yield decision.description or decision.get_state_display()

    return decide_a_request


def change_a_viewer(world: World) -> Steps:
    access.Desk(world.sandbox, world.platform_id).fetch()
    row = Viewer.objects.present().order_by("pk")[0]
    run = viewers.start(world.member, "extend", [row], expires_at=timezone.now() + timedelta(days=30 + world.number))
    yield ""
    for tenant_id, run_id in due_runs(VIEWERS):
        work_on_viewer_run(tenant_id, run_id)
    run.refresh_from_db()
    yield viewers.words_of(run)[0] or run.wait_description
    run.delete()


def create_a_customer(world: World) -> Steps:
    typed = customers.typed(name=world.name, domain=f"initech{world.number}.example")
    yield ""
    yield words(world.client.post(f"{customers.PAGE}new/", typed, follow=True))


def change_a_customer(world: World) -> Steps:
    desk = customers.Desk(world.sandbox, world.platform_id)
    desk.fetch()
    row = desk.first
    seen = row.updated_at.isoformat() if row.updated_at else ""
    sent = {"name": f"{row.name} {world.number}", "domain": row.domain, "seen": seen, "is_second": "on"}
    yield ""
    yield words(world.client.post(f"{customers.PAGE}{row.platform_id}/edit/", sent, follow=True))


def import_customers(world: World) -> Steps:
    run = start_import([(world.name, f"initech{world.number}.example")], filename="customers.csv", member=world.member)
    yield ""
    for tenant_id, run_id in due_runs(IMPORTS):
        work_on_import(tenant_id, run_id)
    run.refresh_from_db()
    yield ImportItem.objects.get(run=run).description or run.wait_description
    run.delete()


def upload_a_contract(world: World) -> Steps:
    Upload.objects.all().delete()
    external_id = f"MSA-{world.name}"
    file = SimpleUploadedFile(f"{external_id}.pdf", contract_desk.PDF + external_id.encode())
    world.client.post(f"{contract_desk.PAGE}upload/", {"file": file, "external_id": external_id})
    yield ""
    for tenant_id, upload_id in contracts.due_uploads():
        send_upload(tenant_id, upload_id)
    yield Upload.objects.get().last_error


def delete_a_contract(world: World) -> Steps:
    desk = contract_desk.Desk(world.sandbox, world.platform_id)
    desk.fetch()
    Removal.objects.all().delete()
    row = Contract.objects.present().order_by("pk")[0]
    world.client.post(f"{contract_desk.PAGE}{row.platform_id}/delete/", {"name": row.title})
    yield ""
    for tenant_id, removal_id in contracts.due_removals():
        remove_contract(tenant_id, removal_id)
    yield Removal.objects.get().description


def erase_a_person(world: World) -> Steps:
    address = f"{world.name.replace(' ', '')}@northwind.example"
    page = world.client.post(f"{deletions.PAGE}new/", deletions.first_step(address))
    sent = deletions.second_step(page) | {"again": address, "note": ""}
    yield ""
    world.client.post(f"{deletions.PAGE}submit/", sent)
    yield DeletionRequest.objects.latest("pk").problem


def switch_a_tag(world: World) -> Steps:
    desk = tags.Desk(world.sandbox, world.platform_id)
    if not Category.objects.exists():
        desk.compare()
    SwitchChange.objects.all().delete()
    category = desk.unused
    yield ""
    yield words(tags.press(world.client, category, tags.CENTER))


WRITES: dict[str, Callable[[World], Steps]] = {
    "answer": save_an_answer,
    "status": _step("status", status="ON_HOLD"),
    "approval": _step("approve"),
    "export": export_a_questionnaire,
    "intake": hand_in_a_questionnaire,
    "approval of access": _decide(access.approve),
    "denial of access": _decide(access.deny),
    "viewer": change_a_viewer,
    "customer": create_a_customer,
    "change of a customer": change_a_customer,
    "import": import_customers,
    "contract": upload_a_contract,
    "removal": delete_a_contract,
    "erasure": erase_a_person,
    "tag": switch_a_tag,
}

CALLS: dict[str, str] = {
    "answer": "questionnaires.responses.update",
    "status": "questionnaires.update",
    "approval": "questionnaires.approve",
    "export": "questionnaires.exports.start",
    "intake": "questionnaires.create_from_file",
    "approval of access": "trust_center.access_requests.approve",
    "denial of access": "trust_center.access_requests.deny",
    "viewer": "trust_center.viewers.update",
    "customer": "accounts.create",
    "change of a customer": "accounts.update",
    "import": "accounts.create",
    "contract": "contracts.create",
    "removal": "contracts.delete",
    "erasure": "deletion_requests.create",
    "tag": "tag_categories.enable",
}
"""The call of the client that each of them makes. The others are tried in their rooms (`test_refusers.py`)."""
