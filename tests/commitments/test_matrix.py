"""Customers by terms: the strictest promise, deviations in words, and what our standard changes about all of them."""

from decimal import Decimal

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.commitments import filters
from portal.commitments.comparison import Promise
from portal.commitments.models import Commitment, Standard, Term
from portal.commitments.services import StandardChanged, end_commitment, set_standard
from portal.customers.services import merge
from portal.tenants.models import Role
from tests.commitments.conftest import PAGE, make_account, words
from tests.commitments.test_register import file_of
from tests.support.members import find_member
from tests.support.readings import all_was_read


def cells(answer) -> dict[str, dict[str, str]]:
    return {
        str(row.account): {cell.term: cell.strictest.promise for cell in row.cells if cell.strictest}
        for row in answer.context["rows"]
    }


def names(answer) -> list[str]:
    return [str(row.account) for row in answer.context["rows"]]


@pytest.fixture
def customers(owner, promise):
    """Three customers: one of whom was promised more than usual, one the usual, one nothing."""
    set_standard(Term.BREACH_NOTICE, Promise(Decimal(72), "hours"), seen="", member=owner)
    north, globex, _ = make_account("Northwind", "north.example"), make_account("Globex"), make_account("Initech")
    make_account("Gone", gone_at=timezone.now())
    promise(north, amount=Decimal(96), unit="hours")
    promise(north, amount=Decimal(24), unit="hours")
    promise(north, words="without undue delay")
    promise(north, "availability", amount=Decimal("99.9"), unit="percent")
    promise(globex, amount=Decimal(3), unit="days")
    return north, globex


def test_a_cell_shows_the_strictest_promise_and_says_how_it_deviates(client, customers):
    page = client.get(PAGE)
    assert cells(page) == {
        "Globex": {"breach-notice": "3 days"},
        "Initech": {},
        "Northwind": {"breach-notice": "24 hours", "availability": "99.9 percent"},
    }
    told = words(page)
    assert "strictest of 3" in told
    assert "Ours: 72 hours" in told
    assert '<span class="s verdict warn">Stricter than our standard</span>' in told
    assert "1 stricter than our standard<" in told
    assert "None stricter than our standard<" in told
    assert "No commitments" in told


def test_it_is_searched_and_narrowed(client, customers, owner):
    for query, expected in {
        "": ["Globex", "Initech", "Northwind"],
        "shows=deviating": ["Northwind"],
        "shows=promised": ["Globex", "Northwind"],
        "shows=nonsense&q=north.EXAMPLE": ["Northwind"],
        "shows=promised&q=initech": [],
    }.items():
        assert names(client.get(f"{PAGE}?{query}")) == expected, query
    assert "No matching customers" in words(client.get(f"{PAGE}?q=nobody"))
    end_commitment(Commitment.objects.get(amount=24), seen=Commitment.objects.get(amount=24).version, member=owner)
    page = client.get(f"{PAGE}?shows=deviating")
    assert names(page) == []
    assert "None stricter than our standard" in words(page)


def test_r3_what_nobody_could_compare_is_not_called_usual(client, owner, promise):
    north = make_account("Northwind")
    promise(north, amount=Decimal(1), unit="hours")
    assert "Not compared<" in words(client.get(PAGE))
    assert "Not compared" in words(client.get(f"{PAGE}?shows=deviating"))
    assert "not compared<" in words(client.get(f"{PAGE}standard/"))
    [row] = file_of(client.post(f"{PAGE}export/"))
    assert row["Stricter than our standard"] == ""
    # Words and a number have nothing in common.
    set_standard(Term.BREACH_NOTICE, Promise(None, "", "promptly"), seen="", member=owner)
    assert "Not compared<" in words(client.get(PAGE))
    assert "None stricter" not in words(client.get(f"{PAGE}?shows=deviating"))


def test_accounts_that_were_merged_are_one_row(client, customers, owner, promise, monkeypatch):
    merged = make_account("Northwind Ltd", "northwind.test")
    promise(merged, term="retention", amount=Decimal(2), unit="months")
    merge(Account.objects.get(name="Northwind"), merged, member=owner)
    for few in (200, 0):
        monkeypatch.setattr(filters, "MAX_INLINE_CUSTOMERS", few)
        page = client.get(f"{PAGE}?shows=promised")
        assert names(page) == ["Globex", "Northwind"]
        assert "2 months" in words(page)


def test_many_customers_with_a_promise_are_found_in_another_way_and_are_the_same(client, customers, monkeypatch):
    monkeypatch.setattr(filters, "MAX_INLINE_CUSTOMERS", 0)
    assert names(client.get(f"{PAGE}?shows=deviating")) == ["Northwind"]
    assert names(client.get(f"{PAGE}?shows=promised")) == ["Globex", "Northwind"]


