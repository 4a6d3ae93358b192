"""What is found in contracts waits for a person: accepted, corrected or dismissed, and never twice."""

import csv
import re
from decimal import Decimal
from io import StringIO

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.audit.models import Entry
from portal.commitments import patterns
from portal.commitments.models import Commitment, Reading, Suggestion, SuggestionState
from portal.commitments.selectors import open_suggestions
from portal.commitments.services import NotAccepted, accept, dismiss, text_extraction
from portal.commitments.tasks import read_contracts, sweep_readings
from portal.commitments.unscanned_texts import MAX_ATTEMPTS
from portal.contracts.models import Contract
from portal.contracts.services import change_terms
from portal.lib.page_cache import cache
from portal.lib.path_ids import write_id
from portal.tenants.models import Role
from tests.commitments.conftest import (
    BREACH,
    DELETION,
    PAGE,
    make_account,
    make_contract,
    read_anew,
    suggested,
    typed,
    words,
    work,
)

INBOX = f"{PAGE}suggestions/"


@pytest.fixture
def found(owner):
    """Two suggestions in the contract of a customer that is known, in the order in which they stand there."""
    contract = make_contract("MSA", make_account("Northwind"), "1 Preamble", f"{BREACH}\n{DELETION}")
    work()
    return list(Suggestion.objects.filter(contract=contract))


def test_a_text_that_was_read_is_looked_through_by_itself(owner, found):
    breach, deletion = found
    assert (str(breach), breach.clause, breach.page) == ("Breach notice: 24 hours", "7.2", 2)
    assert breach.quote.startswith("Provider shall notify Customer of any Personal Data Breach")
    assert (str(deletion), deletion.clause) == ("Deletion after termination: 30 days", "9")
    assert not Commitment.objects.exists()
    assert text_extraction.tenants_to_read() == []


def test_the_sweep_finds_what_waits_in_every_tenant(owner, monkeypatch):
    rung = []
    monkeypatch.setattr("portal.lib.enqueue.enqueue_on_commit", lambda task, *args: rung.append((task, args)))
    make_contract("MSA", None, BREACH)
    make_contract("Without a text")
    gone = make_contract("Gone", None, BREACH)
    Contract.objects.filter(pk=gone.pk).update(gone_at=timezone.now())
    sweep_readings()
    assert rung == [(text_extraction.READ, (owner.tenant_id,))]
    read_contracts(owner.tenant_id)
    assert suggested() == ["Breach notice: 24 hours"]
    sweep_readings()
    assert len(rung) == 1


def test_the_same_words_do_not_come_twice_and_put_away_ones_not_at_all(client, owner, found):
    breach, deletion = found
    dismiss(breach, member=owner)
    accept(deletion, member=owner)
    read_anew(breach.contract, "1 A new cover page", "2 And another one", f"8.1 {BREACH.removeprefix('7.2 ')}\n{DELETION}")
    work()
    assert suggested() == []
    breach.refresh_from_db()
    assert (breach.state, breach.page, breach.clause) == (SuggestionState.PUT_AWAY, 3, "8.1")
    read_anew(breach.contract, BREACH.replace("twenty-four (24)", "forty-eight (48)"))
    work()
    assert suggested() == ["Breach notice: 48 hours"]


def test_what_stands_there_no_longer_is_not_suggested_any_more(owner, found):
    read_anew(found[0].contract, DELETION)
    work()
    assert suggested() == ["Deletion after termination: 30 days"]
    with pytest.raises(NotAccepted, match="no longer in it"):
        accept(found[0], member=owner)


def test_better_patterns_look_at_every_text_once_more(owner, found, monkeypatch):
    Suggestion.objects.all().delete()
    monkeypatch.setattr(text_extraction, "VERSION", patterns.VERSION + 1)
    work()
    assert len(suggested()) == 2


def test_one_document_that_cannot_be_read_holds_up_no_other(owner, monkeypatch, caplog):
    bad = make_contract("Bad", None, BREACH)
    good = make_contract("Good", None, DELETION)
    sound = text_extraction.find

    def find(pages):
        texts = list(pages)
        if "Personal Data Breach" in texts[0][1]:
            raise RecursionError
        return sound(texts)

    monkeypatch.setattr(text_extraction, "find", find)
    work()
    assert suggested() == ["Deletion after termination: 30 days"]
    assert Reading.objects.get(contract=good).is_done
    assert Reading.objects.get(contract=bad).attempts == MAX_ATTEMPTS
    assert "Personal Data Breach" not in "".join(record.getMessage() for record in caplog.records)
    monkeypatch.setattr(text_extraction, "find", sound)
    read_anew(bad, BREACH)
    work()
    assert len(suggested()) == 2


