import json

import pytest
from django.utils import timezone

from portal.audit.models import Entry
from portal.audit.services import history
from portal.questionnaires.mirror import MIRRORS
from portal.questionnaires.models import Response
from portal.sync.models import StaleMark
from portal.sync.services.drain import drain_tenant
from portal.tenants.models import Role
from tests.questionnaires.conftest import TWO_PARTS, address, fill_in, save
from tests.support.contrary_writes import show_no_change

HTMX = {"HX-Request": "true", "HX-Target": "desk"}
OLD = {"p1": "Yes", "p2": "AES-256 for all volumes."}


@pytest.fixture
def response(desk, client, alice):
    client.force_login(alice)
    return desk.set_answer(TWO_PARTS, OLD)


def test_it_sends_only_the_parts_that_changed(client, desk, response, wire):
    assert save(client, response, p2="AES-256, keys in an HSM.").status_code == 302
    assert wire.patches == [{"answerPartsValues": {"p2": "AES-256, keys in an HSM."}}]
    assert desk.there(response)["answerPartsValues"] == {"p1": "Yes", "p2": "AES-256, keys in an HSM."}
    assert desk.response.answer.values == {"p1": "Yes", "p2": "AES-256, keys in an HSM."}
    assert desk.response.origin == "MANUAL"


def test_it_sends_nothing_when_nothing_changed(client, response, wire):
    assert save(client, response).status_code == 302
    assert wire.patches == []


def test_it_clears_a_part_that_was_emptied(client, desk, response, wire):
    save(client, response, p2="")
    assert wire.patches == [{"answerPartsValues": {"p2": None}}]
    assert desk.response.answer.values == {"p1": "Yes", "p2": None}


def test_it_writes_down_who_changed_what(client, alice, response):
    save(client, response, p1='"No"')
    entry = history("response", response.platform_id)[0]
    assert entry.actor == alice
    assert entry.details["parts"] == [{"part": "p1", "before": "Yes", "after": "No"}]
    assert b"Alice Ames" in client.get(address(response)).content


def test_the_counts_of_the_questionnaire_follow(client, desk, response):
    desk.set_answer(TWO_PARTS, {"p1": None, "p2": None})
    before = desk.questionnaire.answered_count
    save(client, desk.response, p2="Yes, all of it.")
    assert desk.questionnaire.answered_count == before + 1


def test_w2_somebody_elses_change_is_not_written_over_and_both_texts_are_shown(client, desk, response, wire):
    desk.change_there(response, answerPartsValues={"p1": "Yes", "p2": "Theirs, saved first."})
    answer = save(client, response, headers=HTMX, p2="Mine, saved second.")
    assert answer.status_code == 422
    assert wire.patches == []
    page = answer.content.decode()
    assert "Mine, saved second." in page
    assert "Theirs, saved first." in page
    assert desk.there(response)["answerPartsValues"]["p2"] == "Theirs, saved first."


def test_w2_who_has_gone_on_hears_of_a_conflict_and_finds_the_text(client, desk, response):
    desk.change_there(response, answerPartsValues={"p1": "Yes", "p2": "Their words."})
    sent = fill_in(response, p2="My words.") | {"next": "behind"}
    answer = client.post(f"{address(response)}?show=answered", sent, headers=HTMX)
    assert (answer.status_code, answer.content) == (422, b"")
    told = json.loads(answer["HX-Trigger"])["toast"]
    assert (told["tone"], told["url"]) == ("bad", f"{address(response)}?show=answered")
    found = client.get(told["url"]).content.decode()
    assert "My words." in found
    assert "Their words." in found


def test_w2_a_conflict_can_be_saved_once_it_was_seen(client, desk, response):
    desk.change_there(response, answerPartsValues={"p1": "No", "p2": "Theirs."})
    save(client, response, p2="Mine.")
    fresh = desk.response
    assert fresh.answer.values["p2"] == "Theirs."
    assert save(client, fresh, p2="Mine and theirs.").status_code == 302
    assert desk.there(response)["answerPartsValues"] == {"p1": "No", "p2": "Mine and theirs."}


def test_w2_a_form_that_was_made_anew_there_alone_is_said_and_the_text_stays_to_be_copied(client, desk, response, wire):
    schema = {"type": "object", "properties": {"q1": {"type": "string", "title": "Explanation"}}}
    desk.change_there(response, answerPartsSchema=schema, answerPartsValues={"q1": "Theirs."})
    answer = save(client, response, headers=HTMX, p2="Mine, saved second.")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert wire.patches == []
    assert "The form of this question changed while you were writing" in page
    assert "<pre>Mine, saved second.</pre>" in page
    assert "your text is in the form" not in page
    sent = fill_in(desk.response, q1="Copied.") | {"next": "behind"}
    assert client.post(address(response), sent, headers=HTMX).status_code == 204
    assert "<pre>Mine, saved second.</pre>" in client.get(address(response)).content.decode()


def test_the_same_text_saved_by_two_people_is_no_conflict(client, desk, response, wire):
    desk.change_there(response, answerPartsValues={"p1": "Yes", "p2": "The same."})
    assert save(client, response, p2="The same.").status_code == 302
    assert wire.patches == []


def test_w1_a_lost_answer_is_settled_by_looking(client, desk, response, sandbox, wire):
    sandbox.fail("drop_answer", method="PATCH", times=1)
    answer = save(client, response, headers=HTMX, p2="Saved, but nobody heard it.")
    assert answer.status_code == 200
    assert len(wire.patches) == 1
    assert desk.response.answer.values["p2"] == "Saved, but nobody heard it."
    assert Entry.objects.filter(action="response.answer").count() == 1