def test_an_empty_matrix_says_what_to_do_next(client, owner):
    all_was_read("account")
    assert "No customers yet" in words(client.get(PAGE))
    make_account("Northwind")
    assert "No commitments yet" in words(client.get(PAGE))


def test_the_file_holds_exactly_the_filtered_customers(client, customers, member):
    [row] = file_of(client.post(f"{PAGE}export/?shows=deviating"))
    assert (row["Customer"], row["Stricter than our standard"]) == ("Northwind", "1")
    assert (row["Breach notice"], row["Breach notice: compared"]) == (
        "24 hours (strictest of 3)",
        "Stricter than our standard",
    )
    assert row["Availability: compared"] == "No standard"
    assert row["Retention"] == ""
    assert Entry.objects.filter(action="commitment.export", target_id="matrix").exists()
    client.force_login(member(Role.VIEWER))
    assert client.post(f"{PAGE}export/").status_code == 403


@pytest.mark.usefixtures("within_a_minute")
def test_fifty_customers_take_no_more_queries_than_five(client, owner, promise):
    def queries(query: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"{PAGE}{query}").status_code == 200
        return len(captured)

    def add(start: int, end: int) -> None:
        for number in range(start, end):
            account = make_account(f"C{number}")
            for term in ("deletion", "retention"):
                promise(account, term, amount=Decimal(30), unit="days")

    add(0, 5)
    queries("")  # keeps what every page asks for
    few = [queries(query) for query in ("", "?shows=promised")]
    add(5, 50)
    queries("")
    assert [queries(query) for query in ("", "?shows=promised")] == few


def test_a_new_standard_compares_everything_anew(client, customers):
    page = client.get(f"{PAGE}standard/breach-notice/")
    answer = client.post(
        f"{PAGE}standard/breach-notice/",
        {"amount": "1", "unit": "business-days", "words": "", "seen": page.context["form"].version},
        follow=True,
    )
    assert "Every commitment is compared with it" in words(answer)
    # 24 hours may end on a Saturday, where a business day does not; 96 hours are longer than even a weekend.
    told = {each.promise: each.comparison for each in Commitment.objects.of_term("breach-notice")}
    assert told == {"24 hours": "harder", "96 hours": "easier", "3 days": "easier", "without undue delay": "unknown"}
    assert "1 stricter<" in words(client.get(f"{PAGE}standard/"))
    version = Standard.objects.get().version
    client.post(f"{PAGE}standard/breach-notice/remove/", {"seen": version})
    assert set(Commitment.objects.values_list("comparison", flat=True)) == {""}
    assert [entry.action for entry in Entry.objects.filter(target_kind="commitment_standard")] == [
        "commitment_standard.remove",
        "commitment_standard.set",
        "commitment_standard.set",
    ]


def test_a_standard_in_words_is_equal_to_the_same_words(client, owner, promise):
    account = make_account("Northwind")
    for text in ("within the European Union", "Within  the European Union.", "within Germany"):
        promise(account, "data-location", words=text)
    sent = {"words": "within the European Union", "seen": ""}
    assert client.post(f"{PAGE}standard/data-location/", sent).status_code == 302
    assert list(Commitment.objects.order_by("pk").values_list("comparison", flat=True)) == ["equal", "equal", "unknown"]


def test_a_standard_says_what_does_not_fit_and_who_was_faster(client, owner):
    address = f"{PAGE}standard/availability/"
    answer = client.post(address, {"amount": "3", "unit": "hours", "seen": ""})
    assert answer.status_code == 422
    assert "Select a valid choice" in words(answer)
    assert client.post(address, {"amount": "99.9", "unit": "percent", "seen": ""}).status_code == 302
    answer = client.post(address, {"amount": "99.5", "unit": "percent", "seen": ""})
    assert "Someone else changed this standard. It is now “99.9 percent”" in words(answer).replace("&ldquo;", "“")
    assert Standard.objects.get().amount == Decimal("99.9")
    with pytest.raises(StandardChanged):
        set_standard(Term.AVAILABILITY, Promise(Decimal(99), "percent"), seen="", member=owner)
    assert client.get(f"{PAGE}standard/nonsense/").status_code == 404


def test_only_admins_change_our_standard(client, owner, member):
    analyst = member(Role.APPROVER)
    client.force_login(analyst)
    assert "/breach-notice/" not in words(client.get(f"{PAGE}standard/"))
    assert client.post(f"{PAGE}standard/breach-notice/", {"amount": "1", "unit": "hours"}).status_code == 403
    with pytest.raises(PermissionDenied):
        promise = Promise(Decimal(1), "hours")
        set_standard(Term.BREACH_NOTICE, promise, seen="", member=find_member(user=analyst))
