"""What was opened last is offered first: for oneself, in its tenant, as long as it is there."""

import re

import pytest
from django.utils import timezone

from portal.access_requests.models import AccessRequest
from portal.commands.models import Recent
from portal.commands.recent import KEPT
from portal.contracts.models import Contract
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.commands.test_search import found
from tests.questionnaires.test_list import make
from tests.support.members import add_member
from tests.today.test_portfolio import add_request

OPENED = "/t/acme/search/opened/"
NOTED = re.compile(
    r'hx-post="([^"]+)"[^>]*><input type="hidden" name="kind" value="([^"]+)"><input type="hidden" name="id" value="([^"]+)">'
)

pytestmark = pytest.mark.both


@pytest.fixture
def objects(client, alice, acme, scoped):
    client.force_login(alice)
    make("SIG Lite", platform_id="sheet/1", payload={"id": "sheet/1", "status": "IN_PROGRESS"})
    Contract.objects.create(platform_id="paper-1", name="Northwind MSA", created_at=timezone.now(), search="northwind msa")
    add_request(acme, "Jane")


def look_at(client, path: str) -> None:
    """Open a page, and do what it does by itself in a browser."""
    page = client.get(path).content.decode()
    [(url, kind, object_id)] = NOTED.findall(page)
    assert client.post(url, {"kind": kind, "id": object_id}).status_code == 204


def test_what_was_opened_last_comes_first(client, objects):
    assert "Recent" not in found(client, "")
    look_at(client, "/t/acme/questionnaires/sheet~2f1/")
    look_at(client, "/t/acme/contracts/paper-1/")
    look_at(client, "/t/acme/access-requests/ask-Jane/")
    assert found(client, "")["Recent"] == ["Jane", "Northwind MSA", "SIG Lite"]
    look_at(client, "/t/acme/contracts/paper-1/")
    shown = found(client, "")
    assert next(iter(shown)) == "Recent"
    assert shown["Recent"] == ["Northwind MSA", "Jane", "SIG Lite"]
    [group] = [each for each in client.get("/t/acme/search/").context["groups"] if each.label == "Recent"]
    assert {client.get(each.url).status_code for each in group.found} == {200}


def test_words_narrow_it_and_nothing_is_shown_twice(client, objects):
    look_at(client, "/t/acme/contracts/paper-1/")
    shown = found(client, "northwind")
    assert shown["Recent"] == ["Northwind MSA"]
    assert "Contracts" not in shown


def test_what_is_gone_or_was_never_there_is_not_offered(client, objects):
    look_at(client, "/t/acme/access-requests/ask-Jane/")
    client.post(OPENED, {"kind": "contract", "id": "nowhere"})
    client.post(OPENED, {"kind": "nothing", "id": "paper-1"})
    client.post(OPENED, {})
    assert Recent.objects.get().objects_opened == [["access_request", "ask-Jane"]]
    AccessRequest.objects.all().delete()
    assert "Recent" not in found(client, "")


def test_a_few_are_kept(client, objects):
    now = timezone.now()
    for number in range(KEPT + 3):
        Contract.objects.create(platform_id=f"c{number}", name=f"Contract {number}", created_at=now)
        client.post(OPENED, {"kind": "contract", "id": f"c{number}"})
    kept = Recent.objects.get().objects_opened
    assert len(kept) == KEPT
    assert kept[0] == ["contract", f"c{KEPT + 2}"]


def test_s1_it_is_ones_own_and_stays_in_its_tenant(client, alice, bob, globex, objects):
    add_member(tenant=globex, user=alice, role=Role.OWNER)
    look_at(client, "/t/acme/contracts/paper-1/")
    client.post("/t/globex/search/opened/", {"kind": "contract", "id": "paper-1"})
    with tenant_scope(globex.pk):
        assert not Recent.objects.exists()
        groups = client.get("/t/globex/search/").context["groups"]
    assert "Recent" not in [group.label for group in groups]
    client.force_login(bob)
    assert "Recent" not in found(client, "")


def test_s1_a_stranger_notes_nothing(client, mallory, objects):
    client.force_login(mallory)
    assert client.post(OPENED, {"kind": "contract", "id": "paper-1"}).status_code == 404
    assert not Recent.objects.exists()
