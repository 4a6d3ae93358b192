import re
from datetime import timedelta

import pytest
from django.utils import timezone

from portal.access_requests.models import AccessRequest
from portal.connections.models import Connection, State
from portal.inbox.models import Rhythm
from portal.inbox.routes import MIRRORS
from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import Questionnaire
from portal.sync.services import reconcile_tenant, start_reconcile
from portal.tenants.scope import tenant_scope
from portal.work_items.models import WorkItem
from portal.work_items.selectors import SECTIONS
from portal.work_items.services import snooze
from tests.conftest import SandboxHandle
from tests.support.kept import after
from tests.support.members import add_second_tenant, remove_members
from tests.work_items.support import no_work_of_other_desks, work_off


def copied(sandbox: SandboxHandle, tenant_id: str) -> None:
    """Have the first copy of the lists."""
    start_reconcile(MIRRORS)
    reconcile_tenant(MIRRORS)
    no_work_of_other_desks()


@pytest.fixture
@after(copied)
def synced(connected, sandbox, platform_tenant):
    """Acme's connection, with the first copy of its lists."""
    return connected


@pytest.fixture
def page(client, alice, acme):
    client.force_login(alice)
    return lambda **headers: client.get("/t/acme/", headers=headers)


def test_before_the_first_connect_it_says_what_to_do(page):
    text = page().content.decode()
    assert "Connect the platform to get started" in text
    assert "Waiting on me" not in text


def test_it_counts_what_waits(page, synced, acme, alice, sandbox, platform_tenant):
    with tenant_scope(acme.pk):
        late, soon = Questionnaire.objects.open()[:2]
        now = timezone.now()
        Questionnaire.objects.update(due_at=None, status="IN_PROGRESS", owner_name="Alice Ames")
        for questionnaire, due_at in ((late, now - timedelta(days=2)), (soon, now + timedelta(days=2))):
            Questionnaire.objects.filter(pk=questionnaire.pk).update(due_at=due_at)
        open_count = Questionnaire.objects.present().open().count()
    answer = page()
    requests = len(sandbox.objects(platform_tenant["tenant_id"], "access-requests"))
    work = answer.context["work"]
    assert {name: count.number for name, count in work.counts.items() if count and name in SECTIONS} == {
        "overdue": 1,
        "waiting": open_count - 1 + requests,
    }
    assert [row.line.item.title for row in work.sections[0].rows] == [late.name]
    text = answer.content.decode()
    assert "2 days late" in text
    assert f"{open_count + requests} need you" in text
    assert f'data-count-of="today"><span class="count urgent">{open_count + requests}</span>' in text


def test_an_open_page_hears_of_changes_only(page, synced, acme):
    page_version = page().context["page_version"]
    assert page(HX_Request="true", Seen=page_version).status_code == 204
    with tenant_scope(acme.pk):
        start_reconcile(MIRRORS)
    fragment = page(HX_Request="true", Seen=page_version)
    assert fragment.status_code == 200
    assert b"<html" not in fragment.content


def test_r3_before_the_first_copy_nobody_is_called_free(page, connected):
    text = words(page())
    assert "Not checked yet" in text
    assert "Nothing needs you" not in text
    assert "Nothing is waiting for you" not in text


def test_a_lost_grant_is_said(page, synced, acme):
    with tenant_scope(acme.pk):
        Connection.objects.update(state=State.NEEDS_RECONNECTION, last_error="The account was rejected.")
    text = words(page())
    assert "The connection has ended" in text
    assert "The account was rejected. Your data stays" in text
    assert "The platform has ended" not in text


def words(answer) -> str:
    """Return what stands on a page."""
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def test_r3_without_the_trust_center_id_nobody_is_called_free_of_waiting(page, client, alice, connected, acme):
    add_second_tenant(alice)
    with tenant_scope(acme.pk):
        Connection.objects.update(slug_id="")
        start_reconcile(MIRRORS)
        reconcile_tenant(MIRRORS)
    answer = page()
    assert not answer.context["copies"].requests.is_known
    assert answer.context["copies"].questionnaires.is_current
    assert "Access requests: Not known: enter the Trust Center id" in words(answer)
    assert "Enter the Trust Center id" in answer.content.decode()
    portfolio = client.get("/portfolio/").content.decode()
    assert "Trust Center id missing" in portfolio
    assert '<span class="muted">waiting</span>' not in portfolio


