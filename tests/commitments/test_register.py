"""Writing promises down, changing and ending them; the register that lists them, and its file."""

import csv
from decimal import Decimal
from io import StringIO

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.commitments.comparison import Promise
from portal.commitments.models import Commitment, Term, Verdict
from portal.commitments.services import Promised, add_commitment, customer_names, set_standard
from portal.commitments.services.customer_names import follow_names
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.tenants.services import create_tenant
from tests.commitments.conftest import PAGE, make_account, make_contract, typed, words
from tests.support.members import find_member
from tests.support.turns import fails_in

REGISTER = f"{PAGE}register/"


def shown(answer) -> list[str]:
    return [f"{row.customer}: {row.commitment.promise}" for row in answer.context["rows"]]


def file_of(answer) -> list[dict[str, str]]:
    text = b"".join(answer.streaming_content).decode().removeprefix("\ufeff")
    return list(csv.DictReader(StringIO(text)))


def test_a_promise_is_written_down_by_hand(client, owner):
    account = make_account("Northwind", "northwind.example")
    contract = make_contract("Master agreement", account, "Some text.", "More text.")
    other = make_contract("Somebody else's")
    page = client.get(f"{PAGE}new/?q=north")
    assert "Northwind" in words(page)
    page = client.get(f"{PAGE}new/?account={account.platform_id}")
    assert "Master agreement" in words(page)
    assert "Somebody else" not in words(page)
    sent = typed(
        amount="24",
        unit="hours",
        contract=contract.pk,
        clause="7.2",
        page="2",
        quote="within 24 hours",
        data_kinds=["personal"],
        notify="soc@northwind.example",
        zone="Europe/Berlin",
        country="DE",
    )
    answer = client.post(f"{PAGE}new/?account={account.platform_id}", sent, follow=True)
    found = Commitment.objects.get()
    assert (found.promise, found.account_name, found.contract, found.data_kinds) == (
        "24 hours",
        "Northwind",
        contract,
        ["personal"],
    )
    told = words(answer)
    for text in (
        "clause 7.2",
        "within 24 hours",
        "soc@northwind.example",
        "Personal data",
        "Europe/Berlin",
        "Public holidays of Germany",
    ):
        assert text in told
    assert f"{reverse('contracts:text', args=['acme', contract.platform_id])}?page=2#page-2" in told
    sent = typed(amount="24", unit="hours", contract=other.pk)
    assert client.post(f"{PAGE}new/?account={account.platform_id}", sent).status_code == 422
    entry = Entry.objects.get(action="commitment.add")
    assert "Breach notice, 24 hours" in entry.summary
    assert "northwind.example" not in f"{entry.summary} {entry.details}"


