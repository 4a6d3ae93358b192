"""What the search finds beside the lists of customers, contracts, questionnaires and requests; and what a short word costs."""

import pytest
from django.utils import timezone

from portal.comments.services import add_comment, delete_comment, edit_comment
from portal.comments.subjects import registered
from portal.commitments.models import Commitment, Term
from portal.contracts.models import Contract
from portal.deletion_requests.models import DeletionRequest
from portal.deletion_requests.services.intake import NewRequest, receive
from portal.questionnaires.models import Response
from portal.search import models as search_models
from portal.tenants import personal_data
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.trust_center_activity.models import Conversation
from tests.commands.test_search import found
from tests.questionnaires.test_list import make
from tests.support.members import add_member, find_member

EMAIL = "jane.doe@gildersea.example"

pytestmark = pytest.mark.both


@pytest.fixture
def member(client, alice, scoped, acme):
    client.force_login(alice)
    return find_member(tenant=acme, user=alice)


def ask_for_erasure(member) -> DeletionRequest:
    new = NewRequest(email=EMAIL, received_on=timezone.localdate(), regulation="gdpr", note="Ticket 4711")
    return receive(new, member=member)


def test_a_deletion_request_is_found_by_reference_domain_note_and_the_whole_address(client, member):
    row = ask_for_erasure(member)
    for words in (row.reference, row.reference.lower(), "gildersea", "4711", EMAIL, EMAIL.upper()):
        assert found(client, words)["Deletion requests"] == ["j•••@gildersea.example"], words
    assert "Deletion requests" not in found(client, "jane.doe")
    assert "Deletion requests" not in found(client, "john.doe@gildersea.example")
    assert client.get(f"/t/acme/deletion-requests/{row.reference}/").status_code == 200


def test_s11_what_the_search_looks_at_holds_no_address(member):
    row = ask_for_erasure(member)
    assert "jane" not in row.search


def test_a_commitment_in_force_is_found(client, member):
    columns = {"account_id": "a1", "account_name": "Gildersea", "term": Term.values[0], "search": "gildersea notice"}
    kept = Commitment.objects.create(words="without delay", **columns)
    Commitment.objects.create(words="over", ended_at=timezone.now(), **columns)
    assert found(client, "gildersea")["Commitment register"] == [str(kept)]
    assert client.get(f"/t/acme/commitments/{kept.pk}/").status_code == 200


def test_a_question_is_found_and_leads_to_its_place_in_the_questionnaire(client, member):
    sheet = make("SIG Lite", platform_id="sheet/1")
    gone = make("Gone", gone_at=timezone.now())
    text = "Do you rotate signing keys?"
    columns = {"question": text, "search": text.casefold(), "position": 1}
    Response.objects.create(questionnaire=sheet, platform_id="q%1", payload={"id": "q%1", "question": text}, **columns)
    Response.objects.create(questionnaire=sheet, platform_id="q2", gone_at=timezone.now(), **columns)
    Response.objects.create(questionnaire=gone, platform_id="q3", **columns)
    groups = client.get("/t/acme/search/", {"q": "rotate keys"}).context["groups"]
    [group] = [group for group in groups if group.label == "Questions"]
    [shown] = group.found
    assert (shown.title, shown.note) == (text, "SIG Lite")
    assert client.get(shown.url).status_code == 200


def test_a_conversation_is_found_by_words_that_begin_so(client, member):
    Conversation.objects.create(
        platform_id="talk/1", first_message="Where is data stored?", search=" where is data stored", created_at=timezone.now()
    )
    assert found(client, "sto")["Conversations"] == ["Where is data stored?"]
    assert "Conversations" not in found(client, "tored")


def test_a_comment_is_found_until_it_is_changed_or_deleted(client, member):
    Contract.objects.create(platform_id="paper-1", name="Northwind MSA", created_at=timezone.now())
    comment, _ = add_comment(registered("contract"), "paper-1", "Legal wants\nthe annex.", member=member)
    groups = client.get("/t/acme/search/", {"q": "LEGAL annex"}).context["groups"]
    [shown] = [each for group in groups if group.label == "Comments" for each in group.found]
    assert shown.title == "Legal wants the annex."
    assert shown.note.endswith("Northwind MSA")
    assert shown.url == "/t/acme/contracts/paper-1/#comments"
    edit_comment(comment, "Finance wants it.", member=member)
    assert "Comments" not in found(client, "legal")
    assert found(client, "finance")["Comments"] == ["Finance wants it."]
    delete_comment(comment, member=member)
    assert "Comments" not in found(client, "finance")


def test_a_comment_on_what_is_gone_is_not_shown(client, member):
    add_comment(registered("contract"), "nowhere", "Legal wants the annex.", member=member)
    assert "Comments" not in found(client, "annex")


def test_s11_an_erased_address_is_not_found_in_comments(client, member):
    Contract.objects.create(platform_id="paper-1", name="Northwind MSA", created_at=timezone.now())
    add_comment(registered("contract"), "paper-1", f"Write to {EMAIL}.", member=member)
    assert "Comments" in found(client, EMAIL)
    personal_data.erase(EMAIL)
    assert "Comments" not in found(client, EMAIL)


def test_s1_none_of_it_is_found_from_another_tenant(client, member, alice, globex):
    make("SIG Lite of Gildersea")
    ask_for_erasure(member)
    Contract.objects.create(platform_id="paper-1", name="Northwind MSA", created_at=timezone.now())
    add_comment(registered("contract"), "paper-1", "Gildersea asks.", member=member)
    add_member(tenant=globex, user=alice, role=Role.OWNER)
    assert {"Comments", "Deletion requests", "Questionnaires"} <= set(found(client, "gildersea"))
    with tenant_scope(globex.pk):
        assert client.get("/t/globex/search/", {"q": "gildersea"}).context["groups"] == []
        assert client.get("/t/globex/search/", {"q": EMAIL}).context["groups"] == []


def test_a_list_without_a_search_of_its_own_offers_no_more(client, member):
    for number in range(7):
        new = NewRequest(email=f"person{number}@gildersea.example", received_on=timezone.localdate(), regulation="gdpr")
        receive(new, member=member)
    [group] = client.get("/t/acme/search/", {"q": "gildersea"}).context["groups"]
    assert (len(group.found), group.more_url) == (5, "")


def test_a_word_of_two_letters_is_looked_for_in_the_first_rows_only(client, member, monkeypatch):
    monkeypatch.setattr(search_models, "LOOKED_AT", 3)
    now = timezone.now()
    for number in range(5):
        make(f"HP {number}", updated_at=now - timezone.timedelta(days=number))
    make("Old: 3M", updated_at=now - timezone.timedelta(days=9))
    assert found(client, "hp")["Questionnaires"] == ["HP 0", "HP 1", "HP 2"]
    assert "Questionnaires" not in found(client, "3m")
    assert found(client, "3m old")["Questionnaires"] == ["Old: 3M"], "a longer word beside it is in the index"