def test_a_worker_that_died_is_followed_by_another_one(owner):
    contract = make_contract("MSA", None, BREACH)
    first = text_extraction._claim(contract.pk)
    work()
    assert suggested() == []
    Reading.objects.update(lease_until=timezone.now())
    work()
    assert suggested() == ["Breach notice: 24 hours"]
    # The first one wakes up again: the row is not its own any more.
    Suggestion.objects.all().delete()
    assert text_extraction._store(first, patterns.find([(1, DELETION)])) == 0


def test_a_suggestion_is_accepted_as_it_is_and_the_next_one_opened(client, owner, found):
    breach, deletion = found
    page = client.get(f"{INBOX}?open={breach.pk}")
    assert "Personal Data Breach within twenty-four (24) hours" in words(page)
    assert "#page-2" in words(page)
    answer = client.post(f"{INBOX}{breach.pk}/accept/")
    assert answer["Location"] == f"{INBOX}?open={deletion.pk}"
    commitment = Commitment.objects.get()
    assert (commitment.promise, commitment.clause, commitment.page, commitment.account_name) == (
        "24 hours",
        "7.2",
        2,
        "Northwind",
    )
    assert commitment.quote == breach.quote
    breach.refresh_from_db()
    assert (breach.state, breach.commitment) == (SuggestionState.ACCEPTED, commitment)
    again = client.post(f"{INBOX}{breach.pk}/accept/", follow=True)
    assert "Alice Ames already decided this" in words(again)
    assert Commitment.objects.count() == 1
    assert {"commitment.add", "commitment_suggestion.accept"} <= set(Entry.objects.values_list("action", flat=True))


def test_s8_the_export_is_what_the_list_shows_and_is_written_down(client, owner, found, member):
    breach, deletion = found
    dismiss(deletion, member=owner)
    assert f'action="{INBOX}export/"' in client.get(INBOX).content.decode()
    for query, suggestion in (("", breach), ("?show=put-away", deletion), ("?term=availability", None)):
        content = b"".join(client.post(f"{INBOX}export/{query}").streaming_content).decode("utf-8-sig")
        lines = list(csv.DictReader(StringIO(content)))
        expected = [("Northwind", suggestion.promise, suggestion.quote)] if suggestion else []
        assert [(line["Customer"], line["Promise"], line["Contract wording"]) for line in lines] == expected
    entries = Entry.objects.filter(action="commitment.export")
    assert [entry.details["is_filtered"] for entry in entries.order_by("pk")] == [False, True, True]
    client.force_login(member(Role.VIEWER))
    assert client.post(f"{INBOX}export/").status_code == 403


def test_a_suggestion_is_corrected_in_a_form_that_is_filled_in(client, owner, found):
    breach, _ = found
    address = f"{INBOX}{breach.pk}/correct/"
    page = client.get(address)
    assert 'value="24"' in words(page)
    assert 'value="7.2"' in words(page)
    sent = typed(amount="36", unit="hours", contract=breach.contract_id, clause="7.2", page="2", quote=breach.quote)
    assert client.post(address, sent | {"unit": "percent"}).status_code == 422
    client.post(address, sent)
    breach.refresh_from_db()
    assert Commitment.objects.get().promise == "36 hours"
    assert (breach.state, str(breach)) == (SuggestionState.ACCEPTED, "Breach notice: 24 hours")


def test_w2_what_was_typed_about_a_suggestion_that_somebody_decided_stands_in_its_form(client, owner, found):
    breach, _ = found
    sent = typed(amount="36", unit="hours", contract=breach.contract_id, quote="In my own words")
    dismiss(breach, member=owner)
    answer = client.post(f"{INBOX}{breach.pk}/correct/", sent)
    assert answer.status_code == 409
    assert "Alice Ames already decided this: dismissed. What you typed is still in the form." in words(answer)
    assert "In my own words</textarea>" in words(answer)
    assert not Commitment.objects.exists()


