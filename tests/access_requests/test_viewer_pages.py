"""From ticked rows to a run: what is asked first, who may, and whose viewers they are."""

import pytest
from django.utils import timezone

from portal.access_requests.models import Viewer, ViewerItem, ViewerRun
from portal.tenants import personal_data
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.access_requests.conftest import make_viewer, words
from tests.access_requests.viewers import PAGE, let_work

CHANGE = f"{PAGE}change/"


@pytest.fixture
def rows(scoped):
    return [make_viewer(f"V{number}", days=10 + number) for number in range(3)]


def change(client, verb, rows, *, query="", **said):
    chosen = {"chosen": [row.pk for row in rows]} if isinstance(rows, list) else rows
    return client.post(CHANGE + query, {"action": verb, **chosen, **said})


def keys(run):
    return set(ViewerItem.objects.filter(run=run).values_list("viewer_id", flat=True))


@pytest.mark.parametrize(
    ("verb", "asked"),
    [
        ("extend", "Access ends"),
        ("shrink", "Documents to keep"),
        ("revoke", "You can&#x27;t undo this"),
        ("remind", "We skip anyone who was sent one within the last day"),
    ],
)
def test_every_verb_asks_first_and_says_what_will_happen(approver, rows, verb, asked):
    page = words(change(approver, verb, rows[:2]))
    assert asked in page
    assert "2 people" in page
    assert not ViewerRun.objects.exists()


def test_many_lead_to_the_page_of_their_run(approver, rows):
    answer = change(approver, "extend", rows, confirmed="1", expiry="90")
    run = ViewerRun.objects.get()
    assert answer["Location"] == f"{PAGE}changes/{run.pk}/"
    assert keys(run) == {row.pk for row in rows}
    page = words(approver.get(answer["Location"]))
    assert "0 of 3 done" in page
    assert "in progress" in words(approver.get(PAGE))
    assert "being changed" in words(approver.get(PAGE))


def test_one_leads_back_to_its_own_page_which_tells_how_it_goes(approver, rows):
    answer = change(approver, "revoke", rows[:1], query="?tab=all", confirmed="1")
    assert answer["Location"] == f"{PAGE}{rows[0].platform_id}/?tab=all"
    assert "Revoke access: Waiting" in words(approver.get(answer["Location"]))
    let_work()
    page = words(approver.get(answer["Location"]))
    assert "Revoke access: Not changed" in page
    assert "not connected" in page


def test_a_form_that_is_wrong_comes_back_as_it_was_sent(approver, rows):
    answer = change(approver, "extend", rows, confirmed="1", expiry="date")
    assert answer.status_code == 422
    assert "Choose a date." in words(answer)
    assert change(approver, "extend", rows, confirmed="1", expiry="date", expires_on="2020-01-01").status_code == 422
    assert change(approver, "shrink", rows, confirmed="1").status_code == 422
    assert not ViewerRun.objects.exists()


def test_all_that_match_are_those_at_the_moment_of_the_click(approver, rows):
    change(approver, "revoke", {"all": "1"}, query="?q=v1", confirmed="1")
    assert keys(ViewerRun.objects.get()) == {rows[1].pk}


def test_who_is_gone_is_not_changed_and_nobody_is_said(approver, rows):
    Viewer.objects.filter(pk=rows[0].pk).update(gone_at=timezone.now())
    answer = approver.post(CHANGE, {"action": "revoke", "chosen": [rows[0].pk, "x", "9" * 30], "confirmed": "1"}, follow=True)
    assert "No one is selected" in words(answer)
    assert "No one is selected" in words(approver.post(CHANGE, {"action": "explode", "chosen": rows[1].pk}, follow=True))
    assert not ViewerRun.objects.exists()


def test_too_many_are_told_so(approver, rows, monkeypatch):
    monkeypatch.setattr("portal.access_requests.views.viewer_runs.MAX_ITEMS", 2)
    assert "at most 2 people" in words(change(approver, "revoke", rows))


def test_s1_viewers_of_another_tenant_are_nobody(approver, rows, globex, scoped):
    with tenant_scope(globex.pk):
        foreign = make_viewer("Foreign")
    approver.post(CHANGE, {"action": "revoke", "chosen": [foreign.pk], "confirmed": "1"})
    assert not ViewerRun.objects.exists()
    assert approver.get(f"{PAGE}{foreign.platform_id}/").status_code == 404
    with tenant_scope(globex.pk):
        run = ViewerRun.objects.create(verb="revoke", asked_by_name="Mallory")
    assert approver.get(f"{PAGE}changes/{run.pk}/").status_code == 404
    assert approver.post(f"{PAGE}changes/{run.pk}/retry/").status_code == 404


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST])
def test_lower_roles_look_and_change_nothing(client, member, rows, role):
    client.force_login(member(role))
    page = words(client.get(f"{PAGE}{rows[0].platform_id}/"))
    assert "You need the Approver role to change access" in page
    assert 'name="action"' not in page
    assert ("export/" in page) == (role == Role.ANALYST)
    assert change(client, "revoke", rows, confirmed="1").status_code == 403
    assert not ViewerRun.objects.exists()


def test_a_run_whose_failures_are_tried_again(approver, rows):
    change(approver, "revoke", rows, confirmed="1")
    let_work()
    run = ViewerRun.objects.get()
    page = words(approver.get(f"{PAGE}changes/{run.pk}/"))
    assert "Try these 3 again" in page
    answer = approver.post(f"{PAGE}changes/{run.pk}/retry/", follow=True)
    assert "3 people will be tried again" in words(answer)
    assert "Nothing to try again" in words(approver.post(f"{PAGE}changes/{run.pk}/retry/", follow=True))


def test_the_pane_and_the_list_follow_by_themselves(approver, rows):
    path = f"{PAGE}{rows[0].platform_id}/"
    page = approver.get(path)
    for target, name in (("viewers", "page_version"), ("viewer", "pane_version")):
        headers = {"HX-Request": "true", "HX-Target": target, "Seen": page.context[name]}
        assert approver.get(path, headers=headers).status_code == 204
    change(approver, "revoke", rows[:1], confirmed="1")
    assert approver.get(path, headers=headers).status_code == 200


def test_erasing_a_person_erases_what_was_done_with_their_access(approver, rows):
    change(approver, "revoke", rows, confirmed="1")
    let_work()
    personal_data.erase(rows[0].email)
    run = ViewerRun.objects.get()
    assert keys(run) == {row.pk for row in rows[1:]}
    assert approver.get(f"{PAGE}changes/{run.pk}/").status_code == 200
