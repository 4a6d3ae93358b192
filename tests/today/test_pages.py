from datetime import timedelta

import pytest
from django.utils import timezone

from portal.connections.models import Connection, State
from portal.inbox.routes import MIRRORS
from portal.questionnaires.models import Questionnaire
from portal.sync.services import reconcile_tenant, start_reconcile
from portal.tenants.scope import tenant_scope


@pytest.fixture
def synced(connected, acme):
    """Acme's connection, with the first copy of its lists."""
    with tenant_scope(acme.pk):
        start_reconcile(MIRRORS)
        reconcile_tenant(MIRRORS)
    return connected


@pytest.fixture
def page(client, alice, acme):
    client.force_login(alice)
    return lambda **headers: client.get("/t/acme/", headers=headers)


def test_before_the_first_connect_it_says_what_to_do(page):
    text = page().content.decode()
    assert "Connect the platform to begin" in text
    assert "Due next" not in text


def test_it_counts_what_waits(page, synced, acme, sandbox, platform_tenant):
    with tenant_scope(acme.pk):
        late, soon = Questionnaire.objects.open()[:2]
        now = timezone.now()
        Questionnaire.objects.update(due_at=None, due_sort=now + timedelta(days=900))
        for questionnaire, due_at in ((late, now - timedelta(days=2)), (soon, now + timedelta(days=2))):
            Questionnaire.objects.filter(pk=questionnaire.pk).update(due_at=due_at, due_sort=due_at)
    answer = page()
    figures = answer.context["figures"]
    assert (figures.overdue, figures.due_this_week) == (1, 1)
    assert figures.waiting_requests == len(sandbox.objects(platform_tenant["tenant_id"], "access-requests"))
    assert [str(each) for each in answer.context["due_next"]] == [late.name, soon.name]
    assert "2 days late" in answer.content.decode()


def test_an_open_page_hears_of_changes_only(page, synced, acme):
    stamp = page().context["stamp"]
    assert page(HX_Request="true", Seen=stamp).status_code == 204
    with tenant_scope(acme.pk):
        start_reconcile(MIRRORS)
    piece = page(HX_Request="true", Seen=stamp)
    assert piece.status_code == 200
    assert b"<html" not in piece.content


def test_a_lost_grant_is_said(page, synced, acme):
    with tenant_scope(acme.pk):
        Connection.objects.update(state=State.NEEDS_RECONNECTION)
    assert "The platform has ended the grant" in page().content.decode()


def figure(text: str, label: str) -> str:
    """Return the card of one figure."""
    return next(card for card in text.split('class="card stat"') if label in card)


def test_r3_without_the_trust_center_id_nobody_is_called_free_of_waiting(page, client, connected, acme):
    with tenant_scope(acme.pk):
        Connection.objects.update(slug_id="")
        start_reconcile(MIRRORS)
        reconcile_tenant(MIRRORS)
    answer = page()
    assert not answer.context["copies"].requests.is_known
    assert answer.context["copies"].questionnaires.is_current
    card = figure(answer.content.decode(), "Access requests waiting")
    assert "Trust Center ID" in card
    assert "good" not in card.split("</div>")[0]
    assert "Enter the Trust Center ID" in answer.content.decode()
    portfolio = client.get("/portfolio/").content.decode()
    assert "Trust Center ID missing" in portfolio
    assert '<span class="muted">waiting</span>' not in portfolio


@pytest.mark.parametrize("state", [State.NEEDS_RECONNECTION, State.DISCONNECTED])
def test_r3_figures_of_an_ended_connection_are_dated(page, synced, acme, state):
    with tenant_scope(acme.pk):
        Connection.objects.update(state=state)
    for label in ("Overdue", "Open questionnaires", "Access requests waiting"):
        assert "As of" in figure(page().content.decode(), label)


def test_s1_the_portfolio_shows_the_person_s_own_tenants_only(client, alice, acme, globex, synced):
    client.force_login(alice)
    text = client.get("/portfolio/").content.decode()
    assert "Acme" in text
    assert "Globex" not in text


def test_a_person_without_a_tenant_is_told_what_to_do(client, bob, acme):
    bob.memberships.all().delete()
    client.force_login(bob)
    assert "Create a tenant" in client.get("/portfolio/").content.decode()