def test_w2_what_was_typed_about_a_suggestion_that_is_gone_becomes_a_commitment(client, owner, found):
    breach, _ = found
    address = f"{INBOX}{breach.pk}/correct/"
    [customer] = re.findall(r'name="customer" value="([^"]+)"', client.get(address).content.decode())
    sent = typed(amount="36", unit="hours", contract=breach.contract_id, quote="In my own words", customer=customer)
    read_anew(breach.contract, DELETION)
    work()
    answer = client.post(address, sent)
    assert answer.status_code == 409
    assert "this is no longer in it. What you typed is still in the form; saving it adds a commitment." in words(answer)
    assert "In my own words</textarea>" in words(answer)
    [add_url] = re.findall(r'<form class="form" method="post" action="([^"]+)"', answer.content.decode())
    client.post(add_url, sent)
    assert (Commitment.objects.get().promise, Commitment.objects.get().contract) == ("36 hours", breach.contract)
    assert client.get(address).status_code == 404


def test_w2_what_was_typed_stays_when_its_customer_is_gone_too_and_foreign_numbers_are_not_found(client, owner, found):
    breach, _ = found
    address = f"{INBOX}{breach.pk}/correct/"
    sent = typed(amount="36", unit="hours", contract=breach.contract_id, quote="In my own words")
    read_anew(breach.contract, DELETION)
    work()
    answer = client.post(address, sent | {"customer": "nobody"})
    assert answer.status_code == 409
    assert "In my own words</textarea>" in words(answer)
    assert "The customer is no longer in the portal" in words(answer)
    assert 'name="customer"' in words(answer)
    assert client.post(address, sent).status_code == 404


def test_w2_what_was_typed_about_a_contract_without_a_customer_is_saved_without_it_when_its_suggestion_is_gone(client, owner):
    contract = make_contract("MSA", None, f"{BREACH}\n{DELETION}")
    account = make_account("Northwind")
    work()
    breach = Suggestion.objects.get(term="breach-notice")
    address = f"{INBOX}{breach.pk}/correct/?account={account.platform_id}"
    sent = typed(amount="36", unit="hours", contract=contract.pk, customer=account.platform_id)
    read_anew(contract, DELETION)
    work()
    answer = client.post(address, sent)
    assert answer.status_code == 409
    [add_url] = re.findall(r'<form class="form" method="post" action="([^"]+)"', answer.content.decode())
    assert "It names no contract anymore" in words(answer)
    assert not answer.context["form"].errors
    client.post(add_url.replace("&amp;", "&"), sent | {"contract": answer.context["form"]["contract"].value()})
    assert (Commitment.objects.get().promise, Commitment.objects.get().contract) == ("36 hours", None)


def test_without_a_customer_it_is_asked_for_first(client, owner):
    make_contract("MSA", None, f"{BREACH}\n{DELETION}")
    account = make_account("Northwind")
    work()
    breach, deletion = Suggestion.objects.all()
    assert "Choose customer" in words(client.get(f"{INBOX}?open={breach.pk}"))
    address = f"{INBOX}{breach.pk}/correct/"
    assert client.post(f"{INBOX}{breach.pk}/accept/")["Location"] == address
    page = client.get(address)
    assert page.context["suggestion"] == breach
    assert f"{address}?account={account.platform_id}" in words(page)
    form = client.get(f"{address}?account={account.platform_id}")
    assert form.context["form"]["contract"].value() == breach.contract_id
    sent = typed(amount="24", unit="hours", contract=breach.contract_id)
    client.post(f"{address}?account={account.platform_id}", sent)
    assert (Commitment.objects.get().account_id, Commitment.objects.get().contract) == (account.platform_id, breach.contract)
    # The contract has the customer now: the others of it do not ask again.
    assert Contract.objects.get().account_id == account.platform_id
    assert Entry.objects.filter(action="contract.change_terms").count() == 1
    client.post(f"{INBOX}{deletion.pk}/accept/")
    assert set(Commitment.objects.values_list("account_id", flat=True)) == {account.platform_id}
    assert Commitment.objects.count() == 2


def test_a_customer_that_was_set_on_the_contract_is_inherited_by_all(client, owner):
    contract = make_contract("MSA", None, f"{BREACH}\n{DELETION}")
    account = make_account("Northwind")
    work()
    change_terms(contract, {"account_id": account.platform_id}, member=owner)
    chosen = list(Suggestion.objects.values_list("pk", flat=True))
    client.post(f"{INBOX}decide/", {"chosen": chosen, "action": "accept"})
    assert list(Commitment.objects.values_list("account_id", flat=True)) == [account.platform_id] * 2


