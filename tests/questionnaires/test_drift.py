"""Questions that customers got different answers to: noticed, shown, settled by a person, and back with another answer."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.questionnaires.models import Drift, DriftProgress, Questionnaire, Response
from portal.questionnaires.sent_answers import sent_answers_of
from portal.questionnaires.services import drifting
from portal.questionnaires.tasks import sweep_drift
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.questionnaires.conftest import TWO_PARTS, address
from tests.support.readings import all_was_read

PAGE = "/t/acme/questionnaires/drift/"
SAME = "How soon do you tell of a breach?"


@pytest.fixture
def platform_tenant(sandbox):
    return sandbox.create_tenant(questionnaires=4, responses_per_questionnaire=3)


@pytest.fixture
def rows(desk) -> list[Response]:
    """One question of each of four questionnaires, all of them finished; no other has an answer."""
    for response in Response.objects.all():
        desk.change_there(response, answerPartsValues={}, question=f"Something else {response.pk}", approvedBy=None)
    for number, one in enumerate(Questionnaire.objects.order_by("pk")):
        desk.change_there(one, status="COMPLETE", updatedDate=f"2099-01-0{number + 1}T00:00:00.000Z")
    return [Response.objects.filter(questionnaire=one).order_by("position")[0] for one in Questionnaire.objects.order_by("pk")]


@pytest.fixture
def told(desk, rows):
    """Give the question these answers, in one questionnaire after the other, there and here; then compare."""

    def tell(*answers: str, **changes) -> list[Drift]:
        for row, words in zip(rows, answers, strict=False):
            values = {"p2": words} if words else {}
            desk.change_there(row, question=SAME, answerPartsSchema=TWO_PARTS, answerPartsValues=values, **changes)
        desk.fetch()
        compare()
        return list(Drift.objects.open())

    return tell


def compare() -> None:
    """Compare everything, as if the last minutes had passed."""
    DriftProgress.objects.all().delete()
    assert not drifting.compare(seconds=600)


def settle(client, drift: Drift):
    return client.post(f"{PAGE}{drift.pk}/", {"seen": drift.version})


def page_of(client, query: str = "") -> str:
    return client.get(f"{PAGE}{query}").content.decode()


def test_different_answers_of_finished_questionnaires_are_noticed(told, analyst, rows):
    [drift] = told("24 hours.", "72 hours.", "24 hours")
    assert drift.question == SAME
    [shown] = sent_answers_of([drift], most=5, slug="acme")
    assert [(answer.response.answer_text, answer.count) for answer in shown.answers] == [("24 hours", 2), ("72 hours.", 1)]
    page = page_of(analyst)
    assert "Told 2 times, last in" in page
    assert "Told once in" in page
    assert f'href="{address(rows[2])}"' in page


@pytest.mark.parametrize("answers", [("24 hours.", "24 hours"), ("24 hours.", ""), ()])
def test_one_answer_is_no_drift(told, analyst, answers):
    assert told(*answers) == []
    all_was_read("questionnaire")
    assert "Customers were told the same" in page_of(analyst)


def test_an_answer_of_an_open_questionnaire_does_not_count(told, desk, rows):
    desk.change_there(rows[1].questionnaire, status="IN_PROGRESS")
    assert told("24 hours.", "72 hours.") == []
    desk.change_there(rows[1].questionnaire, status="COMPLETE", updatedDate="2100-01-01T00:00:00.000Z")
    desk.fetch()
    compare()
    assert Drift.objects.open().count() == 1
    desk.change_there(rows[1].questionnaire, status="IN_PROGRESS", updatedDate="2101-01-01T00:00:00.000Z")
    desk.fetch()
    compare()
    assert not Drift.objects.drifting().exists(), "it was opened again"


def test_both_are_right_until_there_is_another_answer(told, analyst, alice):
    [drift] = told("24 hours.", "72 hours.")
    settle(analyst, drift)
    all_was_read("questionnaire")
    assert "Customers were told the same" in page_of(analyst)
    settled = page_of(analyst, "?show=settled")
    assert "Alice Ames said" in settled
    assert "List it again" in settled
    assert Entry.objects.get(action="questionnaire.drift_dismiss").actor == alice
    assert told("24 hours.", "72 hours.", "72 hours") == [], "told once more is nothing new"
    [again] = told("24 hours.", "72 hours.", "Never.")
    assert again.pk == drift.pk
    assert "there is another one since" in page_of(analyst)


def test_an_answer_that_nobody_has_seen_is_not_settled(told, analyst):
    [seen] = told("24 hours.", "72 hours.")
    [now] = told("24 hours.", "72 hours.", "Never.")
    assert seen.pk == now.pk
    settle(analyst, seen)
    assert "There is another answer since" in page_of(analyst)
    assert list(Drift.objects.open()) == [now]


def test_the_word_of_a_person_can_be_taken_back(told, analyst):
    [drift] = told("24 hours.", "72 hours.")
    settle(analyst, drift)
    analyst.post(f"{PAGE}{drift.pk}/?show=settled", {"reopen": "1"})
    assert list(Drift.objects.open()) == [drift]


def test_what_was_settled_stays_settled_through_a_time_with_one_answer(told, desk, analyst):
    [drift] = told("24 hours.", "72 hours.")
    settle(analyst, drift)
    assert told("24 hours.", "24 hours.") == []
    assert told("24 hours.", "72 hours.") == []


def test_the_search_finds_words_of_the_question(told, analyst):
    told("24 hours.", "72 hours.")
    assert SAME in page_of(analyst, "?q=BREACH soon")
    assert "No question matches" in page_of(analyst, "?q=zebra")


def test_a_question_whose_wording_changed_leaves_no_row_behind(told, desk, rows):
    told("24 hours.", "72 hours.")
    for row in rows:
        desk.change_there(row, question=f"Quite different {row.pk}")
    desk.fetch()
    assert sent_answers_of(Drift.objects.drifting(), most=5, slug="acme") == [], "the page shows what is true now"
    Drift.objects.update(checked_at=timezone.now() - timedelta(days=2))
    compare()
    assert not Drift.objects.drifting().exists()


def test_the_sweep_compares_what_was_touched_and_rests_then(told, desk, scoped):
    told("24 hours.", "72 hours.")
    long_ago = timezone.now() - timedelta(hours=1)
    Questionnaire.objects.update(touched_at=long_ago)
    Drift.objects.all().delete()
    DriftProgress.objects.all().delete()
    assert drifting.tenants_to_compare() == [scoped.pk]
    sweep_drift()
    drifting.compare()
    assert drifting.tenants_to_compare() == []
    Questionnaire.objects.filter(pk=Questionnaire.objects.first().pk).update(touched_at=timezone.now())
    assert drifting.tenants_to_compare() == [scoped.pk]


def test_a_question_is_compared_once_for_all_that_were_touched_before(told, django_assert_max_num_queries):
    told("24 hours.", "72 hours.")
    Questionnaire.objects.update(touched_at=timezone.now() - timedelta(hours=1))
    DriftProgress.objects.all().delete()
    number = Questionnaire.objects.count()
    with django_assert_max_num_queries(10 + 4 * number):
        assert not drifting.compare(seconds=600)


def test_a_turn_that_is_over_goes_on_where_it_stopped(told, monkeypatch):
    monkeypatch.setattr(drifting, "BATCH", 1)
    told("24 hours.", "72 hours.")
    Drift.objects.all().delete()
    DriftProgress.objects.all().delete()
    Questionnaire.objects.update(touched_at=timezone.now() - timedelta(hours=1))
    turns = 1
    while drifting.compare(seconds=0):
        turns += 1
    assert turns > 3
    assert Drift.objects.open().count() == 1


def test_s1_another_tenants_answers_are_not_compared(told, globex, client, mallory):
    told("24 hours.", "72 hours.")
    with tenant_scope(globex.pk):
        drifting.compare()
        assert not Drift.objects.exists()
    client.force_login(mallory)
    assert SAME not in client.get("/t/globex/questionnaires/drift/").content.decode()


def test_viewers_read_and_settle_nothing(told, client, member):
    [drift] = told("24 hours.", "72 hours.")
    client.force_login(member(Role.VIEWER))
    assert SAME in page_of(client)
    assert "are right" not in page_of(client)
    assert client.post(f"{PAGE}{drift.pk}/").status_code == 403


def test_the_customers_are_named_and_linked_and_none_is_shown_by_its_id(analyst, told):
    told("Yes.", "No.")
    ids = ["65a0aaaaaaaaaaaaaaaaaaaa", "65a0bbbbbbbbbbbbbbbbbbbb"]
    for account_id, row in zip(ids, Questionnaire.objects.order_by("pk"), strict=False):
        Questionnaire.objects.filter(pk=row.pk).update(account_id=account_id)
    Account.objects.create(platform_id=ids[0], name="Northwind")
    page = analyst.get("/t/acme/questionnaires/drift/").content.decode()
    link = f'<a href="/t/acme/customers/{ids[0]}/">Northwind</a>'
    assert link in page
    assert "An account that is not known here" in page
    assert not [each for each in ids if each in page.replace(link, "")]
