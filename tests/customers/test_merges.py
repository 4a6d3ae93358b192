"""Two accounts of one company: said to be one customer here, everywhere, and taken apart again with nothing lost."""

import csv
from datetime import date
from io import StringIO

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.accounts.account_facts import CONTRACTS, REQUESTS, VIEWERS, facts_for_accounts
from portal.accounts.merged_accounts import customer_of, customers_of, ids_of_customer
from portal.accounts.models import Account, Part
from portal.accounts.selectors import accounts_by_domain, matches_by_domain, own_domains
from portal.audit.models import Entry
from portal.contracts.models import Contract
from portal.customers import services
from portal.customers.forms import EditForm
from portal.customers.models import NotDuplicates
from portal.customers.services import NotMergeable
from portal.lib.path_ids import write_id
from portal.questionnaires.models import Questionnaire
from portal.tags.models import Category
from portal.tenants.models import Membership, Role
from portal.tenants.offboarding import purge
from tests.customers.conftest import PAGE, make_account, make_request, make_viewer, words
from tests.support.members import find_member

NOW = timezone.now


@pytest.fixture
def two(scoped) -> tuple[Account, Account]:
    """Northwind, which the platform knows twice, and somebody else."""
    main = make_account("Northwind", "northwind.example", nda_status="SIGNED")
    duplicate = make_account("Northwind Trading Ltd", "north-wind.example", custom_fields=[{"label": "Tier", "value": "Gold"}])
    make_account("Somebody else", "else.example")
    return main, duplicate


def fill(*accounts: Account) -> None:
    """Something of every desk, for each of them."""
    for number, account in enumerate(accounts):
        make_request(f"Asker {number}", account.domain, hours=number + 2)
        make_viewer(f"Viewer {number}", "partner.example", account_id=account.platform_id)
        at, executed = NOW(), date(2026, 5, number + 1)
        Contract.objects.create(
            platform_id=f"c{number}", name=f"MSA {number}", account_id=account.platform_id, created_at=at, executed_on=executed
        )
        Questionnaire.objects.create(
            platform_id=f"q{number}",
            name=f"SIG {number}",
            account_id=account.platform_id,
            status="COMPLETE",
            created_at=at,
            updated_at=at,
        )


def names(answer) -> list[str]:
    return [row.account.name for row in answer.context["rows"]]


def merge(client, main: Account, duplicate: Account):
    said = {"with": duplicate.platform_id, "main": main.platform_id}
    return client.post(f"{PAGE}{main.platform_id}/merge/", said, follow=True)


def test_the_main_ones_page_shows_everything_of_both(client, owner, two):
    main, duplicate = two
    fill(main, duplicate)
    page = words(merge(client, main, duplicate))
    assert "Merged Northwind Trading Ltd into Northwind. Nothing changed on the platform." in page
    for expected in (
        "MSA 0",
        "MSA 1",
        "SIG 0",
        "SIG 1",
        "Asker 0 requested",
        "Asker 1 requested",
        "Viewer 0 got",
        "Viewer 1 got",
    ):
        assert expected in page, expected
    for expected in (
        "2 requests, 2 pending",
        "2 with access",
        "2 questionnaires, 2 finished",
        "2 contracts, the latest of 2 May",
    ):
        assert expected in page, expected
    assert "Accounts of this customer" in page
    assert "Gold" in page
    assert "Merged Northwind Trading Ltd into Northwind here." in page
    [entry] = Entry.objects.filter(action="customer.merge")
    assert (entry.actor, entry.details["duplicate_id"]) == (owner.user, duplicate.platform_id)


def test_the_duplicates_page_leads_to_the_main_one(client, owner, two):
    main, duplicate = two
    merge(client, main, duplicate)
    assert client.get(f"{PAGE}{duplicate.platform_id}/")["Location"] == f"{PAGE}{write_id(main.platform_id)}/"
    assert client.get(f"{PAGE}{duplicate.platform_id}/edit/").status_code == 200  # the account itself is still the platform's


def test_the_lists_of_the_desks_show_those_of_both(client, owner, two):
    main, duplicate = two
    fill(main, duplicate, make_account("Third", "third.example"))
    merge(client, main, duplicate)
    for address in (
        f"/t/acme/contracts/?account={main.platform_id}",
        f"/t/acme/questionnaires/?stage=all&account={main.platform_id}",
        f"/t/acme/access-requests/?tab=all&account={main.platform_id}",
        f"/t/acme/access-requests/viewers/?tab=all&account={main.platform_id}",
    ):
        page = words(client.get(address))
        found = {number for number in range(3) for name in ("MSA", "SIG", "Asker", "Viewer") if f"{name} {number}" in page}
        assert found == {0, 1}, address
    page = words(client.get(f"{PAGE}{main.platform_id}/"))
    assert f"/t/acme/access-requests/?tab=all&amp;account={main.platform_id}" in page


