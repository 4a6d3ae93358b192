"""Selecting rows of the list and saying what is to be done with them."""

import pytest
from django.utils import timezone

from portal.questionnaires import services
from portal.questionnaires.models import AssignableUser, BulkRun, Questionnaire
from portal.tenants.scope import tenant_scope
from tests.questionnaires.conftest import let_work
from tests.questionnaires.test_list import PAGE, make
from tests.support.members import find_member

BULK = f"{PAGE}bulk/"


@pytest.fixture
def rows(scoped, client, alice):
    client.force_login(alice)
    return [make(f"Customer {number:02}", due=number - 5, owner="Mara" if number < 4 else "") for number in range(12)]


def keys(rows):
    return [str(row.pk) for row in rows]


def add_person(name="Alice Ames", platform_id="user-alice"):
    return AssignableUser.objects.create(platform_id=platform_id, name=name, read_at=timezone.now())


def test_ticked_rows_are_taken(client, rows):
    add_person()
    answer = client.post(BULK, {"action": "take", "chosen": keys(rows[:3])})
    run = BulkRun.objects.get()
    assert answer["Location"] == f"{BULK}{run.pk}/"
    assert (run.owner_id, run.asked_by_name) == ("user-alice", "Alice Ames")
    assert sorted(item.questionnaire_id for item in run.items.all()) == [row.pk for row in rows[:3]]


def test_take_without_a_match_says_so_and_offers_to_assign(client, rows):
    add_person("Somebody Else")
    answer = client.post(BULK, {"action": "take", "chosen": keys(rows[:2])})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "lists no one called Alice Ames" in page
    assert "Somebody Else" in page
    assert not BulkRun.objects.exists()


def test_assign_asks_who_and_then_begins(client, rows):
    add_person("Somebody Else", "user-else")
    asked = client.post(BULK, {"action": "assign", "chosen": keys(rows[:2])})
    assert b"Somebody Else" in asked.content
    assert not BulkRun.objects.exists()
    sent = {"action": "assign", "chosen": keys(rows[:2]), "confirmed": "1"}
    assert client.post(BULK, sent | {"owner": "user-unknown"}).status_code == 422
    assert client.post(BULK, sent | {"owner": "user-else"}).status_code == 302
    assert (BulkRun.objects.get().owner_name, BulkRun.objects.get().items.count()) == ("Somebody Else", 2)


def test_r2_whoever_is_asked_sees_every_questionnaire_that_is_meant(client, rows):
    asked = client.post(BULK, {"action": "not-ours", "chosen": keys(rows)}).content.decode()
    assert "and 7 more" in asked
    assert [str(row) for row in rows if f"<li>{row}</li>" not in asked] == []


def test_a_due_date_is_the_end_of_the_day_for_whoever_sets_it(client, rows, alice):
    sent = {"action": "due", "chosen": keys(rows[:1]), "confirmed": "1", "due_on": "2027-03-04"}
    assert client.post(BULK, sent).status_code == 302
    at = timezone.localtime(BulkRun.objects.get().new_due_at, alice.zone)
    assert f"{at:%Y-%m-%d %H:%M}" == "2027-03-04 23:59"


def test_all_that_match_the_filter_are_asked_about_and_changed(client, rows):
    make("Finished", status="COMPLETE", owner="Mara")
    [make(f"More of Mara {number}", owner="Mara") for number in range(60)]
    query = "?owner=user-Mara"
    asked = client.post(BULK + query, {"action": "hold", "all": "1"})
    assert b"Hold: 64 questionnaires" in asked.content
    client.post(BULK + query, {"action": "hold", "all": "1", "confirmed": "1"})
    changed = {item.questionnaire.owner_name for item in BulkRun.objects.get().items.select_related("questionnaire")}
    assert (BulkRun.objects.get().items.count(), changed) == (64, {"Mara"})


def test_more_than_a_run_takes_is_refused_in_words(client, rows, monkeypatch):
    monkeypatch.setattr("portal.questionnaires.views.bulk.MAX_ITEMS", 10)
    monkeypatch.setattr("portal.questionnaires.services.bulk.MAX_ITEMS", 10)
    asked = client.post(BULK, {"action": "hold", "all": "1", "confirmed": "1"})
    assert asked.status_code == 422
    assert b"Narrow the filter first" in asked.content
    assert not BulkRun.objects.exists()


@pytest.mark.parametrize(
    "sent", [{}, {"action": "take"}, {"action": "x", "chosen": "1"}, {"action": "hold", "chosen": "9" * 18}]
)
def test_nothing_selected_changes_nothing(client, rows, sent):
    answer = client.post(BULK + "?stage=all", sent, follow=True)
    assert answer.redirect_chain[0][0] == f"{PAGE}?stage=all"
    assert b"no questionnaire is selected" in answer.content


def test_s1_rows_of_another_tenant_are_not_among_the_chosen(client, rows, globex):
    with tenant_scope(globex.pk):
        foreign = make("Globex secret")
    client.post(BULK, {"action": "hold", "chosen": [*keys(rows[:1]), str(foreign.pk)]})
    assert [item.questionnaire_id for item in BulkRun.objects.get().items.all()] == [rows[0].pk]


def test_s1_a_run_of_another_tenant_is_not_there(client, rows, mallory, globex):
    client.post(BULK, {"action": "hold", "chosen": keys(rows[:1])})
    run = BulkRun.objects.get()
    client.force_login(mallory)
    assert client.get(f"/t/globex/questionnaires/bulk/{run.pk}/").status_code == 404
    assert client.post(f"/t/globex/questionnaires/bulk/{run.pk}/retry/").status_code == 404


def test_a_viewer_sees_neither_boxes_nor_buttons(client, rows, bob):
    client.force_login(bob)
    page = client.get(PAGE).content
    assert b'name="chosen"' not in page
    assert b"Save view" not in page


def test_an_open_run_is_told_on_the_list(client, rows):
    client.post(BULK, {"action": "hold", "chosen": keys(rows[:1])})
    assert b"is still running" in client.get(PAGE).content


def test_w4_a_run_from_the_list_to_the_platform(desk, client, alice):
    client.force_login(alice)
    rows = list(Questionnaire.objects.all())
    client.post(BULK, {"action": "not-ours", "chosen": keys(rows), "confirmed": "1"})
    let_work()
    assert {desk.there(row)["status"] for row in rows} == {"NO_LONGER_NEEDED"}
    page = client.get(f"{BULK}{BulkRun.objects.get().pk}/").content.decode()
    assert "3 of 3 changed" in page
    assert services.retry_bulk_run(BulkRun.objects.get(), member=find_member(user=alice)) == 0
