"""What people note of a contract: dates and what follows from them, who was faster, filters, files."""

import json
from datetime import date, timedelta

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.utils import timezone

from portal.accounts.account_facts import CONTRACTS, facts_for_accounts
from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.contracts.dates import last_notice_day, months_later, next_turn
from portal.contracts.models import FAR, Contract, Terms
from portal.contracts.services import change_terms, recalculate_renewed
from portal.contracts.services.text_extraction import store_pages
from portal.lib.text_extraction import Document
from portal.tenants import offboarding
from tests.contracts.conftest import PAGE
from tests.support.beside import Beside


@pytest.fixture
def row(desk) -> Contract:
    there = desk.add_there("MSA-1", name="Northwind MSA.pdf", customerTrustAccountId="acc-1")
    desk.fetch()
    return Contract.objects.get(platform_id=there["id"])


def save(client, row: Contract, *, version: int = 0, follow: bool = False, **fields: object):
    told = {"version": version, "notice_unit": "months"} | {name: str(value) for name, value in fields.items()}
    return client.post(f"{PAGE}{row.platform_id}/fields/", told, follow=follow)


@pytest.mark.parametrize(
    ("day", "months", "wanted"),
    [
        ("2026-01-31", 1, "2026-02-28"),
        ("2024-01-31", 1, "2024-02-29"),
        ("2026-12-31", -3, "2026-09-30"),
        ("2026-03-15", -15, "2024-12-15"),
        ("2024-02-29", 12, "2025-02-28"),
    ],
)
def test_months_are_counted_as_people_do(day, months, wanted):
    assert months_later(date.fromisoformat(day), months).isoformat() == wanted


@pytest.mark.parametrize(
    ("terms", "today", "turn", "notice"),
    [
        ({"ends_on": "2026-12-31", "notice_number": 3, "notice_unit": "months"}, "2026-01-01", "2026-12-31", "2026-09-30"),
        # Without a unit nobody knows.
        ({"ends_on": "2026-12-31", "notice_number": 60}, "2026-01-01", "2026-12-31", None),
        ({"ends_on": "2026-12-31", "notice_number": 30, "notice_unit": "days"}, "2026-01-01", "2026-12-31", "2026-12-01"),
        ({"ends_on": "2020-12-31"}, "2026-01-01", "2020-12-31", None),
        ({"ends_on": "2020-12-31", "renews_itself": True, "renewal_months": 12}, "2026-01-01", "2026-12-31", None),
        ({"ends_on": "2020-12-31", "renews_itself": True, "renewal_months": 12}, "2025-12-31", "2025-12-31", None),
        ({"renews_on": "2024-02-29", "renews_itself": True, "renewal_months": 12}, "2025-03-01", "2026-02-28", None),
        ({"renews_on": "2026-01-31", "renews_itself": True, "renewal_months": 1}, "2026-03-01", "2026-03-31", None),
        ({"renews_on": "2026-06-01", "ends_on": "2026-05-31"}, "2026-01-01", "2026-05-31", None),
        ({}, "2026-01-01", None, None),
    ],
)
def test_end_and_notice_follow_from_what_was_noted(terms, today, turn, notice):
    days = {name: date.fromisoformat(value) for name, value in terms.items() if name.endswith("_on")}
    noted = Terms(**{**terms, **days})
    found = next_turn(noted, date.fromisoformat(today))
    assert (found and found.isoformat()) == turn
    last = last_notice_day(noted, found)
    assert (last and last.isoformat()) == notice