def test_the_same_promise_in_two_places_is_in_the_register_once(client, owner):
    contract = make_contract("MSA", make_account("Northwind"), BREACH, BREACH.replace("any Personal", "each Personal"))
    work()
    first, second = Suggestion.objects.filter(contract=contract)
    assert accept(first, member=owner) == accept(second, member=owner)
    assert Commitment.objects.count() == 1


def test_put_away_ones_are_brought_back(client, owner, found):
    breach, _ = found
    client.post(f"{INBOX}{breach.pk}/put-away/")
    assert suggested() == ["Deletion after termination: 30 days"]
    page = client.get(f"{INBOX}?show=put-away&open={breach.pk}")
    assert "Dismissed by Alice Ames" in words(page)
    client.post(f"{INBOX}{breach.pk}/put-away/?show=put-away", {"bring_back": "1"})
    assert len(suggested()) == 2


def test_many_are_decided_at_once_and_what_cannot_be_is_said(client, owner, found):
    make_contract("NDA", None, BREACH)
    work()
    chosen = [each.pk for each in Suggestion.objects.all()]
    answer = client.post(f"{INBOX}decide/", {"chosen": [*chosen, "nonsense"], "action": "accept"}, follow=True)
    # One summary with the reasons, and no toast for each.
    assert (answer.context["outcome"].done, len(answer.context["failures"])) == (2, 1)
    assert [each.needs_customer for each, _ in answer.context["failures"]] == [True]
    assert not list(answer.context["messages"])
    assert suggested() == ["Breach notice: 24 hours"]
    client.post(f"{INBOX}decide/", {"chosen": chosen, "action": "put-away"})
    assert suggested() == []
    assert Commitment.objects.count() == 2


def test_w4_what_failed_in_bulk_is_tried_again_from_the_summary(client, owner):
    contract = make_contract("NDA", None, f"{BREACH}\n{DELETION}")
    account = make_account("Northwind")
    work()
    chosen = list(Suggestion.objects.values_list("pk", flat=True))
    page = client.post(f"{INBOX}decide/", {"chosen": chosen, "action": "accept"}).content.decode()
    again = re.findall(r'name="chosen" value="(\d+)"', page)
    assert sorted(map(int, again)) == sorted(chosen)
    assert f"/t/acme/contracts/{write_id(contract.platform_id)}/customer/" in page
    change_terms(contract, {"account_id": account.platform_id}, member=owner)
    client.post(f"{INBOX}decide/", {"chosen": again, "action": "accept"})
    assert Commitment.objects.count() == 2


def test_the_inbox_is_narrowed_and_counted(client, owner, found, bob):
    assert open_suggestions() == 2
    assert [str(each) for each, *_ in client.get(f"{INBOX}?term=deletion").context["rows"]] == [
        "Deletion after termination: 30 days"
    ]
    assert "No matching suggestions" in words(client.get(f"{INBOX}?contract=unknown"))
    assert "No suggestions here" in words(client.get(f"{INBOX}?show=accepted"))
    answer = client.post(f"{INBOX}{found[1].pk}/put-away/?term=deletion")
    assert answer["Location"] == f"{INBOX}?term=deletion"
    assert open_suggestions() == 1
    Contract.objects.update(gone_at=timezone.now())
    client.force_login(bob)
    page = words(client.get(INBOX))
    assert "All suggestions are decided" in page
    assert client.post(f"{INBOX}{found[0].pk}/accept/").status_code == 403


def test_an_empty_inbox_says_where_suggestions_come_from(client, owner):
    assert "No suggestions yet" in words(client.get(INBOX))
    make_contract("MSA", None, BREACH)
    cache.clear()  # whether texts wait is kept for a minute
    assert "Scanning contract texts" in words(client.get(INBOX))


@pytest.mark.usefixtures("within_a_minute")
def test_fifty_suggestions_take_no_more_queries_than_five(client, owner):
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(INBOX).status_code == 200
        return len(captured)

    def add(start: int, end: int) -> None:
        for number in range(start, end):
            make_contract(f"MSA {number}", make_account(f"C{number}"), BREACH)
        work()

    add(0, 5)
    queries()  # keeps what every page asks for
    few = queries()
    add(5, 50)
    queries()
    assert queries() == few


def test_a_reader_sees_no_buttons(client, owner, found, member):
    client.force_login(member(Role.VIEWER))
    page = words(client.get(f"{INBOX}?open={found[0].pk}"))
    assert "Personal Data Breach" in page
    assert 'data-key="a"' not in page
    assert Decimal(24) == found[0].amount
