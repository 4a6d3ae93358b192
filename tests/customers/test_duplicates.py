"""Which accounts are suggested to be one customer, and that what was dismissed stays away."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from portal.customers import services
from portal.customers.duplicates import DOMAIN, LIKE, NAME, find, is_one_letter_apart, simplified, suggested
from portal.customers.models import NotDuplicates
from portal.lib.path_ids import write_id
from portal.page_refresh.services import touch_areas
from tests.customers.conftest import PAGE, make_account, words
from tests.support.readings import all_was_read

LIST = f"{PAGE}duplicates/"


def pairs() -> list[tuple[str, str, tuple[str, ...]]]:
    touch_areas("accounts")  # the rows of these tests were made by hand
    return [(each.one.name, each.other.name, each.reasons) for each in suggested().open]


def made(name: str, domain: str = "", *, days: int = 0, **columns):
    return make_account(name, domain, created_at=timezone.now() - timedelta(days=days), **columns)


@pytest.mark.parametrize(
    ("one", "other", "is_like"),
    [
        ("Northwind", "Northwind Inc.", True),
        ("Northwind Bank", "NORTHWIND-BANK GmbH & Co. KG", True),
        ("S.A.P. SE", "SAP", True),
        ("Northwind", "Northwind Bank", False),
        ("Ltd", "Inc", False),
        ("", "", True),
    ],
)
def test_a_legal_form_makes_no_other_company(one, other, is_like):
    assert (simplified(one) == simplified(other)) is is_like


@pytest.mark.parametrize(
    ("one", "other", "is_apart"),
    [
        ("northwind", "nortwind", True),
        ("northwind", "northwinds", True),
        ("northwind", "northwint", True),
        ("northwind", "northwind", False),
        ("northwind", "nrothwind", False),
        ("plant12", "plant13", False),
        ("plant1", "plant", False),
        ("abc", "xyz", False),
    ],
)
def test_one_letter_is_a_slip_and_a_digit_is_not(one, other, is_apart):
    assert is_one_letter_apart(one, other) is is_one_letter_apart(other, one) is is_apart


def test_a_domain_or_a_name_that_two_share_is_suggested(scoped):
    made("Northwind", "northwind.example", days=9)
    made("Northwind Ltd", "northwind.example")
    made("Contoso", "contoso.example", days=5)
    made("Contoso BV", "contoso.test")
    made("Fabrikam", "fabrikam.example", days=3)
    made("Fabricam", "fabricam.example")
    made("Plant 12", "p12.example")
    made("Plant 13", "p13.example")
    made("Ann", "gmail.com")
    made("Bob", "gmail.com")
    made("Gone", "contoso.example", gone_at=timezone.now())
    assert pairs() == [
        ("Northwind", "Northwind Ltd", (DOMAIN, NAME)),
        ("Contoso", "Contoso BV", (NAME,)),
        ("Fabrikam", "Fabricam", (LIKE,)),
    ]


def test_of_three_alike_the_oldest_is_suggested_with_each(scoped, owner):
    first = made("Test", "a.example", days=9)
    second = made("Test", "b.example", days=8, platform_id="second")
    made("Test", "c.example", days=7, platform_id="third")
    assert [(each.one.domain, each.other.domain) for each in suggested().open] == [
        ("a.example", "b.example"),
        ("a.example", "c.example"),
    ]
    services.merge(first, second, member=owner)
    assert [(each.one.domain, each.other.domain) for each in suggested().open] == [("a.example", "c.example")]


def test_what_is_put_away_stays_away_until_it_is_brought_back(client, owner):
    one, other = made("Northwind", "northwind.example", days=9), made("Northwind Ltd", "northwind.test")
    page = words(client.get(LIST))
    assert "Northwind and Northwind Ltd" in page
    assert f"/{write_id(one.platform_id)}/merge/?with={other.platform_id}" in page
    # In whichever order they are named.
    for said in ({"one": one.platform_id, "other": other.platform_id}, {"one": other.platform_id, "other": one.platform_id}):
        client.post(f"{LIST}dismiss/", said)
    assert NotDuplicates.objects.count() == 1
    all_was_read("account")
    assert "No duplicates found" in words(client.get(LIST, follow=True))
    assert pairs() == []
    assert "Suggest again" in words(client.get(f"{LIST}?show=dismissed"))
    client.post(f"{LIST}bring-back/", said)
    assert len(pairs()) == 1


def test_merging_takes_back_that_they_are_two(scoped, owner):
    one, other = made("Northwind", "northwind.example", days=9), made("Northwind Ltd", "northwind.test")
    services.say_not_duplicates(one.platform_id, other.platform_id, member=owner)
    services.merge(one, other, member=owner)
    assert not NotDuplicates.objects.exists()
    services.take_apart(other, member=owner)
    assert len(pairs()) == 1


@pytest.mark.parametrize("said", [{}, {"one": "x"}, {"one": "a", "other": "a"}, {"one": "a\0", "other": "b"}])
def test_nonsense_is_not_kept(client, owner, said):
    made("A", "a.example", platform_id="a")
    assert client.post(f"{LIST}dismiss/", said).status_code == 404
    assert not NotDuplicates.objects.exists()


def test_somebody_elses_accounts_are_not_suggested(client, scoped, mallory, globex):
    made("Northwind", "northwind.example", days=9)
    made("Northwind Ltd", "northwind.example")
    assert len(pairs()) == 1
    client.force_login(mallory)
    assert "Northwind" not in words(client.get("/t/globex/customers/duplicates/"))


def test_twenty_thousand_are_looked_through_in_a_moment():
    rows = [(f"{number:024x}", f"Company {number * 7919 % 100_003}", f"company{number}.test") for number in range(20_000)]
    began = time.perf_counter()
    assert find(rows) == []
    assert time.perf_counter() - began < 5