def test_own_fields_are_saved_shown_and_written_down(row, analyst, alice):
    end = timezone.localdate() + timedelta(days=20)
    answer = save(
        analyst, row, follow=True, ends_on=end, notice_number=10, notice_unit="days", owner=alice.pk, notes="ask <b>Jane</b>"
    )
    page = answer.content.decode()
    assert "Ends in 20 days" in page
    assert "Notice due in 10 days" in page
    assert "Alice Ames" in page
    assert "&lt;b&gt;Jane" in page
    row.refresh_from_db()
    assert (row.ends_sort, row.notice_sort, row.owner) == (end, end - timedelta(days=10), alice)
    [entry] = Entry.objects.filter(action="contract.change_terms")
    assert entry.details["after"]["ends_on"] == end.isoformat()
    assert "Jane" not in str(entry.details)
    assert "notes" in entry.summary
    assert (
        b"No changes to save."
        in save(
            analyst,
            row,
            version=1,
            follow=True,
            ends_on=end,
            notice_number=10,
            notice_unit="days",
            owner=alice.pk,
            notes="ask <b>Jane</b>",
        ).content
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"renews_itself": "on", "ends_on": "2026-12-31"}, "how many months it renews for"),
        ({"renews_itself": "on", "renewal_months": "12"}, "when it ends or first renews"),
        ({"ends_on": "0026-12-31"}, "Enter a date from 1970"),
        ({"ends_on": "soon"}, "Enter a valid date"),
        ({"notice_number": "1000"}, "1 to 600 months"),
        ({"notice_number": "60", "notice_unit": ""}, "Choose days or months"),
        ({"notice_number": "sixty", "notice_unit": "days"}, "such as 60 days"),
        ({"owner": "999999"}, "not one of the available choices"),
    ],
)
def test_what_does_not_go_together_is_said_and_the_rest_stays(fields, words, row, analyst):
    answer = save(analyst, row, notes="typed in vain", **fields)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert "typed in vain" in answer.content.decode()
    assert not Terms.objects.exists()


def test_w2_somebody_was_faster_both_are_shown_and_nothing_is_lost(row, analyst, me):
    change_terms(row, {"notes": "theirs", "ends_on": timezone.localdate()}, member=me)
    answer = save(analyst, row, version=0, notes="mine")
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Someone else saved first" in page
    assert "theirs" in page
    assert "mine" in page
    assert Terms.objects.get().notes == "theirs"
    # Saving what is now on the page means it.
    assert 'name="version" value="1"' in page
    save(analyst, row, version=1, notes="mine")
    assert Terms.objects.get().notes == "mine"


def test_a_viewer_notes_nothing(row, client, bob):
    client.force_login(bob)
    assert save(client, row, notes="x").status_code == 403
    assert not Terms.objects.exists()
    assert b"Edit dates" not in client.get(f"{PAGE}{row.platform_id}/").content


def test_a_contract_that_renews_itself_goes_on(row, me):
    values = {
        "ends_on": timezone.localdate(),
        "renews_itself": True,
        "renewal_months": 12,
        "notice_number": 1,
        "notice_unit": "months",
    }
    change_terms(row, values, member=me)
    Terms.objects.update(told_end_at=timezone.now(), told_notice_at=timezone.now())
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        assert recalculate_renewed() == 1
        assert recalculate_renewed() == 0
    row.refresh_from_db()
    terms = Terms.objects.get()
    assert row.ends_sort == terms.turns_on == months_later(timezone.localdate(), 12)
    assert (terms.told_end_at, terms.told_notice_at) == (None, None)


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_w2_a_save_beside_another_write_to_the_same_terms_loses_neither(row, me):
    change_terms(row, {"notes": "Ask ada@gone.example"}, member=me)
    with transaction.atomic():
        # As whoever erases an address does, and whoever says that a reminder was sent.
        terms = Terms.objects.select_for_update().get()
        Terms.objects.update(notes="Ask", told_end_at=timezone.now())
        beside = Beside(me.tenant_id, lambda: change_terms(row, {"governed_by_words": "Ours"}, member=me))
    beside.wait()
    terms.refresh_from_db()
    assert (terms.notes, terms.governed_by_words, terms.told_end_at is None) == ("Ask", "Ours", False)


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_a_contract_that_renews_itself_waits_for_whoever_changes_its_terms(row, me):
    today = timezone.localdate()
    change_terms(row, {"ends_on": today, "renews_itself": True, "renewal_months": 12}, member=me)
    with transaction.atomic():
        Contract.objects.select_for_update().get(pk=row.pk)
        beside = Beside(me.tenant_id, lambda: recalculate_renewed(today + timedelta(days=1)))
        assert change_terms(row, {"notes": "Ours"}, member=me)
    beside.wait()
    terms = Terms.objects.get()
    assert (terms.notes, terms.turns_on) == ("Ours", months_later(today, 12))


