"""Targets: which one counts, that the clocks follow every change, and who may change them."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.calendars.models import Holiday, OfficeHours
from portal.calendars.services import set_hours
from portal.calendars.signals import hours_changed
from portal.page_refresh.services import touch_areas
from portal.questionnaires import handlers, tasks
from portal.questionnaires.models import ClockSettings, Label, Priority, Questionnaire, StatusSeen, Target
from portal.questionnaires.services import clock_batches, mark_clocks_stale
from portal.questionnaires.services.clocks import recalculate_clocks_for
from portal.questionnaires.targets import target_for
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.questionnaires.clocks import ALWAYS, always_open, fresh, hours_ago, let_wind, made, within
from tests.questionnaires.conftest import address
from tests.support.members import find_member

PAGE = "/t/acme/questionnaires/targets/"


@pytest.fixture
def admin(client, member, scoped):
    client.force_login(member(Role.ADMIN))
    always_open()
    return client


def is_about(moment, expected) -> bool:
    return moment is not None and abs(moment - expected) < timedelta(minutes=1)


@pytest.mark.once
def test_the_most_specific_target_counts(scoped):
    everything, urgent = within(100), within(50, "priority", priority=Priority.URGENT)
    tag, shorter = within(30, "tag", category_id="c", tag_id="t"), within(20, "tag", category_id="c", tag_id="u")
    account = within(90, "account", account_id="a")
    targets = [everything, urgent, tag, shorter, account]
    cases = [
        ({"priority": Priority.HIGH}, everything),
        ({"priority": Priority.URGENT}, urgent),
        ({"priority": Priority.URGENT, "tags": [("c", "t")]}, tag),
        ({"tags": [("c", "t"), ("c", "u")]}, shorter),
        ({"tags": [("d", "t")]}, everything),
        ({"account": "a", "priority": Priority.URGENT, "tags": [("c", "u")]}, account),
        ({"account": "b"}, everything),
    ]
    for number, (columns, expected) in enumerate(cases):
        row = made(f"q{number}", ("IN_PROGRESS", 1), **columns)
        assert target_for(row, targets) == expected
        assert row.target == expected
    assert target_for(row, [urgent, tag]) is None


def test_a_target_counts_office_hours_from_the_day_it_came_in(admin):
    within(8)
    row = made("Helios", ("IN_PROGRESS", 5))
    assert is_about(row.target_at, hours_ago(5) + timedelta(hours=8))
    page = admin.get(address(row)).content.decode()
    assert "Target: in 2 office hours" in page
    assert "due soon" not in page


@pytest.mark.parametrize(
    ("log", "words"),
    [
        ([("IN_PROGRESS", 6.5)], "Target: in 1 office hour"),
        ([("IN_PROGRESS", 10.5)], "Target missed 2 h ago"),
        ([("ON_HOLD", 3), ("IN_PROGRESS", 5.5)], "Target paused, 5 office hours left"),
        ([("ON_HOLD", 3), ("IN_PROGRESS", 20)], "Target missed 12 h ago"),
        ([("COMPLETE", 3), ("IN_PROGRESS", 5)], "Target met"),
        ([("NO_LONGER_NEEDED", 3), ("IN_PROGRESS", 15)], "Target missed<"),
        ([("IN_PROGRESS", 1), ("ON_HOLD", 30), ("IN_PROGRESS", 32)], "Target: in 4 office hours"),
    ],
)
@pytest.mark.once
def test_its_state_is_said_in_words(admin, log, words):
    within(8)
    assert words in admin.get(address(made("Helios", *log))).content.decode()


@pytest.mark.once
def test_without_a_target_nothing_is_said(admin):
    within(8, "priority", priority=Priority.URGENT)
    row = made("Helios", ("IN_PROGRESS", 5))
    assert row.target_at is None
    assert "Target" not in admin.get(address(row)).content.decode()


@pytest.mark.once
def test_without_office_hours_the_target_says_why_it_never_comes(admin):
    OfficeHours.objects.update(week=[None] * 7)
    within(8)
    assert "never due: no office hours" in admin.get(address(made("Helios", ("IN_PROGRESS", 5)))).content.decode()


def test_another_priority_moves_the_target_at_once(admin):
    within(100)
    within(6, "priority", priority=Priority.URGENT)
    row = made("Helios", ("IN_PROGRESS", 5))
    assert admin.post(f"{address(row)}priority/", {"priority": "40"}).status_code == 302
    row = fresh(row)
    assert row.priority == Priority.URGENT
    assert is_about(row.target_at, hours_ago(5) + timedelta(hours=6))
    page = admin.get(f"{address(row)}activity/").content.decode()
    assert "Set the priority of Helios to urgent." in page
    assert admin.post(f"{address(row)}priority/", {"priority": "41"}, follow=True).status_code == 200
    assert fresh(row).priority == Priority.URGENT
    listed = admin.get("/t/acme/questionnaires/?priority=urgent").context["page"].rows
    assert [str(each) for each in listed] == ["Helios"]
    assert not admin.get("/t/acme/questionnaires/?priority=low").context["page"].rows


def test_the_priority_is_kept_when_the_platform_sends_the_questionnaire_again(desk, analyst, sandbox):
    row = desk.questionnaire
    before = len(sandbox.requests("/customer-trust"))
    analyst.post(f"{address(row)}priority/", {"priority": "30"})
    assert len(sandbox.requests("/customer-trust")) == before
    desk.change_there(row, displayName="Another name", updatedDate=timezone.now().isoformat())
    desk.fetch()
    assert (fresh(row).name, fresh(row).priority) == ("Another name", Priority.HIGH)


def test_a_status_account_or_tag_from_the_platform_moves_the_target(desk, scoped):
    always_open()
    row = desk.questionnaire
    everything, account = within(9000), within(8000, "account", account_id="a" * 24)
    tag = within(7000, "tag", category_id="c1", tag_id="t1")

    def fetched(**changes):
        desk.change_there(row, updatedDate=timezone.now().isoformat(), **changes)
        desk.fetch()
        return fresh(row)

    assert fetched(customerTrustAccountId=None, tagAndCategoryIds=[]).target == everything
    assert fetched(tagAndCategoryIds=[{"categoryId": "c1", "tagId": "t1"}]).target == tag
    assert fetched(customerTrustAccountId="a" * 24).target == account
    held = fetched(status="ON_HOLD")
    assert (held.target_at, held.target_left is not None) == (None, True)
    assert [(each.before, each.status) for each in StatusSeen.objects.all()] == [("IN_PROGRESS", "ON_HOLD")]
    assert fetched(status="IN_PROGRESS").target_at is not None
    assert fetched(status="NO_LONGER_NEEDED").target_left > 0


def test_an_event_stops_the_clock_before_the_questionnaire_is_fetched(admin):
    within(8)
    row = made("Helios", ("IN_PROGRESS", 5))
    with transaction.atomic():
        assert handlers.show_statuses({row.platform_id: "ON_HOLD"})
    held = fresh(row)
    assert (held.target_at, round(held.target_left / 3600)) == (None, 3)
    assert [(each.before, each.status) for each in StatusSeen.objects.all()] == [("IN_PROGRESS", "ON_HOLD")]


def test_other_hours_or_holidays_move_every_target(admin, alice, acme):
    within(8)
    row = made("Helios", ("IN_PROGRESS", 1))
    before = row.target_at
    member = find_member(user=alice)
    set_hours(zone="UTC", week=[(0, 60)] * 7, member=member)
    assert fresh(row).target_at == before
    assert ClockSettings.objects.exclude(stale_since=None).exists()
    moved = let_wind(row)
    assert moved.target_at > before + timedelta(days=5)
    assert not ClockSettings.objects.exclude(stale_since=None).exists()
    Holiday.objects.bulk_create([Holiday(day=timezone.now().date() + timedelta(days=each), name="Off") for each in range(1, 4)])
    touch_areas("calendars")
    hours_changed.send(sender=None)
    assert let_wind(row).target_at > moved.target_at


@pytest.mark.parametrize("stops_after", [1, 2])
def test_winding_goes_on_where_a_crash_left_it(admin, monkeypatch, stops_after):
    rows = [made(f"q{number}", ("IN_PROGRESS", 1)) for number in range(5)]
    within(8)
    mark_clocks_stale()
    monkeypatch.setattr(clock_batches, "BATCH", 2)
    calls = []

    def crash(pks, **options):
        calls.append(pks)
        if len(calls) == stops_after:
            raise RuntimeError("the worker died")
        return recalculate_clocks_for(pks, **options)

    monkeypatch.setattr(clock_batches, "recalculate_clocks_for", crash)
    with pytest.raises(RuntimeError):
        tasks.recalculate_clocks_of_tenant(rows[0].tenant_id)
    assert Questionnaire.objects.with_clock().count() == 2 * (stops_after - 1)
    assert clock_batches.tenants_with_stale_clocks() == [rows[0].tenant_id]
    tasks.sweep_clocks()
    tasks.recalculate_clocks_of_tenant(rows[0].tenant_id)
    assert Questionnaire.objects.with_clock().count() == 5
    assert clock_batches.tenants_with_stale_clocks() == []


def test_targets_are_added_changed_and_deleted_and_say_how_many_they_govern(admin):
    row, other = made("Helios", ("IN_PROGRESS", 1), priority=Priority.URGENT), made("Contoso", ("COMPLETE", 1), priority=40)
    assert admin.post(f"{PAGE}add/", {"condition": "priority:40", "hours": "8"}).status_code == 302
    target = Target.objects.get()
    assert str(target) == "Urgent: within 8 office hours"
    assert let_wind(row).target == target
    assert fresh(other).target is None
    assert admin.get(PAGE).context["targets"] == [(target, 1)]
    admin.post(f"{PAGE}{target.pk}/", {"hours": "1"})
    assert is_about(let_wind(row).target_at, hours_ago(1) + timedelta(hours=1))
    assert "within 1 office hour<" in admin.get(PAGE).content.decode()
    admin.post(f"{PAGE}{target.pk}/delete/")
    assert let_wind(row).target_at is None
    assert "No targets yet" in admin.get(PAGE).content.decode()
    assert not Questionnaire.objects.with_clock().exists()


def test_accounts_and_tags_are_chosen_by_name(admin):
    now = timezone.now()
    account = Label.objects.create(kind="account", platform_id="a1", name="Initech", read_at=now)
    tag = Label.objects.create(kind="tag", platform_id="t1", category_id="c1", name="Region: Europe", read_at=now)
    for label in (account, tag):
        admin.post(f"{PAGE}add/", {"condition": f"label:{label.pk}", "hours": "8"})
    assert [str(target) for target, _ in admin.get(PAGE).context["targets"]] == [
        "Account Initech: within 8 office hours",
        "Tag Region: Europe: within 8 office hours",
    ]
    assert made("Helios", ("IN_PROGRESS", 1), account="a1").target.account_id == "a1"
    assert made("Contoso", ("IN_PROGRESS", 1), tags=[("c1", "t1")]).target.tag_id == "t1"


@pytest.mark.once
@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"condition": "priority:40", "hours": "8"}, "This already has a target"),
        ({"condition": "priority:30", "hours": "0"}, "greater than or equal to 1"),
        ({"condition": "priority:30", "hours": ""}, "Enter a number of office hours"),
        ({"condition": "label:99", "hours": "8"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_a_target_is_refused_in_words(admin, sent, words):
    within(5, "priority", priority=Priority.URGENT)
    answer = admin.post(f"{PAGE}add/", sent)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert Target.objects.count() == 1


@pytest.mark.once
def test_s1_only_admins_change_targets_and_everybody_reads_them(client, member, scoped):
    target = within(8)
    client.force_login(member(Role.APPROVER))
    for path, sent in (
        ("add/", {"condition": "everything", "hours": "3"}),
        (f"{target.pk}/", {"hours": "3"}),
        (f"{target.pk}/delete/", {}),
        ("warning/", {"percent": "50"}),
    ):
        assert client.post(PAGE + path, sent).status_code == 403
    assert Target.objects.get().hours == 8
    assert "within 8 office hours" in client.get(PAGE).content.decode()


@pytest.mark.once
def test_s1_targets_of_another_tenant_are_not_there(admin, globex):
    with tenant_scope(globex.pk):
        theirs = Target.objects.create(kind="everything", hours=777)
    assert admin.post(f"{PAGE}{theirs.pk}/", {"hours": "1"}).status_code == 404
    assert admin.post(f"{PAGE}{theirs.pk}/delete/").status_code == 404
    assert "777" not in admin.get(PAGE).content.decode()
    assert made("Helios", ("IN_PROGRESS", 1)).target is None


def test_winding_many_costs_the_same_questions_for_each_batch(admin):
    within(8)
    pks = [made(f"q{number}", ("IN_PROGRESS", 1)).pk for number in range(12)]

    def queries(keys):
        Questionnaire.objects.update(target_at=None)
        with CaptureQueriesContext(connection) as captured:
            assert recalculate_clocks_for(keys) == len(keys)
        return len(captured)

    assert queries(pks) == queries(pks[:2])


def test_the_days_of_the_office_are_those_of_its_zone(scoped):
    OfficeHours.objects.create(zone="Pacific/Auckland", week=ALWAYS)
    Holiday.objects.create(day=date(2026, 5, 5), name="Off")
    within(24)
    row = made("Helios", ("IN_PROGRESS", 1))
    start = datetime(2026, 5, 4, 6, tzinfo=UTC)  # six in the evening there
    Questionnaire.objects.filter(pk=row.pk).update(created_at=start, payload=row.payload | {"statusLog": []})
    recalculate_clocks_for([row.pk])
    assert fresh(row).target_at == start + timedelta(hours=48)
