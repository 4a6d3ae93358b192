"""Requests decided from the queue of Today."""

import pytest

from portal.access_requests.forms import REASONS
from portal.access_requests.models import Decision, Verb
from portal.tenants.models import Role
from portal.work_items.models import WorkItem
from tests.access_requests.conftest import let_leave
from tests.work_items.support import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def item(desk):
    work_off()
    return WorkItem.objects.get(kind="access_request", object_id=desk.waiting.pk)


def deny(client, item, reason, **options):
    return client.post(f"/t/acme/today/{item.pk}/deny/", {"value": reason}, **options)


def test_a_request_is_denied_with_one_of_the_reasons_and_the_platform_is_told_it(client, alice, desk, item):
    client.force_login(alice)
    assert deny(client, item, REASONS[1]).status_code == 302
    decision = Decision.objects.get()
    assert (decision.verb, decision.reason) == (Verb.DENY, REASONS[1])
    let_leave()
    assert desk.decisions_sent() == ["deny"]


@pytest.mark.parametrize("reason", ["", "Because."])
def test_without_a_reason_nobody_is_denied(client, alice, item, reason):
    client.force_login(alice)
    refused = deny(client, item, reason, headers={"HX-Request": "true"})
    assert refused.status_code == 422
    assert "Choose a reason: the person is told." in refused["HX-Trigger"]
    assert not Decision.objects.exists()


def test_an_analyst_denies_nobody_from_the_row(client, member, item):
    client.force_login(member(Role.ANALYST))
    assert deny(client, item, REASONS[0]).status_code == 403
    assert "Deny, saying" not in client.get("/t/acme/?whose=team").content.decode()
    assert not Decision.objects.exists()