def test_what_was_noted_survives_a_leaving_and_joins_the_copy_that_comes_back(row, desk, me):
    change_terms(row, {"ends_on": timezone.localdate(), "owner": me.user}, member=me)
    offboarding.purge()
    assert not Contract.objects.exists()
    assert Terms.objects.get().contract is None
    desk.fetch()
    back = Contract.objects.get(external_id="MSA-1")
    assert (back.terms.ends_on, back.ends_sort, back.owner) == (timezone.localdate(), timezone.localdate(), me.user)


def test_a_contract_that_was_uploaded_anew_keeps_what_was_noted(row, desk, me):
    change_terms(row, {"notes": "kept"}, member=me)
    Contract.objects.filter(pk=row.pk).update(gone_at=timezone.now())
    desk.sandbox.app.extensions["sandbox"].objects.remove(desk.tenant_id, "contracts", row.platform_id)
    there = desk.add_there("MSA-1", id="f" * 24)
    desk.fetch()
    assert Contract.objects.get(platform_id=there["id"]).terms.notes == "kept"


def test_the_list_filters_and_sorts_by_what_was_noted(desk, analyst, me, alice):
    Contract.objects.all().delete()
    days = {"soon": 20, "later": 80, "far": 200, "over": -5}
    for name, ahead in days.items():
        desk.add_there(name, id=f"{name:0<24}", customerTrustAccountId="acc-1" if name == "soon" else None)
        desk.fetch()
        change_terms(
            Contract.objects.get(external_id=name), {"ends_on": timezone.localdate() + timedelta(days=ahead)}, member=me
        )
    desk.add_there("unknown", id="0" * 24)
    desk.fetch()
    change_terms(
        Contract.objects.get(external_id="far"), {"notice_number": 6, "notice_unit": "months", "owner": alice}, member=me
    )
    Contract.objects.exclude(external_id__in=[*days, "unknown"]).delete()

    def shown(**query: str) -> list[str]:
        return sorted(each.contract.external_id for each in analyst.get(PAGE, query).context["rows"])

    assert shown(ends="30") == ["soon"]
    assert shown(ends="90") == ["later", "soon"]
    assert shown(ends="over") == ["over"]
    assert shown(ends="none") == ["unknown"]
    assert shown(ends="notice") == ["far"]
    assert shown(owner="me") == ["far"]
    assert shown(owner="none") == ["later", "over", "soon", "unknown"]
    assert shown(account="none") == ["far", "later", "over", "unknown"]
    assert shown(ends="senseless", owner="x", sort="y") == sorted([*days, "unknown"])
    by_end = [each.contract.external_id for each in analyst.get(PAGE, {"sort": "ends"}).context["rows"]]
    assert by_end == ["over", "soon", "later", "far", "unknown"]


def test_the_other_desks_learn_that_a_contract_has_ended(row, me):
    assert facts_for_accounts({"acc-1"})["acc-1"][CONTRACTS].finished == 0
    change_terms(row, {"ends_on": timezone.localdate() - timedelta(days=1)}, member=me)
    known = facts_for_accounts({"acc-1"})["acc-1"][CONTRACTS]
    assert (known.number, known.finished) == (1, 1)
    assert known.description.endswith("ended")
    # Its next turn was yesterday and is not worked out yet: it goes on all the same.
    Terms.objects.update(renews_itself=True, renewal_months=12)
    assert facts_for_accounts({"acc-1"})["acc-1"][CONTRACTS].finished == 0


def text_of(answer) -> str:
    return b"".join(answer.streaming_content).decode()


