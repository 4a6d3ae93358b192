"""What the list and the pane show, to whom, and how they follow what happens."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.access_requests.models import AccessRequest, Viewer
from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.trust_center.models import Resource
from tests.access_requests.conftest import PAGE, address, approve, deny, make, make_viewer, words

pytestmark = pytest.mark.once

VIEWERS = f"{PAGE}viewers/"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\u202e\"'{{ 7 }}"


@pytest.fixture
def rows(scoped, approver):
    make("Ada", hours=9, company="Northwind GmbH")
    make("Ben", hours=99, level="PARTIAL_ACCESS", requested_resources=["soc2", "unknown-id"], reason="For the audit")
    make("Cleo", hours=5, outcome="APPROVED")
    make("Dora", hours=4, outcome="DENIED", denial_reason="No running deal")
    make("Emil", hours=3, outcome="WITHDRAWN", email="emil@ada.example")
    Resource.objects.create(platform_id="soc2", title="SOC 2 report")
    return AccessRequest.objects


def shown(client, query=""):
    """The names on the page, in its order."""
    return [row.request.name for row in client.get(PAGE + query).context["rows"]]


def test_who_has_waited_longest_comes_first(rows, approver):
    assert shown(approver) == ["Ben", "Ada"]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("?tab=approved", ["Cleo"]),
        ("?tab=denied", ["Dora"]),
        ("?tab=all", ["Emil", "Dora", "Cleo", "Ada", "Ben"]),
        ("?q=NORTHWIND+ada", ["Ada"]),
        ("?q=ben@ben.example", ["Ben"]),
        ("?level=PARTIAL_ACCESS", ["Ben"]),
        ("?tab=elsewhere", ["Emil", "Dora", "Cleo"]),
        ("?tab=all&group=person", ["Ada", "Ben", "Cleo", "Dora", "Emil"]),
        ("?tab=all&group=domain", ["Ada", "Emil", "Ben", "Cleo", "Dora"]),
        ("?group=nonsense", ["Ben", "Ada"]),
        ("?tab=all&level=FULL_ACCESS&q=example", ["Emil", "Dora", "Cleo", "Ada"]),
        ("?q=nothing-like-it", []),
        ("?q=%00%ED%A0%80%25_", []),
        ("?tab=nonsense&level=nonsense&cursor=nonsense", ["Ben", "Ada"]),
    ],
)
def test_it_filters_and_an_unknown_value_means_the_default(rows, approver, query, names):
    assert shown(approver, query) == names


def test_the_tabs_count_what_the_search_leaves(rows, approver):
    def tabs(query):
        return {tab["label"]: tab["count"] for tab in approver.get(PAGE + query).context["tabs"]}

    assert tabs("") == {"Pending": 2, "Sending": 0, "Approved": 1, "Denied": 1, "Decided elsewhere": 3, "All": 5}
    assert tabs("?q=ada.example") == {"Pending": 1, "Sending": 0, "Approved": 0, "Denied": 0, "Decided elsewhere": 1, "All": 2}


def test_the_address_carries_the_state_through_every_link(rows, approver):
    ada = rows.get(name="Ada")
    answer = approver.get(f"{address(ada)}?q=example&level=FULL_ACCESS")
    assert f'href="{address(ada)}?tab=all&amp;q=example&amp;level=FULL_ACCESS"' in words(answer)
    assert f'href="{PAGE}?q=example&amp;level=FULL_ACCESS"' in words(answer)
    assert f'action="{address(ada, "approve")}?q=example&amp;level=FULL_ACCESS"' in words(answer)


def test_pages_go_on_where_the_last_one_ended(rows, approver):
    for number in range(60):
        make(f"P{number:02}", hours=200 + number)
    first = approver.get(PAGE)
    cursor = first.context["page"].next_cursor
    second = shown(approver, f"?cursor={cursor}")
    assert len(first.context["rows"]) == 50
    assert second[-1] == "Ada"
    assert len({row.request.name for row in first.context["rows"]} | set(second)) == 62
    # A form that came back with errors stands at the address it was sent to: its links still lead to the list.
    ada = rows.get(name="Ada")
    assert f'href="{address(ada)}?cursor=' in words(deny(approver, ada, ""))


def test_groups_have_headings_and_go_on_over_pages(rows, approver):
    make("Anna", email="anna@ada.example", hours=1)
    page = words(approver.get(f"{PAGE}?group=domain"))
    assert page.count('class="group"') == 2
    for number in range(60):
        make(f"P{number:02}", hours=200 + number, email=f"p{number:02}@big.example")
    first = approver.get(f"{PAGE}?group=domain")
    second = shown(approver, f"?group=domain&cursor={first.context['page'].next_cursor}")
    assert len(first.context["rows"]) + len(second) == 63


def test_who_asks_twice_and_whose_customer_it_is_stands_in_the_row(rows, approver):
    make("Ada again", email="ada@ada.example")
    Account.objects.create(platform_id="a1", name="Northwind", domain="ada.example", nda_status="SIGNED")
    page = words(approver.get(PAGE))
    assert "1 more request from this person" in page
    assert "Northwind" in page
    assert "Company NDA: signed" in words(approver.get(address(rows.get(name="Ada"))))


def test_the_export_holds_exactly_the_filtered_rows_and_guards_its_cells(rows, approver):
    make("Eve", company="=HYPERLINK(1)", hours=2)
    answer = approver.post(f"{PAGE}export/?q=example&level=FULL_ACCESS")
    lines = b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()
    assert [line.split(",")[1] for line in lines[1:]] == ["Ada", "Eve"]
    assert ",=HYPERLINK" not in lines[2]
    assert Entry.objects.get(action="access_request.export").details == {"tab": "pending"}


@pytest.mark.usefixtures("within_a_minute")
def test_a_long_list_costs_as_many_queries_as_a_short_one(rows, approver):
    def cost():
        with CaptureQueriesContext(connection) as queries:
            approver.get(PAGE)
        return len(queries)

    short = cost()
    for number in range(30):
        make(f"P{number:02}", level="PARTIAL_ACCESS", requested_resources=["soc2"])
    assert cost() <= short


def test_the_row_and_the_pane_tell_what_helps_to_decide(rows, approver):
    make_viewer("Ben", days=3, nda_provider="ONE_CLICK")
    page = words(approver.get(PAGE))
    for text in (
        "SOC 2 report, Unknown document",
        "For the audit",
        "This person: pending",
        "2 requests",
        "1 with access",
    ):
        assert text in page
    pane = words(approver.get(address(rows.get(name="Ben"))))
    for text in ("SOC 2 report", "Unknown document", "For the audit", "This person: pending", "Everything until"):
        assert text in pane


def test_what_was_asked_for_is_chosen_already(rows, approver):
    form = approver.get(address(rows.get(name="Ben"))).context["approval_form"]
    assert form["access_level"].value() == "PARTIAL_ACCESS"
    assert form["resources"].value() == ["soc2", "unknown-id"]
    assert form["expiry"].value() == "365"
    assert form["is_nda_required"].value() is True


def test_a_decision_made_elsewhere_is_shown_as_such(rows, approver):
    page = words(approver.get(address(rows.get(name="Dora"))))
    assert "directly on the platform" in page
    assert "No running deal" in page
    assert "approve-form" not in page


def test_an_unknown_outcome_is_shown_as_it_came(rows, approver):
    assert "WITHDRAWN" in words(approver.get(f"{PAGE}?tab=all"))
    assert "WITHDRAWN" in words(approver.get(address(rows.get(name="Emil"))))


def test_s3_hostile_strings_stay_text(scoped, approver):
    row = make("x", reason=HOSTILE, level=HOSTILE[:40], requested_resources=[HOSTILE], company=HOSTILE, denial_reason=HOSTILE)
    AccessRequest.objects.update(name=HOSTILE, email=HOSTILE, domain=HOSTILE)
    make_viewer("y", access_level="PARTIAL_ACCESS", resource_ids=[HOSTILE])
    Viewer.objects.update(name=HOSTILE, company=HOSTILE, email=HOSTILE)
    for path in (
        PAGE,
        address(row),
        VIEWERS,
        f"{address(row)}?q={HOSTILE}&tab={HOSTILE}",
        f"{VIEWERS}?q={HOSTILE}&nda={HOSTILE}",
    ):
        page = approver.get(path).content.decode()
        assert "<script>alert" not in page
        assert "<img src=x" not in page
    assert "&lt;script&gt;alert(1)" in words(approver.get(address(row)))
    AccessRequest.objects.update(outcome=HOSTILE[:40])
    assert "<script>alert" not in approver.get(address(row)).content.decode()


def test_very_long_words_do_not_break_anything(scoped, approver):
    row = make("W" * 300, company="C" * 300, reason="R" * 100_000)
    assert approver.get(PAGE).status_code == 200
    assert "R" * 100_000 in words(approver.get(address(row)))


def test_an_open_page_is_only_sent_what_changed(rows, approver):
    row = rows.get(name="Ada")
    listed = {"HX-Request": "true", "HX-Target": "access-requests", "Seen": approver.get(address(row)).context["page_version"]}
    paned = {"HX-Request": "true", "HX-Target": "access-request", "Seen": approver.get(address(row)).context["pane_version"]}
    assert approver.get(address(row), headers=listed).status_code == 204
    assert approver.get(address(row), headers=paned).status_code == 204
    assert approver.get(f"{address(row)}?tab=all", headers=listed).status_code == 200
    AccessRequest.objects.filter(pk=row.pk).update(outcome="DENIED", touched_at=timezone.now())
    touch_areas("access_requests")
    fragment = approver.get(address(row), headers=listed)
    assert fragment.status_code == 200
    assert "<html" not in words(fragment)
    assert "Ben" in words(fragment)
    pane = approver.get(address(row), headers=paned)
    assert words(pane).startswith("<aside")
    assert "Denied" in words(pane)


def test_a_search_beside_an_open_request_brings_the_pane_along(rows, approver):
    headers = {"HX-Request": "true", "HX-Target": "access-requests", "HX-Trigger": "filters"}
    answer = approver.get(f"{address(rows.get(name='Ada'))}?q=example", headers=headers)
    assert 'hx-swap-oob="true"' in words(answer)
    assert f'href="{PAGE}?q=example"' in words(answer)


def test_a_reader_looks_and_does_not_decide(rows, client, bob):
    client.force_login(bob)
    row = rows.get(name="Ada")
    page = words(client.get(address(row)))
    assert "You need the Approver role to decide access requests" in page
    assert "approve-form" not in page
    assert approve(client, row).status_code == 403
    assert deny(client, row).status_code == 403
    assert AccessRequest.objects.get(pk=row.pk).is_pending


def test_an_analyst_does_not_decide_and_an_approver_may(rows, client, member):
    row = rows.get(name="Ada")
    client.force_login(member(Role.ANALYST))
    assert approve(client, row).status_code == 403
    client.force_login(member(Role.APPROVER))
    assert "approve-form" in words(client.get(address(row)))


def test_s1_ids_of_another_tenant_are_not_found(rows, approver, globex):
    with tenant_scope(globex.pk):
        other = make("Zoe", platform_id="theirs")
        make_viewer("Zoe")
    assert approver.get(address(other)).status_code == 404
    assert approve(approver, other).status_code == 404
    assert deny(approver, other).status_code == 404
    assert approver.get(f"/t/globex/access-requests/{other.platform_id}/").status_code == 404
    assert "Zoe" not in words(approver.get(f"{PAGE}?tab=all")) + words(approver.get(f"{VIEWERS}?tab=all"))
