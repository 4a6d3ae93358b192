"""Requests decided from the queue of Today."""

import pytest

from portal.access_requests.forms import REASONS
from portal.access_requests.models import PARTIAL, Decision, DecisionState, DeskSettings, ListedDomain, Verb
from portal.access_requests.work import build
from portal.tenants.models import Role
from portal.work_items.models import WorkItem
from tests.access_requests.conftest import approve, let_leave, make
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
    assert "Choose a reason. It's sent to the person." in refused["HX-Trigger"]
    assert not Decision.objects.exists()


def test_an_analyst_denies_nobody_from_the_row(client, member, item):
    client.force_login(member(Role.ANALYST))
    assert deny(client, item, REASONS[0]).status_code == 403
    assert "Deny with reason" not in client.get("/t/acme/?whose=team").content.decode()
    assert not Decision.objects.exists()


def test_what_somebody_has_to_see_first_is_not_approved_from_the_row(client, alice, desk):
    known = desk.documents[0].platform_id
    ListedDomain.objects.create(domain="blocked.example", listed_by_name="Alice")
    to_do = {
        make("Mallory", email="mallory@eu.blocked.example").pk: "Open it: its domain is blocked",
        make("Vague", level=PARTIAL).pk: "Choose documents, or deny",
        make("Odd", level="WATERMARKED").pk: "Choose documents, or deny",
        make("Late", level=PARTIAL, requested_resources=[known, "gone"]).pk: (
            "Open it: it asks for a document we don't recognize"
        ),
    }
    plain = make("Ada", level=PARTIAL, requested_resources=[known]).pk
    items = build([*to_do, plain])
    assert {key: item.to_do for key, item in items.items()} == to_do | {plain: "Approve or deny 1 document"}
    assert {item.actions for key, item in items.items() if key != plain} == {("deny",)}
    assert items[plain].actions == ("approve", "deny")
    work_off()
    client.force_login(alice)
    for item in WorkItem.objects.filter(kind="access_request", object_id__in=to_do):
        assert client.post(f"/t/acme/today/{item.pk}/approve/", headers={"HX-Request": "true"}).status_code == 422
    assert not Decision.objects.exists()


@pytest.mark.parametrize(
    ("page", "htmx_target", "undo"),
    [
        ("/t/acme/?whose=team&desk=Access+requests", "today", "/t/acme/today/undo/"),
        ("/portfolio/?desk=Access+requests", "portfolio", "/portfolio/undo/"),
    ],
)
def test_whoever_asked_for_a_second_approval_waits_and_who_gives_it_can_undo(
    client, alice, member, desk, page, htmx_target, undo
):
    second = member(Role.APPROVER)
    DeskSettings.objects.create(needs_two_for_approval=True)
    assert approve(client_of(client, alice), desk.waiting).status_code == 302
    decision = Decision.objects.get()
    assert decision.state == DecisionState.AWAITING_SECOND
    work_off()
    item = WorkItem.objects.get(kind="access_request", object_id=decision.access_request_id)
    confirm = f"/{item.pk}/confirm/"
    headers = {"HX-Request": "true", "HX-Target": htmx_target}
    own = client.get(page, headers=headers).content.decode()
    assert "Waiting for second approval" in own
    assert "Give the second approval" not in own
    assert confirm not in own
    other = client_of(client, second).get(page, headers=headers).content.decode()
    assert "Give the second approval, first approved by Alice Ames" in other
    assert "Waiting for second approval" not in other
    assert confirm in other
    assert client.post(f"/t/acme/today/{item.pk}/confirm/").status_code == 302
    decision.refresh_from_db()
    assert (decision.state, decision.second_by) == (DecisionState.SCHEDULED, second)
    for user in (alice, second):
        assert "Sending 1 decision" in client_of(client, user).get(page, headers=headers).content.decode()
    assert "1 decision undone" in client.post(undo, headers=headers)["HX-Trigger"]
    decision.refresh_from_db()
    assert (decision.state, decision.undone_by_name) == (DecisionState.UNDONE, str(second))


def test_an_undo_that_finds_nothing_says_so(client, alice, desk):
    client.force_login(alice)
    assert b"Nothing was left to undo" in client.post("/t/acme/today/undo/", follow=True).content


def client_of(client, user):
    client.force_login(user)
    return client