def test_the_export_has_exactly_the_filtered_contracts_and_an_import_takes_it_back(row, analyst, me, alice):
    noted = {"ends_on": timezone.localdate(), "notice_number": 2, "notice_unit": "months", "owner": alice}
    change_terms(row, noted | {"notes": "=SUM(1)", "governed_by_words": "-DPA"}, member=me)
    content = text_of(analyst.post(f"{PAGE}export/?ends=30"))
    lines = content.splitlines()
    assert len(lines) == 2
    assert lines[0].removeprefix("\ufeff").startswith("External id,Ends,Renews")
    assert f"MSA-1,{timezone.localdate().isoformat()},,no,,2 months,{alice.email},'-DPA,'=SUM(1),Northwind MSA.pdf" in lines[1]
    assert Entry.objects.filter(action="contract.export").count() == 1
    Terms.objects.all().delete()
    Contract.objects.update(ends_sort=FAR)
    answer = analyst.post(f"{PAGE}import/", {"file": SimpleUploadedFile("own.csv", content.encode())})
    assert [line.problem for line in answer.context["lines"]] == [""]
    assert not Terms.objects.exists(), "a dry run changes nothing"
    answer = analyst.post(f"{PAGE}import/start/", {"lines": answer.context["confirmed"]}, follow=True)
    assert b"1 contract changed." in answer.content
    terms = Terms.objects.get()
    assert (terms.ends_on, terms.notice_words, terms.owner) == (timezone.localdate(), "2 months", alice)
    assert (terms.notes, terms.governed_by_words) == ("=SUM(1)", "-DPA")


def test_an_import_says_of_every_line_what_is_wrong(row, analyst, me):
    change_terms(row, {"ends_on": timezone.localdate(), "notes": "stays"}, member=me)
    lines = [
        "External id;Ends;Renews automatically;Renewal months;Notice;Owner",
        "MSA-1;2027-01-31;;;30 days;",
        "MSA-1;2027-01-31;;;;",
        "nobody;2027-01-31;;;;",
        ";2027-01-31;;;;",
        "MSA-2;31.1.2027;;;;",
    ]
    file = SimpleUploadedFile("own.csv", "\n".join(lines).encode())
    answer = analyst.post(f"{PAGE}import/", {"file": file})
    problems = [line.problem for line in answer.context["lines"]]
    assert problems[0] == ""
    assert "appears earlier in the file" in problems[1]
    assert "No contract here has this external id" in problems[2]
    assert "This line has no external id" in problems[3]
    analyst.post(f"{PAGE}import/start/", {"lines": answer.context["confirmed"]})
    terms = Terms.objects.get()
    assert (terms.ends_on.isoformat(), terms.notice_words, terms.notes) == ("2027-01-31", "30 days", "stays")


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ("31.1.2027,,,,,", "“31.1.2027” is not a date. Write it as 2026-01-31"),
        ("03/04/2025,,,,,", "“03/04/2025” can be two dates: the day or the month may come first. Write it as 2026-01-31"),
        ("3.4.25,,,,,", "can be two dates"),
        ("04/04/2025,,,,,", "is not a date"),
        ("04/00/2025,,,,,", "is not a date"),
        (",,,14 months,,", "is longer than a year. Correct it, or confirm it on the contract's page."),
        ("2190-01-01,,,,,", "more than 20 years from now"),
        ("1900-01-01,,,,,", "be right."),
        (",maybe,,,,", "must be yes or no"),
        (",yes,,,,", "how many months it renews for"),
        (",,many,,,", "number of months"),
        (",,,soon,,", "period as 30 days or 3 months"),
        (",,,,stranger,", "No member has this name"),
        (",,,,,", "nothing to import"),
        ("-,,,,-,", ""),
    ],
)
def test_every_cell_that_cannot_be_read_says_why(cells, words, row, analyst):
    head = "External id,Ends,Renews automatically,Renewal months,Notice,Owner,Notes"
    file = SimpleUploadedFile("own.csv", f"{head}\nMSA-1,{cells}".encode())
    [line] = analyst.post(f"{PAGE}import/", {"file": file}).context["lines"]
    assert words in line.problem
    assert bool(words) == bool(line.problem)


