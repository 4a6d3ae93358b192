"""The list, the page of one customer and the file: what they show, to whom, and how quickly."""

import csv
from datetime import date, timedelta
from io import StringIO

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.contracts.models import Contract
from portal.questionnaires.models import Questionnaire
from portal.tenants.models import Role
from tests.customers.conftest import PAGE, make_account, make_request, make_viewer, words


def names(answer) -> list[str]:
    return [row.account.name for row in answer.context["rows"]]


def test_it_lists_every_customer_with_what_the_desks_know(client, owner, desk):
    account = desk.first
    make_viewer("Ann", "elsewhere.example", account_id=account.platform_id)
    Contract.objects.create(
        platform_id="c1", account_id=account.platform_id, executed_on=date(2026, 5, 4), created_at=timezone.now()
    )
    page = client.get(PAGE)
    assert set(names(page)) == set(Account.objects.values_list("name", flat=True))
    shown = words(page)
    assert account.domain in shown
    assert "1 with access" in shown
    assert "1 contract, of 4 May 2026" in shown


def test_search_and_filters_narrow_it(client, owner):
    make_account("Ærø Bank", "aero.example", nda_status="SIGNED")
    make_account("zebra", "zebra.example", nda_status="INCOMPLETE", approves_itself=True)
    make_account("Yak", "yak.example", nda_status="WAIVED")
    make_account("Old", "old.example", gone_at=timezone.now())
    assert names(client.get(PAGE)) == ["Yak", "zebra", "Ærø Bank"]
    for query, expected in {
        "q=ÆRØ": ["Ærø Bank"],
        "q=AERO.example": ["Ærø Bank"],
        "q=bank+example": ["Ærø Bank"],
        "q=nothing": [],
        "nda=signed": ["Ærø Bank"],
        "nda=other": ["Yak"],
        "nda=nonsense": ["Yak", "zebra", "Ærø Bank"],
        "approval=on": ["zebra"],
        "approval=off": ["Yak", "Ærø Bank"],
        "presence=gone": ["Old"],
        "presence=all": ["Old", "Yak", "zebra", "Ærø Bank"],
        "presence=all&q=o&approval=off&nda=other": ["Old"],
    }.items():
        assert names(client.get(f"{PAGE}?{query}")) == expected, query
    assert "No matching customers" in words(client.get(f"{PAGE}?q=nothing"))


def test_r3_who_approves_is_told_only_where_the_platform_says_so(client, owner):
    make_account("Yak", "yak.example", access_config={"autoApprovalEnabled": False})
    make_account("Zebra", "zebra.example")
    cells = [row.partition("</tr>")[0] for row in words(client.get(PAGE)).split("<tr>")[2:]]
    assert ["Manual" in cell for cell in cells] == [True, False]
    assert ["Not provided" in cell for cell in cells] == [False, True]
    text = b"".join(client.post(f"{PAGE}export/").streaming_content).decode().removeprefix("\ufeff")
    assert [row["Automatic approval"] for row in csv.DictReader(StringIO(text))] == ["Off", "Not provided"]


def test_an_empty_list_says_what_to_do_next(client, owner, bob):
    assert "not connected yet" in words(client.get(PAGE))


def test_pages_follow_each_other_without_a_gap(client, owner):
    for number in range(120):
        make_account(f"C{number:03}", f"c{number}.example")
    seen, address = [], PAGE
    while address:
        page = client.get(address)
        seen += names(page)
        cursor = page.context["page"].next_cursor
        address = cursor and f"{PAGE}?cursor={cursor}"
    assert seen == [f"C{number:03}" for number in range(120)]


def test_the_open_list_hears_of_changes(client, owner, desk):
    page = client.get(PAGE)
    headers = {"HX-Request": "true", "Seen": page.context["page_version"]}
    assert client.get(PAGE, headers=headers).status_code == 204
    client.post(
        f"{PAGE}{desk.first.platform_id}/edit/", {"name": "Renamed", "domain": desk.first.domain, "seen": version(desk)}
    )
    answer = client.get(PAGE, headers=headers)
    assert answer.status_code == 200
    assert "Renamed" in words(answer)
    assert "<h1>" not in words(answer)


def version(desk) -> str:
    return desk.first.updated_at.isoformat()


@pytest.mark.usefixtures("within_a_minute")
def test_fifty_customers_take_no_more_queries_than_five(client, owner):
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(PAGE).status_code == 200
        return len(captured)

    def add(count: int) -> None:
        for number in range(Account.objects.count(), count):
            account = make_account(f"C{number}", f"c{number}.example")
            make_viewer("Ann", account.domain, account_id=account.platform_id)
            make_request("Ann", account.domain)

    add(5)
    queries()  # keeps what every page asks for
    few = queries()
    add(50)
    queries()
    assert queries() == few