def test_the_list_shows_one_row_and_the_file_agrees(client, owner, two):
    main, duplicate = two
    fill(main, duplicate)
    assert len(names(client.get(PAGE))) == 3
    merge(client, main, duplicate)
    page = client.get(PAGE)
    assert names(page) == ["Northwind", "Somebody else"]
    assert "2 accounts" in words(page)
    assert "2 contracts" in words(page)
    merged = client.get(f"{PAGE}?parts=merged")
    assert names(merged) == ["Northwind Trading Ltd"]
    assert "duplicate of Northwind" in words(merged)
    rows = read_file(client, "")
    assert [(row["Name"], row["Contracts"], row["Merged into"]) for row in rows] == [
        ("Northwind", "2", ""),
        ("Somebody else", "0", ""),
    ]
    assert [(row["Contracts"], row["Merged into"]) for row in read_file(client, "?parts=merged")] == [("", main.platform_id)]


def read_file(client, query: str) -> list[dict]:
    answer = client.post(f"{PAGE}export/{query}")
    return list(csv.DictReader(StringIO(b"".join(answer.streaming_content).decode().removeprefix("\ufeff"))))


def test_a_customer_is_found_by_the_words_of_each_of_its_accounts(client, owner, two):
    main, duplicate = two
    merge(client, main, duplicate)
    for query in ("q=trading", "q=north-wind.example", "q=northwind", "q=northwind.example"):
        assert names(client.get(f"{PAGE}?{query}")) == ["Northwind"], query
        assert [row["Name"] for row in read_file(client, f"?{query}")] == ["Northwind"]
    assert names(client.get(f"{PAGE}?q=trading&nda=incomplete")) == []
    assert names(client.get(f"{PAGE}?q=trading&nda=signed")) == ["Northwind"]


def test_taking_apart_gives_back_what_was_before(client, owner, two):
    main, duplicate = two
    fill(main, duplicate)
    before = facts_for_accounts({main.platform_id, duplicate.platform_id})
    merge(client, main, duplicate)
    assert facts_for_accounts({main.platform_id}) != before
    page = client.post(f"{PAGE}{duplicate.platform_id}/take-apart/", follow=True)
    assert "is a separate customer again" in words(page)
    assert facts_for_accounts({main.platform_id, duplicate.platform_id}) == before
    assert not Part.objects.exists()
    assert len(names(client.get(PAGE))) == 3
    assert Entry.objects.filter(action="customer.take_apart").count() == 1
    client.post(f"{PAGE}{duplicate.platform_id}/take-apart/")  # once more is no error
    assert Entry.objects.filter(action="customer.take_apart").count() == 1


def test_a_domain_that_only_they_name_is_the_customers_again(scoped, owner):
    one, two = make_account("One", "twin.example"), make_account("Two", "twin.example")
    make_request("Ann", "twin.example")
    make_request("Bea", "twin.example")
    assert accounts_by_domain(["twin.example"]) == {}
    services.merge(one, two, member=owner)
    assert accounts_by_domain(["twin.example"]) == {"twin.example": one}
    assert own_domains([one.platform_id, two.platform_id]) == {"twin.example": one.platform_id}
    assert own_domains([two.platform_id]) == {"twin.example": two.platform_id}
    assert facts_for_accounts({one.platform_id})[one.platform_id][REQUESTS].number == 2
    assert facts_for_accounts({two.platform_id})[two.platform_id][REQUESTS].number == 2
    # A third one is another customer: again nobody's.
    make_account("Three", "twin.example")
    assert matches_by_domain(["twin.example"])["twin.example"].is_ambiguous
    assert own_domains([one.platform_id, two.platform_id]) == {}


def test_a_third_account_is_merged_into_the_same_customer(scoped, owner, two):
    main, duplicate = two
    third = make_account("Northwind NV", "nw.example")
    services.merge(main, duplicate, member=owner)
    services.merge(main, third, member=owner)
    ids = {main.platform_id, duplicate.platform_id, third.platform_id}
    for one in ids:
        assert ids_of_customer(one) == ids
        assert customer_of(one).main_id == main.platform_id
    services.take_apart(third, member=owner)
    assert ids_of_customer(third.platform_id) == {third.platform_id}
    assert ids_of_customer(main.platform_id) == ids - {third.platform_id}


def test_chains_and_circles_are_refused_in_words(client, owner, two):
    main, duplicate = two
    third = make_account("Third", "third.example")
    services.merge(main, duplicate, member=owner)
    services.merge(main, duplicate, member=owner)  # once more changes nothing
    assert Part.objects.count() == 2
    for one, other in ((duplicate, main), (duplicate, third), (third, main), (third, duplicate), (main, main)):
        with pytest.raises(NotMergeable):
            services.merge(one, other, member=owner)
    page = words(merge(client, third, main))
    assert "Not merged" in page
    assert "Northwind has duplicates of its own" in page