@pytest.mark.parametrize(
    ("sent", "complaint"),
    [
        ({}, "Enter what is promised"),
        ({"amount": "24"}, "Choose a unit for the number"),
        ({"unit": "hours"}, "Enter the number"),
        ({"amount": "24", "unit": "hours", "words": "promptly"}, "Enter a number or words"),
        ({"amount": "2", "unit": "months"}, "is counted in hours, days or business days"),
        ({"amount": "0", "unit": "hours"}, "Enter a number above 0"),
        ({"amount": "1.5", "unit": "business-days"}, "Enter a whole number of business days"),
        ({"term": "availability", "amount": "101", "unit": "percent"}, "promise more than 100 percent"),
        ({"term": "data-location", "amount": "1", "unit": "days"}, "This is promised in words"),
        ({"term": "deletion", "amount": "30", "unit": "days", "notify": "them"}, "is not a notice"),
        ({"words": "tell jane@x.example"}, "enter email addresses here"),
        ({"amount": "nine", "unit": "hours"}, "Enter a number"),
        ({"amount": "24", "unit": "hours", "zone": "Mars/Base"}, "Select a valid choice"),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_is_lost(client, owner, sent, complaint):
    account = make_account("Northwind")
    answer = client.post(f"{PAGE}new/?account={account.platform_id}", typed(quote="word for word", **sent))
    assert answer.status_code == 422
    assert complaint in words(answer)
    assert "word for word" in words(answer)
    assert not Commitment.objects.exists()


def test_a_customer_that_is_not_known_is_asked_for_again(client, owner):
    make_account("Gone", gone_at=timezone.now())
    for account_id in ("id-Gone", "nobody"):
        assert "Customer not found" in words(client.get(f"{PAGE}new/?account={account_id}"))


def test_when_somebody_was_faster_both_are_shown(client, owner, promise):
    found = promise(make_account("Northwind"), amount=Decimal(24), unit="hours", notify="the desk")
    form = client.get(f"{PAGE}{found.pk}/change/")
    seen = form.context["seen"]
    client.post(f"{PAGE}{found.pk}/change/", typed(amount="48", unit="hours", notify="the desk", seen=seen))
    answer = client.post(f"{PAGE}{found.pk}/change/", typed(amount="72", unit="hours", notify="the owl", seen=seen))
    assert answer.status_code == 422
    assert answer.context["conflict"] == [
        ("Promise", "72 hours", "48 hours"),
        ("Who to notify, and how", "the owl", "the desk"),
    ]
    assert Commitment.objects.get().promise == "48 hours"
    again = answer.context["seen"]
    assert client.post(f"{PAGE}{found.pk}/change/", typed(amount="72", unit="hours", seen=again)).status_code == 302
    assert Commitment.objects.get().promise == "72 hours"
    assert "48 hours → 72 hours" in words(client.get(f"{PAGE}{found.pk}/"))


def test_w2_which_data_a_promise_is_about_is_compared_too(client, owner, promise):
    found = promise(make_account("Northwind"), amount=Decimal(24), unit="hours", data_kinds=["personal"])
    sent = typed(amount="24", unit="hours", seen=client.get(f"{PAGE}{found.pk}/change/").context["seen"])
    client.post(f"{PAGE}{found.pk}/change/", sent | {"data_kinds": ["personal", "payment"]})
    answer = client.post(f"{PAGE}{found.pk}/change/", sent | {"data_kinds": ["personal"]})
    assert answer.context["conflict"] == [("Data covered", "Personal data", "Payment data, Personal data")]
    assert Commitment.objects.get().data_kinds == ["personal", "payment"]


def test_a_promise_ends_stays_and_comes_back(client, owner, promise):
    found = promise(make_account("Northwind"), amount=Decimal(24), unit="hours")
    stale = found.version
    client.post(f"{PAGE}{found.pk}/end/", {"seen": stale})
    found.refresh_from_db()
    assert found.ended_at
    assert "Commitment ended" in words(client.get(f"{PAGE}{found.pk}/"))
    assert shown(client.get(REGISTER)) == []
    assert shown(client.get(f"{REGISTER}?state=ended")) == ["Northwind: 24 hours"]
    answer = client.post(f"{PAGE}{found.pk}/end/", {"seen": stale, "reopen": "1"}, follow=True)
    assert "Nothing was changed because someone else edited this commitment." in words(answer)
    client.post(f"{PAGE}{found.pk}/end/", {"seen": found.version, "reopen": "1"})
    found.refresh_from_db()
    assert found.ended_at is None
    assert [entry.action for entry in Entry.objects.filter(target_kind="commitment")] == [
        "commitment.reopen",
        "commitment.end",
        "commitment.add",
    ]


def test_search_and_filters_narrow_the_register(client, owner, promise):
    north, globex = make_account("Northwind"), make_account("Globex")
    contract = make_contract("MSA of Globex", globex)
    set_standard(Term.BREACH_NOTICE, Promise(Decimal(72), "hours"), seen="", member=owner)
    promise(north, amount=Decimal(24), unit="hours", clause="7.2")
    promise(globex, amount=Decimal(96), unit="hours", contract=contract)
    promise(globex, "deletion", amount=Decimal(30), unit="days")
    promise(globex, "data-location", words="within the European Union")
    breach = ["Globex: 96 hours", "Northwind: 24 hours"]
    for query, expected in {
        "": ["Globex: within the European Union", "Globex: 30 days", *breach],
        "term=breach-notice": breach,
        "term=nonsense&verdict=nonsense&state=nonsense&q=hours": breach,
        "verdict=harder": ["Northwind: 24 hours"],
        "verdict=easier": ["Globex: 96 hours"],
        "verdict=none": ["Globex: within the European Union", "Globex: 30 days"],
        f"account={north.platform_id}": ["Northwind: 24 hours"],
        f"contract={contract.platform_id}": ["Globex: 96 hours"],
        "contract=unknown": [],
        "q=NORTHwind": ["Northwind: 24 hours"],
        "q=7.2": ["Northwind: 24 hours"],
        "q=globex+union": ["Globex: within the European Union"],
        "state=ended": [],
        "state=all&q=msa": ["Globex: 96 hours"],
    }.items():
        assert shown(client.get(f"{REGISTER}?{query}")) == expected, query
    assert "No matching commitments" in words(client.get(f"{REGISTER}?q=nobody"))


def test_an_empty_register_says_what_to_do_next(client, owner):
    assert "No commitments yet" in words(client.get(REGISTER))


def test_pages_follow_each_other_without_a_gap(client, owner, promise):
    account = make_account("Northwind")
    for number in range(120):
        promise(account, amount=Decimal(number + 1), unit="hours")
    seen, address = [], REGISTER
    while address:
        page = client.get(address)
        seen += [int(row.commitment.amount) for row in page.context["rows"]]
        cursor = page.context["page"].next_cursor
        address = cursor and f"{REGISTER}?cursor={cursor}"
    assert seen == list(range(120, 0, -1))


def test_the_file_holds_exactly_the_filtered_commitments(client, owner, promise, member):
    account = make_account("=SUM(A1)")
    promise(account, amount=Decimal(24), unit="hours", quote="@formula", clause="7.2", page=3, data_kinds=["special"])
    promise(account, "deletion", amount=Decimal(30), unit="days")
    [row] = file_of(client.post(f"{REGISTER}export/?term=breach-notice"))
    assert (row["Customer"], row["Promise"], row["Number"], row["Counted in"]) == ("'=SUM(A1)", "24 hours", "24", "hours")
    assert (row["Contract wording"], row["Page"], row["Data"]) == ("'@formula", "3", "Special categories (GDPR Art. 9)")
    assert Entry.objects.filter(action="commitment.export", details={"is_filtered": True}).count() == 1
    client.force_login(member(Role.VIEWER))
    assert client.post(f"{REGISTER}export/").status_code == 403


@pytest.mark.usefixtures("within_a_minute")
def test_fifty_commitments_take_no_more_queries_than_five(client, owner, promise):
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(REGISTER).status_code == 200
        return len(captured)

    def add(count: int) -> None:
        for number in range(Commitment.objects.count(), count):
            account = make_account(f"C{number}")
            promise(account, amount=Decimal(24), unit="hours", contract=make_contract(f"MSA {number}", account))

    add(5)
    queries()  # keeps what every page asks for
    few = queries()
    add(50)
    queries()
    assert queries() == few


def test_the_open_page_hears_of_changes(client, owner, promise):
    found = promise(make_account("Northwind"), amount=Decimal(24), unit="hours")
    for address in (REGISTER, PAGE, f"{PAGE}{found.pk}/", f"{PAGE}standard/", f"{PAGE}suggestions/", f"{PAGE}answers/"):
        headers = {"HX-Request": "true", "Seen": client.get(address).context["page_version"]}
        assert client.get(address, headers=headers).status_code == 204
        set_standard(Term.OTHER, Promise(words="anything"), seen=_version(), member=owner)
        answer = client.get(address, headers=headers)
        assert answer.status_code == 200
        assert "<h1>" not in words(answer) or address.endswith(f"{found.pk}/")


def _version() -> str:
    from portal.commitments.models import Standard

    standard = Standard.objects.filter(term=Term.OTHER).first()
    return standard.version if standard else ""


def test_a_renamed_customer_is_found_by_its_new_name(client, owner, promise):
    account = make_account("Northwind")
    promise(account, amount=Decimal(24), unit="hours")
    Account.objects.filter(pk=account.pk).update(name="Southwind")
    follow_names()
    assert shown(client.get(f"{REGISTER}?q=southwind")) == ["Southwind: 24 hours"]
    assert shown(client.get(f"{REGISTER}?q=northwind")) == []
    Account.objects.filter(pk=account.pk).update(gone_at=timezone.now())
    assert shown(client.get(REGISTER)) == ["Southwind: 24 hours"]


def test_renamed_customers_are_found_with_no_more_queries_where_there_are_many_tenants(
    owner, promise, alice, django_assert_max_num_queries
):
    account = make_account("Northwind")
    promise(account, amount=Decimal(24), unit="hours")
    with CaptureQueriesContext(connection) as few:
        follow_names()
    for number in range(3):
        with tenant_scope(create_tenant(f"Quiet {number}", owner=alice).pk):
            make_account("Another of this id", platform_id=account.platform_id)
    with django_assert_max_num_queries(len(few)):
        follow_names()
    assert Commitment.objects.get().account_name == "Northwind"


def test_a_tenant_whose_names_cannot_be_followed_keeps_no_other_waiting(owner, promise, globex, monkeypatch):
    promise(make_account("Northwind"), amount=Decimal(24), unit="hours")
    with tenant_scope(globex.pk):
        Commitment.objects.create(account_id=make_account("Contoso").platform_id, term=Term.OTHER, words="x")
    Account.objects.update(name="Southwind")
    monkeypatch.setattr(customer_names, "searched", fails_in(owner.tenant, customer_names.searched))
    follow_names()
    assert Commitment.objects.get().account_name == "Northwind"
    with tenant_scope(globex.pk):
        assert Commitment.objects.get().account_name == "Contoso"


def test_readers_read_and_strangers_find_nothing(client, owner, promise, bob, mallory, globex):
    account = make_account("Northwind")
    found = promise(account, amount=Decimal(24), unit="hours")
    client.force_login(bob)
    assert shown(client.get(REGISTER)) == ["Northwind: 24 hours"]
    page = words(client.get(f"{PAGE}{found.pk}/"))
    assert "/change/" not in page
    assert "/end/" not in page
    assert client.get(f"{PAGE}{found.pk}/change/").status_code == 403
    assert client.post(f"{PAGE}{found.pk}/end/", {"seen": found.version}).status_code == 403
    with pytest.raises(PermissionDenied):
        add_commitment(account, Promised(term="other", words="x"), member=find_member(user=bob))
    client.force_login(mallory)
    assert client.get(f"/t/globex/commitments/{found.pk}/").status_code == 404
    with tenant_scope(globex.pk):
        assert not Commitment.objects.exists()


def test_a_comparison_is_stored_with_the_promise(owner, promise):
    set_standard(Term.BREACH_NOTICE, Promise(Decimal(72), "hours"), seen="", member=owner)
    account = make_account("Northwind")
    assert promise(account, amount=Decimal(1), unit="business-days").comparison == Verdict.HARDER
    assert promise(account, words="promptly").comparison == Verdict.UNKNOWN
    assert promise(account, "deletion", amount=Decimal(1), unit="days").comparison == Verdict.NONE
