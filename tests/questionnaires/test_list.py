from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import NO_DUE_DATE, Questionnaire
from portal.tenants.scope import tenant_scope

PAGE = "/t/acme/questionnaires/"


def make(name, *, status="IN_PROGRESS", due=None, owner="", **columns):
    now = timezone.now()
    due_at = None if due is None else now + timedelta(days=due)
    return Questionnaire.objects.create(
        platform_id=columns.pop("platform_id", f"id-{name}"),
        name=name,
        search=f"{name} {owner}".lower(),
        status=status,
        due_at=due_at,
        due_sort=due_at or NO_DUE_DATE,
        owner_id=owner and f"user-{owner}",
        owner_name=owner,
        created_at=now,
        updated_at=columns.pop("updated_at", now),
        **columns,
    )


@pytest.fixture
def rows(scoped, client, alice):
    client.force_login(alice)
    make("Northwind SIG", due=-2, owner="Mara", kind="SPREADSHEET")
    make("Helios CAIQ", due=3, owner="Jonas", kind="DOCUMENT", status="IN_REVIEW")
    make("Contoso portal", kind="WEBSITE", status="WAITING_ON_COLUMN_SELECTION")
    make("Lucerne DORA", due=-9, status="COMPLETE")
    make("Bellows HECVAT", status="SOMETHING_NEW")


def shown(client, query="", **options):
    """The names on the page, in its order."""
    rows = client.get(PAGE + query, **options).context["page"].rows
    return [row.name.split()[0] for row in rows]


def test_it_shows_open_work_first_due_first(client, rows):
    assert shown(client) == ["Northwind", "Helios", "Contoso", "Bellows"]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("?stage=all", {"Northwind", "Helios", "Contoso", "Lucerne", "Bellows"}),
        ("?stage=needs-input", {"Contoso"}),
        ("?stage=in-review", {"Helios"}),
        ("?stage=done", {"Lucerne"}),
        ("?stage=other", {"Bellows"}),
        ("?q=north+SIG", {"Northwind"}),
        ("?q=MARA", {"Northwind"}),
        ("?owner=user-Jonas", {"Helios"}),
        ("?owner=nobody", {"Contoso", "Bellows"}),
        ("?due=overdue", {"Northwind"}),
        ("?due=week", {"Helios"}),
        ("?due=none", {"Contoso", "Bellows"}),
        ("?kind=WEBSITE", {"Contoso"}),
        ("?stage=all&q=nothing-like-it", set()),
        ("?stage=nonsense&due=nonsense&kind=nonsense&sort=nonsense&cursor=x", {"Northwind", "Helios", "Contoso", "Bellows"}),
        ("?q=%00%ED%A0%80%25_", set()),
    ],
)
def test_it_filters(client, rows, query, names):
    assert set(shown(client, query)) == names


def test_an_unknown_status_is_shown_as_it_came(client, rows):
    assert b"SOMETHING_NEW" in client.get(PAGE).content


def test_due_dates_are_words(client, rows):
    page = client.get(PAGE).content.decode()
    assert "2 days late" in page
    assert "no due date" in page


def test_tabs_count_what_the_other_filters_leave(client, rows):
    tabs = {tab["label"]: tab["count"] for tab in client.get(PAGE + "?owner=user-Mara").context["tabs"]}
    assert tabs == {"Open": 1, "In progress": 1, "All": 1}


def test_it_sorts_by_what_was_updated_last(client, rows):
    Questionnaire.objects.filter(name="Bellows HECVAT").update(updated_at=timezone.now() + timedelta(hours=1))
    assert shown(client, "?sort=updated")[0] == "Bellows"


def test_pages_lead_through_everything(client, scoped, alice):
    client.force_login(alice)
    for number in range(120):
        make(f"{number:03} questionnaire", due=number // 7)
    found, query = [], ""
    for _ in range(3):
        page = client.get(PAGE + query).context["page"]
        found += [row.name for row in page.rows]
        query = f"?cursor={page.next_cursor}"
    assert found == [f"{number:03} questionnaire" for number in range(120)]
    assert page.next_cursor is None


def test_it_hides_other_tenants(client, rows, globex, mallory):
    with tenant_scope(globex.pk):
        make("Globex secret", owner="Gus")
    page = client.get(PAGE + "?stage=all").content
    assert b"Globex secret" not in page
    assert b"Gus" not in page
    client.force_login(mallory)
    assert client.get(PAGE).status_code == 404
    assert b"Northwind" not in client.get("/t/globex/questionnaires/?stage=all").content


def test_what_the_platform_deleted_is_not_listed(client, rows):
    Questionnaire.objects.filter(name="Helios CAIQ").update(gone_at=timezone.now())
    assert "Helios" not in shown(client, "?stage=all")


def test_names_are_text(client, rows):
    make("<script>alert(1)</script>", owner='"><img src=x>', platform_id="<script>alert(2)<b>?#%2F")
    page = client.get(PAGE).content
    assert b"<script>alert" not in page
    assert b"<img" not in page


def test_an_empty_desk_says_what_to_do(client, alice, acme):
    client.force_login(alice)
    assert b"View connection" in client.get(PAGE).content


def test_an_open_page_polls_for_nothing_until_something_changed(client, rows):
    seen = client.get(PAGE).context["page_version"]
    polling = {"HX-Request": "true", "HX-Target": "results", "Seen": seen}
    assert client.get(PAGE, headers=polling).status_code == 204
    make("Fresh one")
    touch_areas("questionnaires")
    answer = client.get(PAGE, headers=polling)
    assert b"Fresh one" in answer.content
    assert b"<h1>" not in answer.content


def test_a_filter_is_not_taken_for_a_poll(client, rows):
    """htmx hands the region's version on to every link inside of it."""
    seen = client.get(PAGE).context["page_version"]
    assert client.get(PAGE + "?stage=all", headers={"HX-Request": "true", "Seen": seen}).status_code == 200


@pytest.mark.usefixtures("within_a_minute")
def test_more_rows_need_no_more_queries(client, rows):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            client.get(PAGE)
        return len(captured)

    # What waits for a person is counted anew with each minute.
    with time_machine.travel(timezone.now(), tick=False):
        client.get(PAGE)
        before = queries()
        for number in range(40):
            make(f"another {number}", owner=f"Person {number}")
        assert queries() == before


def test_the_navigation_counts_open_questionnaires(client, rows):
    items = client.get(PAGE).context["navigation"].desks
    assert next(item.count for item in items if item.entry.key == "questionnaires") == 4
