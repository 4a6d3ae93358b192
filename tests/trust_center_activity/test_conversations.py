"""Conversations as a copy: whose messages are read, what is found in them, what goes."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.sync.models import ListPosition, RunState
from portal.tenants import personal_data
from portal.trust_center.models import Resource
from portal.trust_center_activity.models import CONVERSATION, Conversation, Message
from tests.trust_center_activity.conftest import PAGE, Center, words


def message_calls(center: Center) -> int:
    return sum("/chatbot/conversations/" in each["path"] for each in center.handle.requests("/chatbot/"))


def pages_read(center: Center) -> int:
    return sum(each["path"].endswith("/chatbot/conversations") for each in center.handle.requests("/chatbot/"))


def texts(conversation_id: str) -> list[str]:
    return list(Message.objects.filter(conversation__platform_id=conversation_id).values_list("text", flat=True))


def test_conversations_are_here_with_their_messages(center):
    talk = center.ask("Do you encrypt backups?", "Yes.", "With what?", "AES-256.")
    center.read()
    assert set(Conversation.objects.values_list("platform_id", flat=True)) == set(center.there("conversations"))
    assert texts(talk) == ["Do you encrypt backups?", "Yes.", "With what?", "AES-256."]


def test_messages_are_read_only_of_those_that_are_new_or_have_grown(center):
    talk = center.ask("Hello?", "Hello.")
    center.read()
    calls = message_calls(center)
    center.read()
    assert message_calls(center) == calls
    center.say(talk, "Do you have SOC 2?", "Yes.")
    center.ask("Another one?", "Yes.")
    center.read()
    assert message_calls(center) == calls + 2
    assert len(texts(talk)) == 4


def test_only_the_news_are_read_but_for_once_a_day(center):
    old = timezone.now() - timedelta(days=100)
    for number in range(130):
        center.ask(f"Question {number}?", at=old)
    center.read(and_fetch=False)
    before = pages_read(center)
    center.read(and_fetch=False)
    assert pages_read(center) == before + 1
    ListPosition.objects.filter(kind=CONVERSATION).update(whole_at=timezone.now() - timedelta(days=2))
    center.read(and_fetch=False)
    assert pages_read(center) == before + 3


def test_what_is_gone_there_is_not_shown_any_more(center, analyst):
    talk = center.ask("Forget this, please.")
    center.read()
    center.sandbox.objects.delete(center.tenant_id, "conversations", talk)
    center.read()
    assert not Conversation.objects.get(platform_id=talk).gone_at
    ListPosition.objects.filter(kind=CONVERSATION).update(whole_at=timezone.now() - timedelta(days=2))
    center.read()
    assert Conversation.objects.get(platform_id=talk).gone_at
    assert "Forget this" not in words(analyst.get(f"{PAGE}conversations/"))


@pytest.mark.parametrize("fault", ["html", "drop_answer", "status"])
def test_a_failing_platform_costs_nothing_but_time(center, fault):
    talk = center.ask("Hello?", "Hello.")
    center.handle.fail(fault, path="/v1/trust-centers/*/chatbot/*", times=2, **({"value": 503} if fault == "status" else {}))
    center.read()
    center.handle.control("DELETE", "/faults")
    for _ in range(2):
        runs = center.read()
    assert runs[CONVERSATION].state == RunState.DONE
    assert Conversation.objects.get(platform_id=talk)


def test_odd_conversations_and_messages_are_kept(center):
    objects = center.sandbox.objects
    objects.add(center.tenant_id, "conversations", {"id": "bare"})
    objects.add(center.tenant_id, "conversations", {"id": "nulls", "firstMessage": None, "numMessages": 1, "userEmail": None})
    objects.add(center.tenant_id, "conversations", {"id": "half", "numMessages": 1, "userEmail": "half \ud83d@acme.test"})
    objects.add(center.tenant_id, "chatbot-messages", {"id": "m", "role": "ROBOT", "message": None}, parent_id="nulls")
    runs = center.read()
    assert runs[CONVERSATION].state == RunState.DONE
    assert Conversation.objects.filter(platform_id__in=["bare", "nulls", "half"]).count() == 3
    assert Message.objects.get(platform_id="m").role == "ROBOT"


def test_search_finds_words_of_any_message_whatever_their_case(center, analyst):
    found = center.ask("Hello there", "Hi.", "What about SOC-2, Type II?", "Yes.")
    center.ask("Where is data hosted?", "Here.")
    center.read()
    for query in ("soc 2", "TYPE ii", "hello soc"):
        page = analyst.get(f"{PAGE}conversations/", {"q": query})
        assert [row.platform_id for row in page.context["page"].rows] == [found], query
    assert "No matching conversations" in words(analyst.get(f"{PAGE}conversations/", {"q": "nothing like it"}))


def test_one_conversation_names_the_documents_it_rests_on(center, analyst):
    [known] = [each for each in center.there("activity").values() if "resourceId" in (each["details"] or {})][:1]
    talk = center.ask("Do you have a report?")
    Resource.objects.create(platform_id="id-ours", title="A document of ours")
    center.say(talk, "Yes, here.", references=[known["details"]["resourceId"], "id-ours", "id-unknown"])
    center.read()
    page = words(analyst.get(f"{PAGE}conversations/{talk}/"))
    assert known["details"]["resourceName"] in page
    assert "A document of ours" in page
    assert "Unknown document" in page and "id-unknown" not in page


def test_a_person_is_erased_with_everything_said(center):
    mine = center.ask("I am Ada", "Hello.", email="Ada@acme.test")
    other = center.ask("I am Bob", email="bob@acme.test")
    center.read()
    kind = "Chatbot conversations"
    assert personal_data.count("ADA@acme.test")[kind] == personal_data.erase("ADA@acme.test")[kind] == 1
    assert not Message.objects.filter(conversation__platform_id=mine).exists()
    assert texts(other) == ["I am Bob"]
