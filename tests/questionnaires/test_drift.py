"""Questions that customers got different answers to: noticed, shown, settled by a person, and back with another answer."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.library.models import Entry as LibraryEntry
from portal.library.services import EntryContent, add_entry
from portal.questionnaires import stock_sentences
from portal.questionnaires.answer_meaning import Severity
from portal.questionnaires.drift_answers import DriftAnswers
from portal.questionnaires.models import Correction, CorrectionState, Drift, DriftProgress, Questionnaire, Response
from portal.questionnaires.services import decide_correction, drift_detection
from portal.questionnaires.tasks import sweep_drift
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import tenant_scope
from portal.tenants.services import create_tenant
from portal.work_items.models import WorkItem
from tests.questionnaires.conftest import TWO_PARTS, address
from tests.support.members import find_member
from tests.support.readings import all_was_read
from tests.work_items.support import kept_up, stored

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
    assert not drift_detection.compare(seconds=600)


def settle(client, drift: Drift):
    return client.post(f"{PAGE}{drift.pk}/resolve/", {"seen": drift.version})


def page_of(client, query: str = "") -> str:
    return client.get(f"{PAGE}{query}").content.decode()


def test_different_answers_of_finished_questionnaires_are_noticed(told, analyst, rows):
    [drift] = told("24 hours.", "72 hours.", "24 hours")
    assert drift.question == SAME
    assert drift.severity == Severity.FIGURE
    [shown] = DriftAnswers([drift], slug="acme").shown()
    assert [("".join(piece.text for piece in each.pieces), each.sent.count) for each in shown.answers] == [
        ("24 hours", 2),
        ("72 hours.", 1),
    ]
    assert [[piece.text for piece in each.pieces if piece.differs] for each in shown.answers] == [["24"], ["72"]]
    page = page_of(analyst)
    assert f'href="{address(rows[2])}"' in page
    assert "24</span>" not in page
    assert page.count("<mark>") == 2


@pytest.mark.parametrize("answers", [("24 hours.", "24 hours.\nPlease contact us if you need more."), ("24 hours.", ""), ()])
def test_one_answer_is_no_drift(told, analyst, answers):
    assert told(*answers) == []
    all_was_read("questionnaire")
    assert "Customers got the same answers" in page_of(analyst)


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
    assert "Customers got the same answers" in page_of(analyst)
    settled = page_of(analyst, "?show=settled")
    assert "Alice Ames settled this" in settled
    assert 'name="reopen"' in settled
    assert Entry.objects.get(action="questionnaire.drift_dismiss").actor == alice
    assert told("24 hours.", "72 hours.", "72 hours") == [], "told once more is nothing new"
    [again] = told("24 hours.", "72 hours.", "Never.")
    assert again.pk == drift.pk
    assert "Another answer was sent since" in page_of(analyst)


def test_an_answer_that_nobody_has_seen_is_not_settled(told, analyst):
    [seen] = told("24 hours.", "72 hours.")
    [now] = told("24 hours.", "72 hours.", "Never.")
    assert seen.pk == now.pk
    settle(analyst, seen)
    assert "There has been another answer since" in page_of(analyst)
    assert list(Drift.objects.open()) == [now]


def test_the_word_of_a_person_can_be_taken_back(told, analyst):
    [drift] = told("24 hours.", "72 hours.")
    settle(analyst, drift)
    analyst.post(f"{PAGE}{drift.pk}/resolve/?show=settled", {"reopen": "1"})
    assert list(Drift.objects.open()) == [drift]


def test_what_was_settled_stays_settled_through_a_time_with_one_answer(told, desk, analyst):
    [drift] = told("24 hours.", "72 hours.")
    settle(analyst, drift)
    assert told("24 hours.", "24 hours.") == []
    assert told("24 hours.", "72 hours.") == []


def test_the_search_finds_words_of_the_question(told, analyst):
    told("24 hours.", "72 hours.")
    assert SAME in page_of(analyst, "?q=BREACH soon")
    assert "No matching questions" in page_of(analyst, "?q=zebra")


def test_a_question_whose_wording_changed_leaves_no_row_behind(told, desk, rows):
    told("24 hours.", "72 hours.")
    for row in rows:
        desk.change_there(row, question=f"Quite different {row.pk}")
    desk.fetch()
    assert DriftAnswers(Drift.objects.drifting(), slug="acme").shown() == [], "the page shows what is true now"
    Drift.objects.update(checked_at=timezone.now() - timedelta(days=2))
    compare()
    assert not Drift.objects.drifting().exists()


def test_the_sweep_compares_what_was_touched_and_rests_then(told, desk, scoped):
    told("24 hours.", "72 hours.")
    long_ago = timezone.now() - timedelta(hours=1)
    Questionnaire.objects.update(touched_at=long_ago)
    Drift.objects.all().delete()
    DriftProgress.objects.all().delete()
    assert drift_detection.tenants_to_compare() == [scoped.pk]
    sweep_drift()
    drift_detection.compare()
    assert drift_detection.tenants_to_compare() == []
    Questionnaire.objects.filter(pk=Questionnaire.objects.first().pk).update(touched_at=timezone.now())
    assert drift_detection.tenants_to_compare() == [scoped.pk]


def test_it_finds_what_was_touched_with_no_more_queries_where_there_are_many_tenants(
    scoped, alice, django_assert_max_num_queries
):
    now = timezone.now()
    sheet = {"platform_id": "one", "name": "One", "created_at": now, "updated_at": now}
    Questionnaire.objects.create(**sheet)
    with CaptureQueriesContext(connection) as few:
        assert drift_detection.tenants_to_compare() == [scoped.pk]
    for number in range(3):
        with tenant_scope(create_tenant(f"Quiet {number}", owner=alice).pk):
            Questionnaire.objects.create(**sheet, touched_at=now - timedelta(hours=1))
            assert not drift_detection.compare()
    with django_assert_max_num_queries(len(few)):
        assert drift_detection.tenants_to_compare() == [scoped.pk]
    assert not drift_detection.compare()
    assert drift_detection.tenants_to_compare() == [scoped.pk], "the last minutes are looked at once more"
    Tenant.objects.filter(pk=scoped.pk).update(closed_at=now)
    assert drift_detection.tenants_to_compare() == []


def test_a_question_is_compared_once_for_all_that_were_touched_before(told, django_assert_max_num_queries):
    told("24 hours.", "72 hours.")
    Questionnaire.objects.update(touched_at=timezone.now() - timedelta(hours=1))
    DriftProgress.objects.all().delete()
    number = Questionnaire.objects.count()
    with django_assert_max_num_queries(16 + 4 * number):
        assert not drift_detection.compare(seconds=600)


def test_a_turn_that_is_over_goes_on_where_it_stopped(told, monkeypatch):
    monkeypatch.setattr(drift_detection, "BATCH", 1)
    told("24 hours.", "72 hours.")
    Drift.objects.all().delete()
    DriftProgress.objects.all().delete()
    Questionnaire.objects.update(touched_at=timezone.now() - timedelta(hours=1))
    turns = 1
    while drift_detection.compare(seconds=0):
        turns += 1
    assert turns > 3
    assert Drift.objects.open().count() == 1


def test_the_sweep_begins_no_second_row_of_turns_beside_one_that_is_under_way(told, monkeypatch, scoped):
    monkeypatch.setattr(drift_detection, "BATCH", 1)
    told("24 hours.", "72 hours.")
    DriftProgress.objects.all().delete()
    Questionnaire.objects.update(touched_at=timezone.now() - timedelta(hours=1))
    assert drift_detection.compare(seconds=0)
    assert drift_detection.tenants_to_compare() == []
    # Its worker was killed, or the message for the next turn is lost.
    DriftProgress.objects.update(turn_at=timezone.now() - timedelta(minutes=2))
    assert drift_detection.tenants_to_compare() == [scoped.pk]
    assert not drift_detection.compare(seconds=600)
    Questionnaire.objects.filter(pk=Questionnaire.objects.first().pk).update(touched_at=timezone.now())
    assert drift_detection.tenants_to_compare() == [scoped.pk], "a turn that came to its end is none that is under way"


def test_s1_another_tenants_answers_are_not_compared(told, globex, client, mallory):
    told("24 hours.", "72 hours.")
    with tenant_scope(globex.pk):
        drift_detection.compare()
        assert not Drift.objects.exists()
    client.force_login(mallory)
    assert SAME not in client.get("/t/globex/questionnaires/drift/").content.decode()


def test_viewers_read_and_settle_nothing(told, client, member):
    [drift] = told("24 hours.", "72 hours.")
    client.force_login(member(Role.VIEWER))
    assert SAME in page_of(client)
    assert "seen" not in page_of(client)
    assert client.post(f"{PAGE}{drift.pk}/resolve/").status_code == 403


def test_the_customers_are_named_and_linked_and_none_is_shown_by_its_id(analyst, told):
    told("Yes.", "No.")
    ids = ["65a0aaaaaaaaaaaaaaaaaaaa", "65a0bbbbbbbbbbbbbbbbbbbb"]
    for account_id, row in zip(ids, Questionnaire.objects.order_by("pk"), strict=False):
        Questionnaire.objects.filter(pk=row.pk).update(account_id=account_id)
    Account.objects.create(platform_id=ids[0], name="Northwind")
    compare()
    page = analyst.get("/t/acme/questionnaires/drift/").content.decode()
    link = f'<a href="/t/acme/customers/{ids[0]}/">Northwind</a>'
    assert link in page
    assert "Unknown account" in page
    assert not [each for each in ids if each in page.replace(link, "")]


def right_of(drift: Drift, text: str) -> str:
    """Return the key of the answer that begins with these words."""
    [shown] = DriftAnswers([drift], slug="acme").shown()
    return next(each.key for each in shown.answers if each.pieces[0].text.startswith(text) or text in each.pieces[0].text)


def choose(client, drift: Drift, text: str) -> None:
    client.post(f"{PAGE}{drift.pk}/resolve/", {"seen": drift.version, "right": right_of(drift, text)})


def test_the_true_answer_goes_into_the_library_and_the_others_are_corrected(told, analyst, alice, rows):
    [drift] = told("24 hours.", "72 hours.", "72 hours")
    choose(analyst, drift, "24")
    drift.refresh_from_db()
    assert not drift.is_open
    assert LibraryEntry.objects.get(pk=drift.entry_id).text == "24 hours."
    assert {row.response_id for row in Correction.objects.open()} == {rows[1].pk, rows[2].pk}
    assert kept_up() == stored()
    items = WorkItem.objects.filter(kind="correction")
    assert {item.owner_id for item in items} == {alice.pk}
    assert list(Drift.objects.to_correct()) == [drift]
    first, second = Correction.objects.order_by("pk")
    page = analyst.get(f"{PAGE}{drift.pk}/").content.decode()
    assert f'id="note-{first.pk}"' in page
    analyst.post(f"{PAGE}corrections/{first.pk}/", {"state": "done"})
    analyst.post(f"{PAGE}corrections/{second.pk}/", {"state": "not-needed"})
    assert [row.state for row in Correction.objects.order_by("pk")] == [CorrectionState.DONE, CorrectionState.NOT_NEEDED]
    assert Entry.objects.filter(action="questionnaire.correction", actor=alice).count() == 2
    assert not Drift.objects.to_correct().exists()


def test_an_entry_that_is_there_says_the_true_answer_from_then_on(told, analyst, scoped, alice):
    [drift] = told("24 hours.", "72 hours.")
    member = find_member(tenant=scoped, user=alice)
    add_entry(
        EntryContent(question=SAME, text="Soon.", tags=["Legal"], variants=[("Do you stay silent?", True)]), member=member
    )
    choose(analyst, drift, "24")
    [entry] = LibraryEntry.objects.all()
    assert (entry.text, entry.labels.count(), entry.variants.get().is_reversed) == ("24 hours.", 1, True)


@pytest.mark.parametrize(("days", "is_left"), [(90, True), (3, False)])
def test_an_entry_keeps_its_expiry_unless_that_is_near_which_is_told(told, analyst, scoped, alice, days, is_left):
    [drift] = told("24 hours.", "72 hours.")
    expires_on = timezone.localdate() + timedelta(days=days)
    words = EntryContent(question=SAME, text="Soon.", expires_on=expires_on)
    add_entry(words, member=find_member(tenant=scoped, user=alice))
    sent = {"seen": drift.version, "right": right_of(drift, "24")}
    page = analyst.post(f"{PAGE}{drift.pk}/resolve/", sent, follow=True).content.decode()
    entry = LibraryEntry.objects.get()
    assert (entry.text, entry.expires_on) == ("24 hours.", expires_on if is_left else None)
    assert ("It no longer expires." in page) is not is_left
    assert ("no longer expires" in Entry.objects.get(action="library_entry.changed").summary) is not is_left


def test_undoing_removes_open_corrections_and_keeps_what_was_done(told, analyst):
    [drift] = told("24 hours.", "72 hours.", "48 hours.")
    choose(analyst, drift, "24")
    done = Correction.objects.order_by("pk")[0]
    analyst.post(f"{PAGE}corrections/{done.pk}/", {"state": "done"})
    analyst.post(f"{PAGE}{drift.pk}/resolve/", {"reopen": "1"})
    assert list(Correction.objects.all()) == [done]
    assert list(Drift.objects.open()) == [drift]
    drift.refresh_from_db()
    choose(analyst, drift, "24")
    assert Correction.objects.count() == 2
    assert Correction.objects.open().count() == 1, "nobody is asked twice for one truth"


def test_settling_again_leaves_no_correction_open_that_tells_another_truth(told, analyst, rows):
    [drift] = told("24 hours.", "72 hours.", "48 hours.")
    choose(analyst, drift, "24")
    [again] = told("24 hours.", "72 hours.", "48 hours.", "Never.")
    key = right_of(again, "72")
    choose(analyst, again, "72")
    due = list(Correction.objects.open())
    assert {row.right_answer for row in due} == {key}
    assert rows[1].pk not in {row.response_id for row in due}, "they were told the true answer"


def test_saying_that_all_are_right_leaves_no_correction_open(told, analyst):
    [drift] = told("24 hours.", "72 hours.")
    choose(analyst, drift, "24")
    assert Correction.objects.open().exists()
    [again] = told("24 hours.", "72 hours.", "Never.")
    settle(analyst, again)
    assert not Correction.objects.open().exists()
    assert not Drift.objects.to_correct().exists()


def test_what_is_still_due_keeps_its_date(told, analyst):
    [drift] = told("24 hours.", "72 hours.")
    choose(analyst, drift, "24")
    before = Correction.objects.open().get()
    [again] = told("24 hours.", "72 hours.", "Never.")
    choose(analyst, again, "24")
    assert Correction.objects.open().filter(pk=before.pk, due_at=before.due_at).exists()


def test_a_customer_who_is_told_otherwise_later_opens_the_question_again(told, analyst):
    [drift] = told("24 hours.", "72 hours.")
    choose(analyst, drift, "24")
    assert told("24 hours.", "72 hours.", "24 hours") == []
    assert told("24 hours.", "72 hours.", "72 hours") == [drift]


def test_who_got_the_true_answer_since_is_not_corrected(told, analyst, rows):
    Questionnaire.objects.filter(pk__in=[rows[0].questionnaire_id, rows[1].questionnaire_id]).update(account_id="a" * 24)
    told("72 hours.", "24 hours.", "72 hours.")
    Questionnaire.objects.filter(pk__in=[rows[0].questionnaire_id, rows[1].questionnaire_id]).update(account_id="a" * 24)
    choose(analyst, Drift.objects.open().get(), "24")
    assert [row.response_id for row in Correction.objects.open()] == [rows[2].pk]


def test_the_most_serious_comes_first_and_a_stock_sentence_is_none(told, analyst, desk, rows):
    told("24 hours.", "72 hours.")
    for row, words in zip(rows, ["It is kept.", "It is not kept."], strict=False):
        other = Response.objects.filter(questionnaire=row.questionnaire).exclude(pk=row.pk)[0]
        values = {"p1": None, "p2": words}
        desk.change_there(other, question="Kept?", answerPartsSchema=TWO_PARTS, answerPartsValues=values)
    desk.fetch()
    compare()
    assert [row.severity for row in Drift.objects.open()] == [Severity.CONTRARY, Severity.FIGURE]
    page = page_of(analyst, "?severity=10")
    assert "Kept?" in page
    assert SAME not in page


def test_stock_sentences_are_counted_and_what_differs_by_them_alone_is_gone(told, monkeypatch, desk, rows):
    stock = "Evidence is available in our Trust Center."
    assert len(told("24 hours.", f"24 hours. {stock}")) == 1
    monkeypatch.setattr(stock_sentences, "MIN_QUESTIONS", 2)
    other = Response.objects.filter(questionnaire=rows[0].questionnaire).exclude(pk=rows[0].pk)[0]
    desk.change_there(other, question="Kept?", answerPartsSchema=TWO_PARTS, answerPartsValues={"p2": f"Yes. {stock}"})
    assert told("24 hours.", f"24 hours. {stock}") == []


def test_stock_sentences_are_counted_again_at_once_while_many_answers_come_in(told, monkeypatch, desk, rows):
    """What a first copy held in its first minute said nothing of the sentences that stand everywhere."""
    monkeypatch.setattr(stock_sentences, "MIN_QUESTIONS", 2)
    stock = "Evidence is available in our Trust Center."
    assert len(told("24 hours.", f"24 hours. {stock}")) == 1
    others = Response.objects.exclude(pk__in=[row.pk for row in rows])
    for number, other in enumerate(others[:4]):
        values = {"p2": f"Yes. {stock}"}
        desk.change_there(other, question=f"Kept {number}?", answerPartsSchema=TWO_PARTS, answerPartsValues=values)
    desk.fetch()
    assert not drift_detection.compare(seconds=600)
    assert list(Drift.objects.open()) == []


def test_viewers_correct_nobody(told, analyst, client, member):
    [drift] = told("24 hours.", "72 hours.")
    choose(analyst, drift, "24")
    correction = Correction.objects.get()
    client.force_login(member(Role.VIEWER))
    assert 'name="state"' not in client.get(f"{PAGE}{drift.pk}/").content.decode()
    assert client.post(f"{PAGE}corrections/{correction.pk}/", {"state": "done"}).status_code == 403
    with pytest.raises(PermissionDenied):
        decide_correction(correction, CorrectionState.DONE, member=find_member(user__email="viewer@acme.example"))
