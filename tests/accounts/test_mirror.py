"""The copy of the accounts, and who is found by a mail domain."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from portal.accounts.account_facts import CONTRACTS, QUESTIONNAIRES, facts_for_accounts
from portal.accounts.mirror import MIRRORS
from portal.accounts.models import Account
from portal.accounts.selectors import accounts_by_domain, accounts_by_id, matches_by_domain
from portal.accounts.services.store import store_account
from portal.accounts.tags import UNKNOWN_CATEGORY, UNKNOWN_TAG, tags_of
from portal.contracts.models import Contract
from portal.inbox.routes import MIRRORS as ALL_MIRRORS
from portal.platform_api.models import Account as RemoteAccount
from portal.questionnaires.models import Questionnaire
from portal.tenants.scope import tenant_scope


def account(name: str, domain: str = "", **columns) -> Account:
    return Account.objects.create(platform_id=f"id-{name}", name=name, domain=domain, **columns)


def test_it_copies_every_account(copy):
    rows = {row.platform_id: row for row in Account.objects.present()}
    assert set(rows) == set(copy.there())
    for key, there in copy.there().items():
        row = rows[key]
        assert (row.name, row.domain, row.payload) == (there["name"], there["emailDomain"], there)
        assert row.nda_status == there["ndaDetails"]["ndaStatus"]
        assert (row.nda_satisfied_at is not None) == (there["ndaDetails"]["ndaSatisfiedDate"] is not None)
        assert row.access_config == there["accessConfig"]
        assert (row.tags, row.custom_fields) == (there["tagsByCategory"], there["customFields"])


def test_fetching_twice_changes_nothing(copy):
    before = list(Account.objects.order_by("id").values())
    copy.fetch()
    assert list(Account.objects.order_by("id").values()) == before


def test_a_change_there_is_taken_over_and_an_older_answer_is_not(copy):
    row = Account.objects.all()[0]
    older = RemoteAccount.read(row.payload)
    copy.change_there(
        row, name="Renamed", emailDomain=" @Renamed.Example. ", ndaDetails={"ndaStatus": "WAIVED"}, accessConfig=None
    )
    copy.fetch()
    row.refresh_from_db()
    assert (row.name, row.domain, row.access_config) == ("Renamed", "renamed.example", {})
    assert (row.nda, row.nda_state) == (("Company NDA: WAIVED", "muted"), "WAIVED")
    [mirror] = MIRRORS
    assert not mirror.save(older)
    row.refresh_from_db()
    assert row.name == "Renamed"


def test_q14_one_whose_date_could_not_be_read_is_stored_again_once_it_can(scoped):
    store_account(RemoteAccount.read({"id": "odd", "name": "Odd", "updatedDate": "soon"}))
    at = timezone.now().isoformat()
    assert store_account(RemoteAccount.read({"id": "odd", "name": "Odd", "updatedDate": at}))
    assert Account.objects.get().payload["updatedDate"] == at


def test_one_that_is_gone_there_is_kept_and_no_longer_found(copy):
    row = Account.objects.all()[0]
    [mirror] = MIRRORS
    assert row.platform_id in mirror.known()
    assert mirror.mark_gone(row.platform_id)
    assert not mirror.mark_gone(row.platform_id)
    assert row.platform_id not in mirror.known()
    assert mirror.has(row.platform_id)
    assert not accounts_by_id([row.platform_id])
    assert row.domain not in accounts_by_domain([row.domain])
    copy.fetch()
    assert accounts_by_id([row.platform_id])


def test_the_comparison_knows_the_accounts():
    assert MIRRORS[0] in ALL_MIRRORS


def test_a_domain_that_two_accounts_claim_is_nobodys(scoped):
    one, _, _ = account("One", "one.example"), account("Twin A", "twin.example"), account("Twin B", "twin.example")
    account("Nameless")
    account("Gone", "gone.example", gone_at=timezone.now())
    domains = ["one.example", "twin.example", "gone.example", "none.example", ""]
    assert accounts_by_domain(domains) == {"one.example": one}
    matches = matches_by_domain(domains)
    assert set(matches) == {"one.example", "twin.example"}
    assert (matches["one.example"].account, matches["one.example"].is_ambiguous) == (one, False)
    assert (matches["twin.example"].account, matches["twin.example"].is_ambiguous) == (None, True)
    assert matches["twin.example"].description == "Twin A or Twin B"


def test_many_at_once_are_found_in_batches(scoped, django_assert_num_queries):
    Account.objects.bulk_create(Account(platform_id=f"a{n}", name=f"N{n}", domain=f"n{n}.example") for n in range(1100))
    with django_assert_num_queries(3):
        assert len(accounts_by_domain(f"n{n}.example" for n in range(1200))) == 1100
    with django_assert_num_queries(3):
        assert len(accounts_by_id(f"a{n}" for n in range(1200))) == 1100


def test_nobody_finds_another_tenants_account(scoped, globex):
    mine = account("Mine", "mine.example")
    with tenant_scope(globex.pk):
        assert not accounts_by_domain([mine.domain])
        assert not accounts_by_id([mine.platform_id])


@pytest.mark.once
def test_the_desks_tell_what_they_know_of_an_account(scoped, django_assert_num_queries):
    now = timezone.now()
    for number, (account_id, day) in enumerate([("a", date(2026, 5, 4)), ("a", date(2025, 1, 1)), ("b", None)]):
        Contract.objects.create(platform_id=f"c{number}", account_id=account_id, executed_on=day, created_at=now)
    Contract.objects.create(platform_id="gone", account_id="c", created_at=now, gone_at=now)
    for number, status in enumerate(["COMPLETE", "IN_REVIEW"]):
        Questionnaire.objects.create(
            platform_id=f"q{number}", account_id="b", status=status, created_at=now - timedelta(days=number), updated_at=now
        )
    with django_assert_num_queries(3):  # the first of them: which accounts are one customer
        found = facts_for_accounts({"a", "b", "c", ""}, among={CONTRACTS, QUESTIONNAIRES})
    assert facts_for_accounts({"a", "b", "c"}) == found
    assert {key: set(known) for key, known in found.items()} == {"a": {CONTRACTS}, "b": {CONTRACTS, QUESTIONNAIRES}, "c": set()}
    assert found["a"][CONTRACTS].latest == date(2026, 5, 4)
    assert found["a"][CONTRACTS].description == "2 contracts, the latest of 4 May 2026"
    assert found["b"][CONTRACTS].description == "1 contract"
    assert (found["b"][QUESTIONNAIRES].number, found["b"][QUESTIONNAIRES].finished) == (2, 1)
    assert found["b"][QUESTIONNAIRES].description == "2 questionnaires, 1 finished"
    assert facts_for_accounts(set()) == {}


def test_a_tag_that_is_told_twice_is_one_tag(scoped):
    row = account("Twice", tags=[{"categoryId": "c1", "tagIds": ["t1", "t1"]}, {"categoryId": "c1", "tagIds": ["t1", None]}])
    assert tags_of(row) == {UNKNOWN_CATEGORY: [UNKNOWN_TAG]}
