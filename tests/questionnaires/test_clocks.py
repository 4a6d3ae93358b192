"""The page of clocks: the most pressing first, with where the time went, whatever their number."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.page_refresh.services import touch_areas
from portal.questionnaires import clock_selectors
from portal.questionnaires.clock_selectors import clocks_shown, pieces
from portal.questionnaires.clocks import Spent, Turn
from portal.questionnaires.models import Label, Questionnaire, Target
from portal.questionnaires.services import reminders
from portal.tenants.scope import tenant_scope
from portal.work_items import selectors
from tests.questionnaires.clocks import always_open, made, within
from tests.questionnaires.conftest import address
from tests.support.plans import plan_of
from tests.support.readings import all_was_read

PAGE = "/t/acme/questionnaires/clocks/"


@pytest.fixture
def clocks(scoped, client, alice):
    client.force_login(alice)
    always_open()
    within(48)
    made("Early", ("IN_PROGRESS", 1))
    made("Soon", ("WAITING_ON_ANSWERS", 10), ("IN_PROGRESS", 28), ("PROCESSING", 40))
    made("Missed", ("IN_PROGRESS", 50), account="a1", owner="Mara")
    made("Paused", ("ON_HOLD", 2), ("IN_PROGRESS", 10))
    made("Held too late", ("ON_HOLD", 2), ("IN_PROGRESS", 60))
    made("Over", ("COMPLETE", 2), ("IN_PROGRESS", 60))
    made("Gone", ("IN_PROGRESS", 60), gone_at=timezone.now())
    return client


def shown(client, query=""):
    return [row.questionnaire.name for row in client.get(PAGE + query).context["rows"]]


def test_the_most_pressing_come_first_and_the_paused_last(clocks):
    assert shown(clocks) == ["Held too late", "Missed", "Soon", "Early", "Paused"]


def test_the_chips_narrow_and_count(clocks):
    assert shown(clocks, "?show=missed") == ["Held too late", "Missed"]
    assert shown(clocks, "?show=day") == ["Soon"]
    assert shown(clocks, "?show=paused") == ["Held too late", "Paused"]
    assert shown(clocks, "?show=nonsense") == shown(clocks)
    tabs = clocks.get(f"{PAGE}?show=day").context["tabs"]
    assert [(tab["label"], tab["count"].number, tab["is_current"]) for tab in tabs] == [
        ("All", 5, False),
        ("Target missed", 2, False),
        ("Due within a day", 1, True),
        ("Paused", 2, False),
    ]


def test_the_chips_count_only_so_far_and_say_so(clocks, monkeypatch):
    for module in (clock_selectors, selectors):
        monkeypatch.setattr(module, "MAX_COUNTED", 2)
    tabs = clocks.get(PAGE).context["tabs"]
    assert [(tab["count"].number, str(tab["count"])) for tab in tabs] == [(3, "2+"), (2, "2"), (1, "1"), (2, "2")]
    assert '<span class="num">2+</span>' in clocks.get(PAGE).content.decode()


def test_each_row_says_where_the_time_went(clocks):
    Label.objects.create(kind="account", platform_id="a1", name="Initech", read_at=timezone.now())
    rows = {row.questionnaire.name: row for row in clocks.get(PAGE).context["rows"]}
    assert [(piece.turn, piece.percent) for piece in rows["Soon"].pieces] == [
        (Turn.OURS, 45),
        (Turn.OTHERS, 25),
        (Turn.PLATFORM, 30),
    ]
    assert rows["Missed"].account == "Initech"
    assert rows["Missed"].left == "2 office hours over"
    assert rows["Paused"].left == "40 office hours"
    page = clocks.get(PAGE).content.decode()
    assert "Ours 45%, Waiting on others 25%, Platform 30%" in page
    assert "Initech · Everything else: within 48 office hours" in page


@pytest.mark.once
def test_the_details_tell_it_step_by_step(clocks):
    page = clocks.get(f"{address(Questionnaire.objects.get(name='Soon'))}details/").content.decode()
    for words in ("Waiting on others", "12 h", "18 h", "10 h"):
        assert words in page
    time = clocks.get(f"{address(Questionnaire.objects.get(name='Over'))}details/").context["time"]
    assert [(turn.label, round(spent.real / timedelta(hours=1))) for turn, spent in time["totals"]] == [
        ("Ours", 58),
        ("Done or declined", 2),
    ]
    assert [step.label for step, _, _ in time["steps"]] == ["Done", "In progress"]


def test_more_clocks_need_no_more_queries(clocks):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            assert clocks.get(PAGE).status_code == 200
        return len(captured)

    clocks.get(PAGE)
    before = queries()
    for number in range(30):
        made(f"Another {number}", ("IN_PROGRESS", number + 1), account=f"a{number}")
    touch_areas("questionnaires")
    clocks.get(PAGE)
    assert queries() == before


def test_a_page_ends_and_the_next_one_goes_on(clocks):
    for number in range(52):
        made(f"Another {number}", ("IN_PROGRESS", 3 + number / 10))
    first = clocks.get(PAGE)
    second = clocks.get(f"{PAGE}?cursor={first.context['page'].next_cursor}")
    names = [row.questionnaire.name for row in (*first.context["rows"], *second.context["rows"])]
    assert len(names) == len(set(names)) == 57
    assert names[-1] == "Paused"


@pytest.mark.once
def test_a_deleted_target_leaves_pages_whole_until_the_clocks_are_wound(clocks):
    Target.objects.all().delete()
    row = Questionnaire.objects.get(name="Missed")
    for path in (PAGE, address(row), f"{address(row)}details/", "/t/acme/questionnaires/targets/"):
        assert clocks.get(path).status_code == 200
    assert "being recalculated" in clocks.get(f"{address(row)}details/").content.decode()
    Questionnaire.objects.filter(pk=row.pk).update(status="COMPLETE")
    assert "deleted since" in clocks.get(f"{address(row)}details/").content.decode()
    reminders.remind_all()


def test_an_index_finds_the_most_pressing(clocks):
    for show in ("", "missed", "day"):
        plan = plan_of(clocks_shown(show, now=timezone.now()).order_by("target_sort", "id"))
        assert plan.sought_in("questionnaires_by_target")[0] == "tenant_id", plan.text
        assert not plan.sorts, plan.text


def test_an_open_page_hears_of_changes_and_is_left_alone_otherwise(clocks):
    page = clocks.get(PAGE)
    headers = {"HX-Request": "true", "Seen": page.context["page_version"]}
    assert clocks.get(PAGE, headers=headers).status_code == 204
    touch_areas("questionnaires")
    assert clocks.get(PAGE, headers=headers).status_code == 200


@pytest.mark.once
def test_empty_pages_say_what_to_do_next(scoped, client, alice):
    client.force_login(alice)
    assert "No targets yet" in client.get(PAGE).content.decode()
    within(8)
    all_was_read("questionnaire")
    assert "No SLAs running" in client.get(PAGE).content.decode()
    assert "No SLAs here" in client.get(f"{PAGE}?show=missed").content.decode()


@pytest.mark.once
def test_s1_clocks_of_another_tenant_are_not_there(clocks, mallory, globex):
    with tenant_scope(globex.pk):
        assert not clocks_shown("", now=timezone.now()).exists()
    clocks.force_login(mallory)
    assert clocks.get(PAGE).status_code == 404


@pytest.mark.once
def test_a_bar_shows_the_shortest_time_and_stays_within_its_width():
    found = {Turn.OURS: Spent(timedelta(days=400)), Turn.HOLD: Spent(timedelta(minutes=1)), Turn.PLATFORM: Spent()}
    drawn = pieces(found)
    assert [(piece.turn, piece.percent) for piece in drawn] == [(Turn.OURS, 100), (Turn.HOLD, 0)]
    assert drawn[1].width > 1
    assert drawn[1].x + drawn[1].width == pytest.approx(120)
    assert pieces({}) == []