def test_w1_what_cannot_be_settled_now_is_said_and_looked_at_later(client, desk, response, sandbox, wire):
    sandbox.fail("drop_answer", method="PATCH", times=1)
    wire.before_write = lambda: sandbox.fail("status", method="GET", value=503)
    answer = save(client, response, headers=HTMX, p2="Who knows.")
    assert answer.status_code == 422
    assert b"could not confirm" in answer.content
    assert b"Who knows." in answer.content
    assert len(wire.patches) == 1
    assert StaleMark.objects.filter(kind="responses", object_id=response.questionnaire.platform_id, urgent=True).exists()


def test_w1_w2_what_is_accepted_and_not_shown_yet_counts_as_not_confirmed_and_the_text_stays(
    client, desk, response, wire, monkeypatch
):
    StaleMark.objects.all().delete()
    show_no_change(monkeypatch)
    answer = save(client, response, headers=HTMX, p2="Accepted, and not shown.")
    assert answer.status_code == 422
    assert len(wire.patches) == 1
    assert b"The platform accepted it" in answer.content
    assert b"Accepted, and not shown." in client.get(address(response)).content
    assert not Entry.objects.filter(action="response.answer").exists()
    assert StaleMark.objects.filter(kind="responses", object_id=response.questionnaire.platform_id, urgent=True).exists()


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"kind": "status", "value": 403, "method": "PATCH"}, b"does not cover"),
        ({"kind": "status", "value": 429, "method": "PATCH"}, b"asks us to wait"),
        ({"kind": "status", "value": 503, "method": "GET"}, b"The platform is not available"),
        ({"kind": "status", "value": 422, "method": "PATCH"}, b"platform rejected this"),
        ({"kind": "html"}, b"answer could not be read"),
    ],
)
def test_w2_a_refusal_is_said_in_words_and_the_text_stays(client, response, sandbox, fault, words):
    sandbox.fail(fault.pop("kind"), path="/v1/customer-trust", **fault)
    answer = save(client, response, p2="My precious text.")
    assert answer.status_code == 422
    assert words in answer.content
    assert b"My precious text." in answer.content
    assert not Entry.objects.filter(action="response.answer").exists()


@pytest.mark.parametrize("status", [409, 422])
def test_an_answer_that_is_refused_has_the_question_read_again(client, response, sandbox, status):
    StaleMark.objects.all().delete()
    sandbox.fail("status", method="PATCH", path="/v1/customer-trust", value=status)
    assert save(client, response, p2="My precious text.").status_code == 422
    read_again = StaleMark.objects.filter(object_id=response.questionnaire.platform_id, urgent=True)
    assert set(read_again.values_list("kind", flat=True)) == {"questionnaire", "responses"}


def test_w2_a_question_deleted_during_the_edit_is_said_and_the_text_stays(client, desk, response):
    desk.objects.delete(desk.tenant_id, "responses", response.platform_id)
    answer = save(client, response, p2="My precious text.")
    assert answer.status_code == 422
    assert b"says it has no such question" in answer.content
    assert b"My precious text." in answer.content
    assert b"Your text is below" in answer.content
    assert Response.objects.get(pk=response.pk).gone_at is None, "one 404 is not believed (Q15)"
    drain_tenant(MIRRORS)
    assert Response.objects.get(pk=response.pk).gone_at, "the whole list is"


def test_it_says_so_when_the_tenant_is_not_connected(client, response, connected):
    type(connected).objects.update(state="disconnected")
    answer = save(client, response, p2="My precious text.")
    assert answer.status_code == 422
    assert b"not connected" in answer.content
    assert b"My precious text." in answer.content


def test_a_viewer_cannot_save(client, bob, response, wire):
    client.force_login(bob)
    assert save(client, response, p2="No.").status_code == 403
    assert wire.sent == []
    assert b"Save and next" not in client.get(address(response)).content


def test_an_analyst_can_save(client, member, response, wire):
    client.force_login(member(Role.ANALYST))
    assert save(client, response, p2="By an analyst.").status_code == 302
    assert len(wire.patches) == 1


def test_after_saving_the_next_open_question_is_shown(client, desk, response):
    following = Response.objects.filter(questionnaire=response.questionnaire, position=1).get()
    empty = dict.fromkeys(following.answer.values)
    desk.change_there(following, answerPartsValues=empty, isPendingAnswerGeneration=False)
    desk.fetch()
    answer = client.post(address(response), fill_in(desk.response, p2="Done.") | {"next": "1"}, headers=HTMX)
    assert answer.status_code == 200
    assert answer["HX-Push-Url"] == address(following)
    assert json.loads(answer["HX-Trigger"])["toast"]["tone"] == "good"


def test_an_older_list_does_not_write_over_a_newer_answer(client, desk, response):
    """The list was asked for before the save, and arrives after it (guarantee Q11)."""
    from portal.connections.services import Urgency, client_for
    from portal.questionnaires import mirror

    late = mirror.fetch_responses(client_for(Urgency.PERSON), response.questionnaire.platform_id)
    save(client, response, p2="Newer.")
    mirror.save_responses(late)
    assert desk.response.answer.values["p2"] == "Newer."
    assert late.asked_at < timezone.now()