def test_the_database_refuses_them_as_well(scoped, owner, two):
    main, duplicate = two
    services.merge(main, duplicate, member=owner)
    customer = Part.objects.first().customer
    for values in (
        {"account_id": duplicate.platform_id, "is_main": True},
        {"account_id": main.platform_id},
        {"account_id": "third", "customer": customer, "is_main": True},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Part.objects.create(**values)


def test_another_one_is_made_the_main_one(client, owner, two):
    main, duplicate = two
    services.merge(main, duplicate, member=owner)
    page = client.post(f"{PAGE}{duplicate.platform_id}/make-main/", follow=True)
    assert "Northwind Trading Ltd is now the main account of this customer" in words(page)
    assert names(client.get(PAGE)) == ["Northwind Trading Ltd", "Somebody else"]
    assert client.get(f"{PAGE}{main.platform_id}/")["Location"] == f"{PAGE}{write_id(duplicate.platform_id)}/"


@pytest.mark.parametrize("second", [services.take_apart, services.make_main])
@pytest.mark.parametrize("first", [services.take_apart, services.make_main])
def test_of_two_presses_in_one_moment_the_second_leaves_no_customer_without_its_main_account(
    first, second, scoped, owner, two, monkeypatch
):
    main, duplicate = two
    for other in (duplicate, make_account("Northwind Inc", "northwind-inc.example")):
        services.merge(main, other, member=owner)
    lock = Part.objects.select_for_update

    def lock_after_the_other():
        """Whoever waits for these rows gets them once the other one has committed."""
        monkeypatch.setattr(Part.objects, "select_for_update", lock)
        first(duplicate, member=owner)
        return lock()

    monkeypatch.setattr(Part.objects, "select_for_update", lock_after_the_other)
    second(duplicate, member=owner)
    assert Part.objects.filter(is_main=True).count() == 1
    assert Entry.objects.exclude(action="customer.merge").count() == 1


def test_an_account_that_goes_away_leaves_the_customer_there(client, owner, two):
    main, duplicate = two
    fill(main, duplicate)
    services.merge(main, duplicate, member=owner)
    Account.objects.filter(pk=main.pk).update(gone_at=NOW())
    assert names(client.get(PAGE)) == ["Northwind", "Somebody else"]
    assert names(client.get(f"{PAGE}?presence=gone")) == []
    page = words(client.get(f"{PAGE}{main.platform_id}/"))
    assert "The main account no longer exists on the platform" in page
    assert "2 contracts" in page
    Account.objects.filter(pk=duplicate.pk).update(gone_at=NOW())
    assert names(client.get(PAGE)) == ["Somebody else"]
    assert names(client.get(f"{PAGE}?presence=gone")) == ["Northwind"]
    # It returns: what people said of it still holds.
    Account.objects.update(gone_at=None)
    assert names(client.get(PAGE)) == ["Northwind", "Somebody else"]


def test_what_was_said_survives_a_copy_that_is_removed(client, owner, two):
    main, duplicate = two
    services.merge(main, duplicate, member=owner)
    services.say_not_duplicates(main.platform_id, "x", member=owner)
    purge()
    assert Part.objects.count() == 2
    assert NotDuplicates.objects.count() == 1
    # The duplicate alone was fetched again so far: it stands for the customer until the main one is.
    make_account("Northwind Trading Ltd", "north-wind.example", platform_id=duplicate.platform_id)
    client.force_login(owner.user)
    Membership.objects.get_or_create(tenant=owner.tenant, user=owner.user, defaults={"role": Role.OWNER})
    assert names(client.get(PAGE)) == ["Northwind Trading Ltd"]
    assert client.get(f"{PAGE}{duplicate.platform_id}/").status_code == 200
    make_account("Northwind", "northwind.example", platform_id=main.platform_id)
    assert names(client.get(PAGE)) == ["Northwind"]


def test_twins_that_were_merged_are_no_twins(client, owner):
    one, two = make_account("One", "twin.example"), make_account("Two", "twin.example")
    make_request("Ann", "twin.example")
    services.merge(one, two, member=owner)
    page = words(client.get(f"{PAGE}{one.platform_id}/"))
    assert "the same email domain" not in page
    assert "Ann requested access" in page


def test_the_choice_offers_the_one_with_more(client, owner, two):
    main, duplicate = two
    fill(duplicate)
    page = client.get(f"{PAGE}{main.platform_id}/merge/?with={duplicate.platform_id}")
    assert page.context["main_id"] == duplicate.platform_id
    said = {"with": duplicate.platform_id, "main": duplicate.platform_id}
    client.post(f"{PAGE}{main.platform_id}/merge/", said)
    assert customer_of(main.platform_id).main_id == duplicate.platform_id
    search = words(client.get(f"{PAGE}{duplicate.platform_id}/merge/?q=else"))
    assert "Somebody else" in search
    assert client.get(f"{PAGE}{duplicate.platform_id}/merge/?with=nobody").status_code == 404
    assert client.get(f"{PAGE}{duplicate.platform_id}/merge/?with={'x' * 300}").status_code == 404


def test_the_role_is_asked_for_by_the_change_itself(client, scoped, member, two):
    main, duplicate = two
    people = {role: find_member(tenant=scoped, user=member(role)) for role in (Role.VIEWER, Role.ANALYST)}
    viewer, analyst = people[Role.VIEWER], people[Role.ANALYST]
    for attempt in (
        lambda: services.merge(main, duplicate, member=analyst),
        lambda: services.take_apart(duplicate, member=analyst),
        lambda: services.make_main(duplicate, member=analyst),
        lambda: services.say_not_duplicates("a", "b", member=viewer),
        lambda: services.suggest_again("a", "b", member=viewer),
    ):
        with pytest.raises(PermissionDenied):
            attempt()
    client.force_login(analyst.user)
    assert "Merge…" not in words(client.get(f"{PAGE}{main.platform_id}/"))
    assert merge(client, main, duplicate).status_code == 403


def test_somebody_elses_accounts_are_not_merged(client, two, mallory, globex):
    main, duplicate = two
    client.force_login(mallory)
    root = "/t/globex/customers/"
    assert client.get(f"{root}{main.platform_id}/merge/").status_code == 404
    for verb in ("merge", "take-apart", "make-main"):
        said = {"with": duplicate.platform_id, "main": main.platform_id}
        assert client.post(f"{root}{main.platform_id}/{verb}/", said).status_code == 404
    assert not Part.objects.exists()


def test_many_at_once_take_one_query_for_each_five_hundred(scoped, owner, two, django_assert_num_queries):
    main, duplicate = two
    services.merge(main, duplicate, member=owner)
    with django_assert_num_queries(2):
        found = customers_of([main.platform_id, *(f"x{number}" for number in range(600))])
    assert len(found) == 601
    assert found[main.platform_id].account_ids == {main.platform_id, duplicate.platform_id}


def test_others_count_contracts_of_the_whole_customer(scoped, owner, two):
    main, duplicate = two
    fill(duplicate)
    assert CONTRACTS not in facts_for_accounts({main.platform_id}, among={CONTRACTS})[main.platform_id]
    services.merge(main, duplicate, member=owner)
    found = facts_for_accounts({main.platform_id}, among={CONTRACTS, VIEWERS})[main.platform_id]
    assert (found[CONTRACTS].number, found[VIEWERS].number) == (1, 1)
    assert found[CONTRACTS].latest == date(2026, 5, 1)


def test_an_open_page_hears_of_a_merge(client, owner, two):
    main, duplicate = two
    fill(main, duplicate)
    for address in (PAGE, f"{PAGE}{main.platform_id}/", f"/t/acme/contracts/?account={main.platform_id}"):
        headers = {"HX-Request": "true", "Seen": client.get(address).context["page_version"]}
        assert client.get(address, headers=headers).status_code == 204, address
        services.merge(main, duplicate, member=owner)
        assert client.get(address, headers=headers).status_code == 200, address
        services.take_apart(duplicate, member=owner)


def test_an_account_may_take_the_mail_domain_of_its_own_customer(scoped, owner, two):
    main, duplicate = two
    said = {"name": duplicate.name, "domain": main.domain, "seen": ""}
    assert "domain" in EditForm(said, account=duplicate).errors
    services.merge(main, duplicate, member=owner)
    assert "domain" not in EditForm(said, account=duplicate).errors


def test_tags_are_told_by_name_as_far_as_it_is_known(client, owner):
    tags = [{"id": "t1", "name": "Bank"}, {"id": "t2", "name": "Insurance"}]
    Category.objects.create(platform_id="c1", name="Industry", tags=tags)
    told = [
        {"categoryId": "c1", "tagIds": ["t1", "t2", "t9"]},
        {"categoryId": "c9", "tagIds": ["t1"]},
        "nonsense",
        {"tagIds": 3},
    ]
    account = make_account("Northwind", "northwind.example", tags=told)
    page = client.get(f"{PAGE}{account.platform_id}/")
    assert page.context["tags"] == [("Industry", "Bank, Insurance, Unknown tag"), ("Unknown category", "Unknown tag")]
    assert "Bank, Insurance, Unknown tag" in words(page)