def test_an_import_confirms_nothing_unlikely_and_asks_nobody_twice(row, analyst, me):
    Contract.objects.update(executed_on=date(2026, 1, 1))
    change_terms(row, {"notice_number": 14, "notice_unit": "months", "notes": "stays"}, member=me)
    for cells, words in (
        ("2025-12-31,2 months,other", "The end is before the day it was executed, 1 January 2026. Correct it"),
        (",15 months,other", "longer than a year"),
        (",14 months,other", ""),
    ):
        file = SimpleUploadedFile("own.csv", f"External id,Ends,Notice,Notes\nMSA-1,{cells}".encode())
        answer = analyst.post(f"{PAGE}import/", {"file": file})
        [line] = answer.context["lines"]
        assert (words in line.problem, bool(words)) == (True, bool(line.problem))
        # As it was shown, and once more as nobody was shown it.
        for lines in (answer.context["confirmed"], json.dumps([[2, "MSA-1", dict(line.cells)]])):
            analyst.post(f"{PAGE}import/start/", {"lines": lines})
            terms = Terms.objects.get()
            assert (terms.ends_on, terms.notice_number, terms.notes) == (None, 14, "stays" if words else "other")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe\x00", "UTF-8 text"),
        (b"Name,Domain\nx,y", "must contain"),
        (b"External id,Ends\n", "There are no contracts below"),
        (b"External id,Ends\n" + b"x,2027-01-01\n" * 501, "One import takes 500"),
    ],
)
def test_a_file_that_is_none_is_refused(content, words, row, analyst):
    answer = analyst.post(f"{PAGE}import/", {"file": SimpleUploadedFile("own.csv", content)})
    assert (answer.status_code, words in answer.content.decode()) == (422, True)


def test_an_import_takes_the_governing_dpa_by_its_id_or_in_words(row, desk, analyst, me):
    other = desk.add_there("DPA-1", id="d" * 24)
    desk.fetch()
    for cell, wanted in ((other["id"], (other["id"], "")), ("Theirs", (other["id"], "Theirs")), ("-", ("", ""))):
        file = SimpleUploadedFile("own.csv", f"External id,Governing DPA\nMSA-1,{cell}".encode())
        confirmed = analyst.post(f"{PAGE}import/", {"file": file}).context["confirmed"]
        analyst.post(f"{PAGE}import/start/", {"lines": confirmed})
        terms = Terms.objects.get()
        assert (terms.governed_by, terms.governed_by_words) == wanted


@pytest.mark.parametrize("lines", ["", "[", "[[1]]", '{"a": 1}', '[[1, "MSA-1", []]]', "[" * 100_000])
def test_a_confirmation_that_was_tampered_with_changes_nothing(lines, row, analyst):
    assert analyst.post(f"{PAGE}import/start/", {"lines": lines}).status_code == 302
    assert not Terms.objects.exists()


@pytest.mark.parametrize(
    ("typed", "unit", "wanted"),
    [
        ("60 days", "", (60, "days")),
        ("60 Days", "months", (60, "days")),
        ("2 weeks", "", (14, "days")),
        ("3 months", "", (3, "months")),
        ("1 year", "", (12, "months")),
        ("60", "days", (60, "days")),
    ],
)
def test_the_unit_of_the_notice_is_read_or_chosen_and_never_guessed(row, analyst, typed, unit, wanted):
    save(analyst, row, notice_number=typed, notice_unit=unit)
    terms = Terms.objects.get()
    assert (terms.notice_number, terms.notice_unit) == wanted


def test_a_number_without_a_unit_is_not_saved(row, analyst):
    answer = save(analyst, row, notice_number="60", notice_unit="")
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {"notice_unit"})
    assert not Terms.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"notice_number": "60 months"},
        {"notice_number": "400 days"},
        {
            "notice_number": "4 months",
            "renews_itself": "on",
            "renewal_months": "3",
            "ends_on": timezone.localdate() + timedelta(days=90),
        },
        {"ends_on": timezone.localdate() + timedelta(days=30 * 365)},
    ],
)
def test_what_is_unlikely_is_asked_about_and_saved_when_it_is_meant(row, analyst, fields):
    answer = save(analyst, row, **fields)
    assert answer.status_code == 422
    assert 'name="is_sure"' in answer.content.decode()
    assert not Terms.objects.exists()
    assert save(analyst, row, **fields, is_sure="on").status_code == 302
    assert Terms.objects.exists()
    # What was confirmed is not asked about again with every other change.
    assert save(analyst, row, version=1, **fields, notes="seen").status_code == 302


def set_customer(client, row: Contract, account_id: str, *, version: int = 0, follow: bool = False):
    return client.post(f"{PAGE}{row.platform_id}/customer/", {"account_id": account_id, "version": version}, follow=follow)


@pytest.fixture
def customers(scoped) -> tuple[Account, Account]:
    names = {"acc-1": "Northwind", "acc-2": "Fabrikam"}
    made = [
        Account.objects.create(platform_id=key, name=name, name_sort=name.casefold(), search=name.casefold())
        for key, name in names.items()
    ]
    return made[0], made[1]


