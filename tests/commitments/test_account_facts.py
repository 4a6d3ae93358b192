"""What the rest of the portal learns of commitments: the customer's page, its timeline, the count in the navigation."""

from datetime import timedelta
from decimal import Decimal

from django.utils import timezone

from portal.accounts.account_facts import COMMITMENTS, facts_for_accounts
from portal.commitments.comparison import Promise
from portal.commitments.data_kinds import kind_labels
from portal.commitments.models import Commitment, Standard, Suggestion, Term
from portal.commitments.services import end_commitment, set_standard
from portal.contracts.models import Contract
from portal.tenants.offboarding import purge
from tests.commitments.conftest import BREACH, PAGE, make_account, make_contract, words, work


def test_the_customers_page_counts_commitments_and_leads_to_them(client, owner, promise):
    set_standard(Term.BREACH_NOTICE, Promise(Decimal(72), "hours"), seen="", member=owner)
    account, other = make_account("Northwind"), make_account("Globex")
    promise(account, amount=Decimal(24), unit="hours")
    promise(account, "deletion", amount=Decimal(30), unit="days")
    found = facts_for_accounts({account.platform_id, other.platform_id}, among={COMMITMENTS})
    assert found[account.platform_id][COMMITMENTS].description == "2 commitments, 1 stricter than our standard"
    assert found[other.platform_id] == {}
    page = words(client.get(f"/t/acme/customers/{account.platform_id}/"))
    assert f"{PAGE}register/?account={account.platform_id}" in page


def test_the_timeline_tells_when_a_promise_was_accepted_and_ended(client, owner, promise):
    account = make_account("Northwind")
    found = promise(account, amount=Decimal(24), unit="hours")
    Commitment.objects.update(created_at=timezone.now() - timedelta(days=3))
    end_commitment(found, seen=found.version, member=owner)
    page = client.get(f"/t/acme/customers/{account.platform_id}/?kind=commitments")
    assert [event["title"] for event in page.context["events"]] == [
        "Commitment ended: Breach notice: 24 hours",
        "Commitment accepted: Breach notice: 24 hours",
    ]
    assert page.context["events"][0]["url"] == f"{PAGE}{found.pk}/"


def test_the_navigation_counts_what_waits(client, owner):
    make_contract("MSA", None, BREACH)
    work()
    assert 'data-count-of="commitments"><span class="count">1</span>' in words(client.get("/t/acme/"))


def test_promises_and_standards_outlive_the_copy_of_the_platforms_data(owner, promise):
    account = make_account("Northwind")
    contract = make_contract("MSA", account, BREACH)
    work()
    found = promise(account, amount=Decimal(24), unit="hours", contract=contract)
    set_standard(Term.BREACH_NOTICE, Promise(Decimal(72), "hours"), seen="", member=owner)
    purge()
    found.refresh_from_db()
    assert (found.contract, found.account_name) == (None, "Northwind")
    assert Standard.objects.exists()
    assert not Contract.objects.exists()
    assert not Suggestion.objects.exists()


def test_a_kind_of_data_that_is_not_known_any_more_is_called_by_its_key():
    assert kind_labels(["credentials", "secrets"]) == ["Credentials and keys", "secrets"]
