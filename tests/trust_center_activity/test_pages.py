"""The pages: what they show, to whom, and that the charts say what the rows say."""

import csv
import re
from collections import Counter
from datetime import timedelta
from itertools import product

import pytest
from django.utils import timezone

from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.lib.path_ids import write_id
from portal.sync.models import Run, RunState
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.trust_center_activity.figures import Figures
from portal.trust_center_activity.filters import ActivityFilters
from portal.trust_center_activity.models import ACTIVITY, CONVERSATION, Activity
from portal.users.dates import Dates
from portal.users.models import User
from tests.trust_center_activity.conftest import PAGE, document, entry, store, words

SIDES = ("domain", "subject", "event_type")
HOSTILE = "<script>alert(1)</script>\"'{{x}}=cmd()"


@pytest.fixture
def visits(scoped):
    """Two months of some people."""
    store(
        *(
            entry(
                email=email,
                days=1 + number * 3,
                kind=kind,
                details=document(f"Report {number % 3}") if "RESOURCE" in kind else {"page": "FAQ"},
                country=["DE", "US", None][number % 3],
            )
            for number in range(24)
            for email, kind in [
                ("ada@acme.test", "RESOURCE_DOWNLOAD"),
                ("bob@other.test", "PAGE_VIEW"),
                (None, "VIDEO_PLAY"),
            ]
            if number % 2 or email
        )
    )


def test_the_overview_names_companies_documents_and_kinds(analyst, connected, visits):
    page = words(analyst.get(PAGE))
    for expected in (
        "acme.test",
        "other.test",
        "Anonymous visitors",
        "Report 1",
        "Questions page",
        "Downloads",
        "Show the numbers",
    ):
        assert expected in page


@pytest.mark.parametrize("page", [PAGE, f"{PAGE}from/acme.test/"], ids=["overview", "company"])
def test_r3_charts_of_what_has_arrived_so_far_say_so_until_the_first_copy_is_whole(page, analyst, connected, visits):
    said = "The charts show what has arrived so far."
    assert said in words(analyst.get(page))
    for kind in (ACTIVITY, CONVERSATION):
        Run.objects.create(kind=kind, state=RunState.DONE, finished_at=timezone.now())
    assert said not in words(analyst.get(page))


def test_a_company_is_called_by_its_account_unless_two_claim_its_domain(analyst, connected, visits):
    for number, domain in enumerate(("acme.test", "other.test", "other.test")):
        Account.objects.create(platform_id=f"account-{number}", name=f"Account {number}", domain=domain)
    page = words(analyst.get(PAGE))
    assert "Account 0" in page
    assert "Account 1" not in page
    assert analyst.get(f"{PAGE}?domain=account+0").context["filters"].domain == "acme.test"


def test_the_dates_of_the_form_are_those_of_the_period_wherever_the_reader_is(analyst, connected, visits):
    User.objects.filter(pk=analyst.session["_auth_user_id"]).update(timezone="America/New_York")
    page = analyst.get(PAGE)
    filters = page.context["filters"]
    shown = {name: re.search(f'name="{name}" value="(.*?)"', words(page))[1] for name in ("start", "end", "period")}
    assert shown == {"start": str(filters.first_day), "end": str(filters.last_day), "period": "30"}
    applied = analyst.get(PAGE, shown | {"event_type": "RESOURCE_DOWNLOAD"}).context["filters"]
    assert (applied.period, applied.days) == ("30", filters.days)


def test_a_company_is_found_by_its_name_though_there_is_a_dot_in_it(analyst, connected, visits):
    for name, domain in {"Initech Inc.": "other.test", "Booking.com": "booking.test", "acme.test": "elsewhere.test"}.items():
        Account.objects.create(platform_id=name, name=name, domain=domain)
    found = {name: analyst.get(PAGE, {"domain": name}).context["filters"].domain for name in ("Initech Inc.", "booking.com")}
    assert found == {"Initech Inc.": "other.test", "booking.com": "booking.test"}
    # What the charts lead to is the domain, whatever a company is called.
    assert analyst.get(f"{PAGE}from/acme.test/").context["domain"] == "acme.test"


def test_a_filter_names_what_it_does_not_know(analyst, connected, visits):
    page = words(analyst.get(PAGE, {"subject": "resource:65b0c0ffee"}))
    assert '<option value="resource:65b0c0ffee" selected>Unknown document</option>' in page


NARROWED = (
    {},
    {"domain": "acme.test"},
    {"domain": "-"},
    {"subject": "resource:id-Report 1"},
    {"event_type": "PAGE_VIEW"},
    {"country": "DE"},
    {"domain": "acme.test", "country": "DE"},
    {"event_type": "PAGE_VIEW", "subject": "page:FAQ"},
)


def test_every_figure_equals_the_rows(visits):
    today = timezone.now().date()
    own = {"start": str(today - timedelta(days=40)), "end": str(today - timedelta(days=5))}
    for period, narrowed in product(("7", "30", "90", "365", "own"), NARROWED):
        query = {"period": period, **narrowed, **(own if period == "own" else {})}
        filters = ActivityFilters.read(query)
        figures, rows = Figures(filters), list(filters.rows())
        assert figures.total == len(rows), query
        assert sum(number for _, number in figures.line()) == len(rows), query
        for side in SIDES:
            assert +figures.per(side) == Counter(getattr(row, side) for row in rows), (query, side)
        first, last = filters.days
        assert {row.at.date().toordinal() for row in rows} <= set(range(first, last + 1)), query


def test_filters_survive_anything_in_the_address(analyst, connected, visits):
    for query in ("period=0", "start=x&end=9999-99-99", "period=own&start=2026-05-01&end=1999-01-01", "domain=%00&subject=%00"):
        assert analyst.get(f"{PAGE}?{query}").status_code == 200
        assert analyst.get(f"{PAGE}activity/?{query}").status_code == 200
        assert analyst.get(f"{PAGE}from/-/?{query}").status_code == 200