def test_a_customer_is_set_after_the_upload_and_stays_with_the_next_sync(row, desk, analyst, customers):
    page = analyst.get(f"{PAGE}{row.platform_id}/customer/", {"customer": "fabri"})
    assert [each.platform_id for each in page.context["accounts"]] == ["acc-2"]
    answer = set_customer(analyst, row, "acc-2", follow=True)
    assert answer.redirect_chain == [(f"{PAGE}{row.platform_id}/", 302)]
    desk.fetch()
    row.refresh_from_db()
    assert (row.account_id, row.platform_account_id) == ("acc-2", "acc-1")
    assert [each.contract.pk for each in analyst.get(PAGE, {"account": "acc-2"}).context["rows"]] == [row.pk]
    entry = Entry.objects.get(action="contract.change_terms")
    assert (entry.details["before"], entry.details["after"]) == ({"account_id": ""}, {"account_id": "acc-2"})
    # Taken back, the platform's word counts again.
    set_customer(analyst, row, "", version=1)
    row.refresh_from_db()
    assert row.account_id == "acc-1"


def test_two_who_set_the_customer_do_not_overwrite_each_other_in_silence(row, analyst, customers):
    set_customer(analyst, row, "acc-2")
    answer = set_customer(analyst, row, "acc-1")
    assert answer.status_code == 409
    assert 'id="overtaken"' in answer.content.decode()
    assert Terms.objects.get().account_id == "acc-2"
    assert set_customer(analyst, row, "acc-1", version=1).status_code == 302


@pytest.mark.parametrize("account_id", ["nobody", "acc-gone"])
def test_a_customer_that_is_not_there_is_not_set(row, analyst, customers, account_id):
    Account.objects.create(platform_id="acc-gone", name="Gone", gone_at=timezone.now())
    answer = set_customer(analyst, row, account_id)
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {"account_id"})
    assert not Terms.objects.exists()


def test_the_customer_comes_back_with_a_copy_that_was_removed(row, desk, me, customers):
    change_terms(row, {"account_id": "acc-2"}, member=me)
    offboarding.purge()
    desk.fetch()
    assert Contract.objects.get(external_id="MSA-1").account_id == "acc-2"


TEXT = (
    "This Agreement shall have an initial term of three (3) years. It automatically renews for successive one (1) year terms "
    "unless either party gives ninety (90) days' notice of non-renewal before the end of the then-current term."
)


@pytest.fixture
def with_text(row) -> Contract:
    Contract.objects.filter(pk=row.pk).update(executed_on=date(2024, 3, 1))
    row.refresh_from_db()
    store_pages(row, Document(1, {1: TEXT}))
    row.refresh_from_db()
    return row


def test_what_the_text_says_is_offered_and_only_saved_by_a_person(with_text, analyst):
    page = analyst.get(f"{PAGE}{with_text.platform_id}/")
    found = {each.key: each.values for each in page.context["suggested"]}
    assert found == {
        "initial": {"ends_on": date(2027, 2, 28)},
        "renewal": {"renews_itself": True, "renewal_months": 12},
        "notice": {"notice_number": "90", "notice_unit": "days"},
    }
    form = analyst.get(f"{PAGE}{with_text.platform_id}/fields/?use=initial&use=renewal&use=notice").context["form"]
    assert not Terms.objects.exists()
    filled = {
        name: form[name].value() for name in ("ends_on", "renews_itself", "renewal_months", "notice_number", "notice_unit")
    }
    answer = save(analyst, with_text, **{name: "on" if value is True else value for name, value in filled.items()})
    assert answer.status_code == 302
    terms = Terms.objects.get()
    assert (terms.ends_on, terms.renewal_months, terms.notice_words) == (date(2027, 2, 28), 12, "90 days")
    assert analyst.get(f"{PAGE}{with_text.platform_id}/").context["suggested"] == []


def test_without_the_day_it_was_executed_the_end_is_left_to_a_person(with_text, analyst):
    Contract.objects.update(executed_on=None)
    initial = analyst.get(f"{PAGE}{with_text.platform_id}/").context["suggested"][0]
    assert (initial.key, initial.values) == ("initial", {})