@pytest.mark.parametrize("is_known", [True, False])
def test_r3_who_has_no_work_is_called_free_only_when_all_of_it_is_known(page, connected, acme, is_known):
    with tenant_scope(acme.pk):
        if not is_known:
            Connection.objects.update(slug_id="")
        start_reconcile(MIRRORS)
        reconcile_tenant(MIRRORS)
        Questionnaire.objects.update(status="COMPLETE")
        AccessRequest.objects.update(gone_at=timezone.now())
        no_work_of_other_desks()
    answer = page()
    assert not answer.context["has_rows"], "with work on it the page calls nobody free"
    text = words(answer)
    assert ("Nothing needs you" in text, "Nothing is waiting for you" in text) == (is_known, is_known)
    assert ("Not checked yet" in text) is not is_known


@pytest.mark.parametrize("state", [State.NEEDS_RECONNECTION, State.DISCONNECTED])
def test_r3_figures_of_an_ended_connection_are_dated(page, synced, acme, state):
    with tenant_scope(acme.pk):
        Connection.objects.update(state=state)
    text = words(page())
    for label in ("Questionnaires", "Access requests"):
        assert f"{label}: As of" in text


def test_s1_the_portfolio_shows_the_person_s_own_tenants_only(client, alice, acme, globex, synced):
    add_second_tenant(alice)
    client.force_login(alice)
    text = client.get("/portfolio/").content.decode()
    assert "Acme" in text
    assert "Globex" not in text


def test_a_person_without_a_tenant_is_told_what_to_do(client, bob, acme):
    remove_members(user=bob)
    client.force_login(bob)
    assert "Create a tenant" in client.get("/portfolio/").content.decode()


def test_the_portfolio_counts_what_today_counts(client, alice, acme, synced):
    add_second_tenant(alice)
    with tenant_scope(acme.pk):
        Questionnaire.objects.update(status="IN_PROGRESS", due_at=timezone.now() - timedelta(days=1))
    client.force_login(alice)
    text = client.get("/portfolio/").content.decode()
    team = client.get("/t/acme/?whose=team").context["work"]
    assert team.counts["overdue"].number == 3
    assert f'?whose=team">{team.needed} ' in text
    assert '?whose=team&amp;tab=overdue">3 ' in text


def test_the_requests_on_a_card_of_the_portfolio_are_those_that_it_leads_to(client, alice, acme, synced):
    add_second_tenant(alice)
    with tenant_scope(acme.pk):
        work_off()
        item = WorkItem.objects.filter(kind="access_request")[0]
        snooze(item, user_id=alice.pk, until=timezone.now() + timedelta(days=1))
        waiting = AccessRequest.objects.waiting().count()
    client.force_login(alice)
    text = client.get("/portfolio/").content.decode()
    [(url, figure)] = re.findall(r'<dt>Requests</dt><dd><a class="num" href="([^"]*)">(\d+)</a>', text)
    assert len(client.get(url).context["rows"]) == int(figure) == waiting


def test_the_portfolio_says_which_feed_is_silent_and_what_is_left_of_the_token_budget(client, alice, acme, synced):
    add_second_tenant(alice)
    client.force_login(alice)
    with tenant_scope(acme.pk):
        work_off()
    page = client.get("/portfolio/")
    text = words(page)
    assert "No events" not in text
    polled = {"HX-Request": "true", "HX-Target": "portfolio", "Seen": page.context["page_version"]}
    assert client.get("/portfolio/", headers=polled).status_code == 204
    assert re.search(r"Token budget, shared by all tenants .*\d+% used in the last 24 hours no backlog", text), text
    with tenant_scope(acme.pk):
        Rhythm.objects.create(silent_since=timezone.now() - timedelta(hours=5))
        touch_areas("inbox")
    refresh = client.get("/portfolio/", headers=polled)
    text = refresh.content.decode()
    cards = text.partition('id="tenant-cards" data-beside="portfolio" hx-swap-oob="true"')[2]
    assert "No events</" in cards.partition('id="tenants"')[0]
    attributes = 'id="tenants" data-beside="portfolio" aria-labelledby="tenants-title" hx-swap-oob="true"'
    assert "No events</" in text.partition(attributes)[2]
    assert "No events" in words(client.get("/portfolio/"))