def test_the_list_pages_through_all_of_it_once(analyst, connected, visits, scoped):
    met, address = [], f"{PAGE}activity/?period=365"
    for _ in range(5):
        context = analyst.get(address).context
        met += [row.pk for row, _ in context["rows"]]
        cursor = context["page"].next_cursor
        if cursor is None:
            break
        address = f"{PAGE}activity/?period=365&cursor={cursor}"
    assert len(met) == Activity.objects.count() > 50
    assert len(set(met)) == len(met)


def test_s3_s8_the_file_holds_what_the_list_shows_guarded_and_is_written_down(analyst, connected, scoped):
    store(entry(email="=cmd()@acme.test", details=document("=1+1"), kind="RESOURCE_VIEW"), entry(email="x@other.test"))
    answer = analyst.post(f"{PAGE}activity/export/?domain=acme.test")
    lines = list(csv.reader(b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()))
    assert len(lines) == 2
    assert lines[1][3:6] == ["'=1+1", "'=cmd()@acme.test", "acme.test"]
    [written] = Entry.objects.filter(action="activity.export")
    assert "acme.test" in written.details["filters"]


def test_s3_s8_the_file_of_conversations_holds_what_the_list_shows_guarded_and_is_written_down(analyst, center):
    center.ask("=cmd()", "No.", email="ada@acme.test")
    center.ask("Do you encrypt backups?", "Yes.", "With what?", "AES-256.", email="ada@acme.test")
    center.read()
    center.read()
    address = f"{PAGE}conversations/"
    assert "conversations/export/" in words(analyst.get(address))
    for query in ("", "?q=encrypt", "?domain=acme.test", "?q=nobody-asked-that"):
        answer = analyst.post(f"{address}export/{query}")
        lines = list(csv.reader(b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()))[1:]
        rows = analyst.get(f"{address}{query}").context["page"].rows
        assert [(line[0], line[5]) for line in lines] == [(row.platform_id, str(row.number_of_messages)) for row in rows]
        if query == "?domain=acme.test":
            assert {(line[2], line[3]) for line in lines} == {
                ("'=cmd()", "ada@acme.test"),
                ("Do you encrypt backups?", "ada@acme.test"),
            }
    done = Entry.objects.filter(action="conversation.export")
    assert [entry.details for entry in done.order_by("pk")] == [{"is_filtered": each} for each in (False, True, True, True)]


def test_one_company_shows_who_and_what_and_what_was_asked(analyst, center, scoped):
    store(entry(email="Ada@acme.test"), entry(email="bob@other.test"))
    center.ask("Do you have a pentest?", "Yes.", email="ada@acme.test")
    center.read()
    page = words(analyst.get(f"{PAGE}from/acme.test/"))
    assert "ada@acme.test" in page
    assert "Do you have a pentest?" in page
    assert "bob@other.test" not in page


def test_s3_what_strangers_wrote_is_only_text(analyst, center):
    center.happen(
        entry(email=f"a@{HOSTILE}", details=document(HOSTILE), country="<b>", city=HOSTILE, kind=HOSTILE),
        entry(email=f"{HOSTILE}@acme.test", details={"page": HOSTILE}),
    )
    talk = center.ask(HOSTILE, HOSTILE, key="talk/../<x>", email=f"{HOSTILE}@acme.test")
    center.read()
    center.read()
    for path in ("", "activity/", "from/acme.test/", "conversations/", f"conversations/{write_id(talk)}/"):
        answer = analyst.get(PAGE + path)
        assert (path, answer.status_code) == (path, 200)
        assert "<script>alert" not in answer.content.decode()


def test_s1_another_tenants_rows_are_not_found(client, mallory, globex, acme, connected):
    with tenant_scope(acme.pk):
        store(entry(email="secret@secret.test", details=document("Secret report")))
    client.force_login(mallory)
    for path in ("", "activity/", "from/secret.test/"):
        page = words(client.get(f"/t/globex/trust-center-activity/{path}"))
        assert "secret@secret.test" not in page
        assert "Secret report" not in page


def test_a_viewer_reads_and_takes_no_file(client, member, connected, visits):
    client.force_login(member(Role.VIEWER))
    assert client.get(PAGE).status_code == 200
    assert client.post(f"{PAGE}activity/export/").status_code == 403
    assert client.post(f"{PAGE}conversations/export/").status_code == 403
    assert "Watch word" not in words(client.get(PAGE))


def test_an_open_page_is_told_only_of_news(analyst, center):
    center.read()
    page = analyst.get(PAGE)
    seen = {"HX-Request": "true", "HX-Target": "trust_center_activity", "Seen": page.context["page_version"]}
    assert analyst.get(PAGE, headers=seen).status_code == 204
    center.happen(entry())
    center.read()
    assert analyst.get(PAGE, headers=seen).status_code == 200


def test_a_refused_area_is_said_plainly(analyst, center):
    center.handle.fail("status", path="/v1/trust-centers/*/activity", value=403, times=50)
    center.read()
    assert "The connection does not cover this area." in words(analyst.get(f"{PAGE}activity/"))


def test_the_days_under_a_line_have_the_form_of_who_reads_them(analyst, connected, visits):
    reader = User.objects.get(pk=analyst.session["_auth_user_id"])
    for reader.dates, form in ((Dates.DAY_24, r"\d+ [A-Z]"), (Dates.MONTH_24, r"[A-Z][a-z]+ \d")):
        reader.save()
        assert all(re.match(form, label) for label, _ in analyst.get(PAGE).context["line"]), reader.dates
