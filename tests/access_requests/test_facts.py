"""What is known of a request: looked up for many at once, and kept with each decision without a person in it."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from portal.access_requests import facts as of_requests
from portal.access_requests.facts import Domains, knowledge_of
from portal.access_requests.models import ListedDomain, ListKind, SensitiveDocument
from portal.access_requests.selectors import facts_of
from portal.contracts.models import Contract
from portal.lib.free_mail import is_disposable, is_free_mail
from portal.trust_center.models import Resource
from tests.access_requests.conftest import PAGE, address, make, words
from tests.access_requests.rules import make_account

PARTIAL = "PARTIAL_ACCESS"


def known(row):
    return knowledge_of([row])[row.pk]


def facts(row):
    return known(row).facts


def marks(row):
    return [mark[0] for mark in known(row).marks]


def block(domain, kind=ListKind.BLOCKED, why="Competitor"):
    return ListedDomain.objects.create(domain=domain, kind=kind, why=why, listed_by_name="Alice")


def document(key, *, public=False):
    return Resource.objects.create(platform_id=key, title=f"Title {key}", is_public=public)


def test_an_account_is_told_by_its_domain_with_its_nda_and_contracts(scoped):
    make_account("Helios", "helios.example", "INCOMPLETE")
    Contract.objects.create(platform_id="c1", account_id="id-Helios", created_at=timezone.now())
    row = make("Helios")
    found = facts(row)
    assert (found.account, found.account_id, found.account_nda, found.has_contract) == ("one", "id-Helios", "INCOMPLETE", True)
    assert marks(row) == ["Helios", "Company NDA: incomplete", "Contract"]
    assert facts(make("Elsewhere")).account == "none"


def test_a_domain_of_two_accounts_is_marked_and_never_guessed(scoped):
    make_account("Twin A", "twin.example")
    make_account("Twin B", "twin.example")
    row = make("Twin")
    found = facts(row)
    assert (found.account, found.account_id, found.account_nda, found.has_contract) == ("several", "", "", False)
    assert known(row).marks == [("2 accounts", "warn", "The domain belongs to Twin A or Twin B")]


def test_free_mail_throw_away_mail_and_blocked_domains_are_marked(scoped):
    assert is_free_mail("gmail.com")
    assert is_disposable("mailinator.com")
    assert not is_free_mail("microsoft.com")
    block("evil.example")
    block("webmail.example", ListKind.FREE_MAIL)
    assert marks(make("a", email="a@gmail.com")) == ["Free mail"]
    assert marks(make("b", email="b@mailinator.com")) == ["Disposable email"]
    assert marks(make("c", email="c@eu.evil.example")) == ["Blocked"]
    assert marks(make("d", email="d@webmail.example")) == ["Free mail"]
    assert marks(make("e", email="e@notevil.example")) == []


def test_a_company_is_known_once_another_request_of_it_was_approved(scoped):
    row = make("Acme")
    make("Acme", platform_id="other", outcome="DENIED", hours=5)
    assert facts(row).approved_before == 0
    first = make("Acme", platform_id="first", outcome="APPROVED", hours=9)
    later = make("Acme", platform_id="later", outcome="APPROVED", hours=3)
    assert facts(row).approved_before == 2
    assert (facts(first).approved_before, facts(later).approved_before) == (0, 1)
    # Everybody is at a free-mail provider: that one of them was let in says nothing.
    make("x", email="x@gmail.com", outcome="APPROVED", hours=9)
    assert facts(make("y", email="y@gmail.com")).approved_before == 0


def test_only_approvals_that_can_count_are_kept(scoped, monkeypatch):
    for name in ("Acme", "Helios", "Elsewhere"):
        make(name, outcome="APPROVED")
    make("x", email="x@gmail.com", outcome="APPROVED")
    domains = {"acme.example", "helios.example", "gmail.com"}
    assert set(Domains.load(domains).approvals) == domains - {"gmail.com"}
    monkeypatch.setattr(of_requests, "BATCH", 1)  # more domains than are asked for by name
    assert set(Domains.load(domains).approvals) == domains - {"gmail.com"}


def test_sensitive_and_unknown_documents(scoped):
    document("a")
    document("b")
    document("p", public=True)
    SensitiveDocument.objects.create(resource_id="a", marked_by_name="Alice")
    asks_a = make("A", level=PARTIAL, requested_resources=["a"])
    asks_b = make("B", level=PARTIAL, requested_resources=["b"])
    asks_x = make("X", level=PARTIAL, requested_resources=["b", "x"])
    asks_none = make("N", level=PARTIAL, requested_resources=[])
    asks_all = make("All")
    said = {row.name: facts(row) for row in (asks_a, asks_b, asks_x, asks_none, asks_all)}
    assert {name for name, each in said.items() if each.is_sensitive} == {"A", "All"}
    assert {name for name, each in said.items() if each.asks_unknown} == {"X", "N"}
    assert {name for name, each in said.items() if not each.has_harmless} == {"A", "N"}
    assert known(asks_all).marks == [("Sensitive", "warn", "Title a")]


@pytest.mark.parametrize(("hour", "day", "is_open"), [(10, 20, True), (17, 20, False), (8, 20, False), (10, 21, False)])
def test_office_hours_are_those_of_the_moment_of_asking(scoped, hour, day, is_open):
    row = make("Acme")
    row.created_at = datetime(2026, 11, day, hour, tzinfo=UTC)  # the 20th is a Friday
    assert facts(row).in_office_hours is is_open


def test_many_requests_cost_as_many_queries_as_one(scoped, django_assert_max_num_queries):
    rows = [make(f"N{number}") for number in range(60)]
    for number in range(0, 60, 3):
        make_account(f"N{number}", f"n{number}.example")
    with django_assert_max_num_queries(12):
        found = knowledge_of(rows)
    assert sum(each.match.account is not None for each in found.values()) == 20


def test_what_is_kept_with_a_decision_has_no_person_in_it(scoped):
    make_account("Helios", "helios.example")
    row = make("Helios", company="Helios Ltd", reason="Call me: +49 30 1234")
    row.name = "Peggy Person"
    kept = str(facts_of(row))
    assert "Peggy" not in kept
    assert row.email not in kept
    assert "1234" not in kept
    assert facts_of(row)["rules"] == facts(row).as_json()


def test_the_marks_stand_in_the_row_and_in_the_pane(scoped, approver):
    make_account("Helios", "helios.example")
    block("evil.example", why="Competitor <b>")
    helios, evil = make("Helios"), make("Eve", email="eve@evil.example")
    page = words(approver.get(PAGE))
    assert "Helios</span>" in page
    assert "Company NDA: signed" in page
    assert "Blocked" in page
    pane = words(approver.get(address(evil)))
    assert "Competitor &lt;b&gt;" in pane
    assert "Company NDA: signed" in words(approver.get(address(helios)))
