"""The platform's answer library beside a question: found, in words when it cannot be asked, and never asked too often."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.connections.models import CallWindow, Connection, State
from portal.connections.services import Urgency, client_for
from portal.connections.signals import connected as connected_signal
from portal.questionnaires.services import search_library
from portal.questionnaires.services.library import MAX_A_MINUTE, Answer
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.questionnaires.conftest import address

CALL = "/v1/knowledge-base/answer-library"
QUESTION = "Do you encrypt customer data at rest?"
PIECE = {"HX-Request": "true"}


@pytest.fixture
def library(desk):
    """A library of the platform with three answers of ours; beside those that it came with."""
    for entry in desk.objects.all(desk.tenant_id, "answers"):
        desk.objects.delete(desk.tenant_id, "answers", entry["id"])
    add = client_for(Urgency.PERSON).answer_library.create
    add(question=QUESTION, answer="AES-256 <everywhere>.", expiration_date=timezone.now() + timedelta(days=90))
    add(question="How is customer data in backups encrypted?", answer="With keys of their own.")
    add(question="Who cleans the customer car park?", answer="Nobody.")
    CallWindow.objects.all().delete()
    return desk


@pytest.fixture
def asked(library):
    return library.set_answer(None, None, question=QUESTION)


def calls(sandbox) -> int:
    return len([each for each in sandbox.requests(CALL) if each["method"] == "GET"])


def texts(found) -> list[str]:
    return [entry.answer for entry in found.entries]


def test_the_very_question_comes_first_and_what_shares_one_word_only_stays_out(library, alice):
    found = search_library("do you encrypt customer data at rest", user=alice)
    assert texts(found) == ["AES-256 <everywhere>.", "With keys of their own."]


def test_words_are_looked_for_in_questions_and_answers(library, alice):
    assert texts(search_library(QUESTION, words="keys of their", user=alice)) == ["With keys of their own."]
    assert texts(search_library(QUESTION, words="zebra", user=alice)) == []


def test_the_page_of_a_question_does_not_wait_for_it(asked, analyst, sandbox):
    before = calls(sandbox)
    page = analyst.get(f"{address(asked)}memory/", headers=PIECE).content.decode()
    assert f'hx-get="{address(asked)}library/?words=' in page
    assert calls(sandbox) == before


def test_what_is_found_can_be_inserted(asked, analyst):
    piece = analyst.get(f"{address(asked)}library/?first=1", headers=PIECE).content.decode()
    assert "<html" not in piece
    assert "AES-256 &lt;everywhere&gt;." in piece
    assert "Current" in piece
    assert "never verified" in piece
    assert piece.count("data-insert") == 2
    assert piece.count("<kbd>i</kbd>") == 1
    page = analyst.get(f"{address(asked)}library/").content.decode()
    assert "<html" in page
    assert "data-insert" not in page


def test_what_has_expired_says_so(library, asked, analyst):
    for entry in library.objects.all(library.tenant_id, "answers"):
        library.objects.save(library.tenant_id, "answers", entry | {"expirationStatus": "EXPIRED"})
    assert "Expired" in analyst.get(f"{address(asked)}library/", headers=PIECE).content.decode()


def test_a_viewer_reads_and_inserts_nothing(asked, client, member):
    client.force_login(member(Role.VIEWER))
    piece = client.get(f"{address(asked)}library/", headers=PIECE).content.decode()
    assert "AES-256" in piece
    assert "data-insert" not in piece


@pytest.mark.parametrize("fault", [{"kind": "status", "value": 503}, {"kind": "html"}, {"kind": "status", "value": 429}])
def test_a_failure_is_said_and_may_be_tried_again(asked, analyst, sandbox, fault):
    sandbox.fail(fault["kind"], method="GET", path=CALL, times=1, **({"value": fault["value"]} if "value" in fault else {}))
    piece = analyst.get(f"{address(asked)}library/", headers=PIECE).content.decode()
    assert "The library could not be searched. The platform" in piece
    assert "Try again" in piece
    assert "AES-256" in analyst.get(f"{address(asked)}library/?words=&retry=1", headers=PIECE).content.decode()


def test_a_grant_that_does_not_cover_it_is_not_asked_again_until_there_is_a_new_one(asked, analyst, sandbox, scoped):
    sandbox.fail("status", method="GET", path=CALL, value=403, times=1)
    for _ in range(2):
        piece = analyst.get(f"{address(asked)}library/", headers=PIECE).content.decode()
        assert "does not cover the platform&#x27;s answer library" in piece or "does not cover the platform's" in piece
    assert calls(sandbox) == 1
    connected_signal.send(Connection, tenant_id=scoped.pk)
    assert "AES-256" in analyst.get(f"{address(asked)}library/", headers=PIECE).content.decode()


def test_without_a_connection_it_says_so(asked, analyst):
    Connection.objects.update(state=State.NEEDS_RECONNECTION)
    assert "once this tenant is connected" in analyst.get(f"{address(asked)}library/", headers=PIECE).content.decode()


def test_what_was_found_is_kept_for_a_while_and_for_this_tenant_only(library, alice, globex, sandbox):
    search_library(QUESTION, user=alice)
    once = calls(sandbox)
    assert texts(search_library(QUESTION, user=alice))[0] == "AES-256 <everywhere>."
    assert calls(sandbox) == once
    with tenant_scope(globex.pk):
        assert search_library(QUESTION, user=alice).state == Answer.NOT_CONNECTED


def test_s9_one_person_searches_only_so_often(library, alice, bob, sandbox):
    found = [search_library(QUESTION, words=f"word {number}", user=alice).state for number in range(MAX_A_MINUTE + 1)]
    assert found[-2:] == [Answer.FOUND, Answer.TOO_OFTEN]
    assert calls(sandbox) == MAX_A_MINUTE
    assert search_library(QUESTION, words="another", user=bob).state == Answer.FOUND