def test_the_file_holds_exactly_the_filtered_customers(client, owner, member):
    make_account("=SUM(A1)", "a.example", nda_status="SIGNED", approves_itself=True, access_config={"grantAccessOption": "X"})
    make_account("Other", "b.example")
    make_viewer("Ann", "c.example", account_id="id-=SUM(A1)")
    answer = client.post(f"{PAGE}export/?nda=signed")
    text = b"".join(answer.streaming_content).decode().removeprefix("\ufeff")
    [row] = csv.DictReader(StringIO(text))
    assert (row["Name"], row["Email domain"], row["Company NDA"], row["Viewers"]) == (
        "'=SUM(A1)",
        "a.example",
        "Signed",
        "1",
    )
    assert Entry.objects.filter(action="customer.export", details={"is_filtered": True}).count() == 1
    client.force_login(member(Role.VIEWER))
    assert client.post(f"{PAGE}export/").status_code == 403


def test_a_customers_page_tells_everything(client, owner):
    account = make_account(
        "Northwind",
        "northwind.example",
        nda_status="SIGNED",
        approves_itself=True,
        access_config={"autoApprovalEnabled": True, "grantAccessOption": "INCLUDE_EVERYTHING_REQUESTED"},
        custom_fields=[{"label": "Tier", "value": ["Gold", "EMEA"]}],
        tags=[{"categoryId": "c", "tagIds": ["t1", "t2"]}],
    )
    now = timezone.now()
    make_request("Ann", "northwind.example", outcome="APPROVED", hours=5)
    make_request("Evelyn", "elsewhere.example")
    make_viewer("Bea", "partner.example", account_id=account.platform_id, expires_sort=now - timedelta(minutes=5))
    Contract.objects.create(platform_id="c1", name="MSA", account_id=account.platform_id, created_at=now)
    Questionnaire.objects.create(
        platform_id="q1",
        name="SIG",
        account_id=account.platform_id,
        status="COMPLETE",
        created_at=now,
        updated_at=now,
        completed_at=now,
    )
    shown = words(client.get(f"{PAGE}{account.platform_id}/"))
    for expected in (
        "approves their access requests automatically and grants everything requested",
        "Gold; EMEA",
        "Ann requested access",
        "Ann&#x27;s request: approved",
        "Bea got access",
        "Bea&#x27;s access ended",
        "Contract added: MSA",
        "Questionnaire arrived: SIG",
        "Questionnaire completed: SIG",
        f"/t/acme/access-requests/viewers/?tab=all&amp;account={account.platform_id}",
        f"/t/acme/contracts/?account={account.platform_id}",
        f"/t/acme/questionnaires/?stage=all&amp;account={account.platform_id}",
    ):
        assert expected in shown, expected
    assert "Evelyn" not in shown
    only = words(client.get(f"{PAGE}{account.platform_id}/?kind=contracts"))
    assert "Contract added: MSA" in only
    assert "Ann requested access" not in only


def test_the_desks_lists_are_narrowed_to_one_customer(client, owner):
    now = timezone.now()
    account = make_account("Northwind", "northwind.example")
    for number, account_id in enumerate([account.platform_id, "other"]):
        Contract.objects.create(platform_id=f"c{number}", name=f"MSA {number}", account_id=account_id, created_at=now)
        Questionnaire.objects.create(
            platform_id=f"q{number}",
            name=f"SIG {number}",
            account_id=account_id,
            status="COMPLETE",
            created_at=now,
            updated_at=now,
        )
    contracts = words(client.get(f"/t/acme/contracts/?account={account.platform_id}"))
    assert "MSA 0" in contracts
    assert "MSA 1" not in contracts
    questionnaires = words(client.get(f"/t/acme/questionnaires/?stage=all&account={account.platform_id}"))
    assert "SIG 0" in questionnaires
    assert "SIG 1" not in questionnaires
    assert ">Northwind</option>" in questionnaires


def test_a_shared_mail_domain_is_said_and_matches_nobody(client, owner):
    one, two = make_account("One", "twin.example"), make_account("Two", "twin.example")
    make_request("Ann", "twin.example")
    shown = words(client.get(f"{PAGE}{one.platform_id}/"))
    assert "Another customer has the same email domain" in shown
    assert two.name in shown
    assert "Ann requested access" not in shown


def test_somebody_elses_customer_is_not_found(client, mallory, globex, scoped):
    account = make_account("Secret", "secret.example")
    client.force_login(mallory)
    assert client.get(f"/t/globex/customers/{account.platform_id}/").status_code == 404
    assert client.get(f"/t/globex/customers/{account.platform_id}/edit/").status_code == 404
    assert client.post(f"/t/globex/customers/{account.platform_id}/delete/").status_code == 404
    assert "Secret" not in words(client.get("/t/globex/customers/?presence=all"))
    assert client.get(PAGE).status_code == 404


@pytest.mark.parametrize("query", ["since=x", "since=2026-01-01~1", "since=2026-01-01T00:00:00%2B00:00~99999", "kind=x"])
def test_an_unknown_place_in_the_timeline_is_its_beginning(client, owner, query):
    account = make_account("Northwind", "northwind.example")
    make_request("Ann", "northwind.example")
    assert "Ann requested access" in words(client.get(f"{PAGE}{account.platform_id}/?{query}"))
