"""The plan: a case made by hand, what a change of the incident or of promises does to it, and what stays whatever it says."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.access_requests.models import Viewer
from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.calendars.models import Holiday
from portal.commitments.models import Commitment, Standard
from portal.customers.services import merge
from portal.incidents import services
from portal.incidents.filters import ORDER, PlanFilters
from portal.incidents.models import NEVER, LogEntry, Notice, Rank, State, Step
from portal.incidents.selectors.contacts import contacts_of
from portal.incidents.selectors.inputs import is_outdated
from portal.incidents.selectors.rows import shown
from portal.incidents.services import ChangedMeanwhile, IncidentClosed, Telling
from portal.lib.page_cache import cache
from portal.work_items.models import WorkItem
from tests.incidents.conftest import NOTICED, facts, make_account, make_promise, notice_of, open_one, plan_of, set_standard
from tests.work_items.support import work_off


def moment(text: str) -> datetime:
    at, _, zone = text.rpartition(" ")
    return datetime.fromisoformat(at).replace(tzinfo=ZoneInfo(zone))


@pytest.fixture
def nine(office):
    """Nine customers, as a hand has put them in order: Friday, 20 November 2026, 14:05 in Berlin; personal data."""
    make_promise(
        make_account("Sydney Bank"), "1 business days", zone="Australia/Sydney", country="AU", contract="MSA", clause="§ 9"
    )
    make_promise(
        make_account("New York Trust"), "2 business days", zone="America/New_York", country="US", contract="DPA", page=7
    )
    twice = make_account("Two Contracts")
    make_promise(twice, "72 hours", contract="Old MSA", clause="§ 12")
    make_promise(twice, "24 hours", contract="New DPA", clause="Art. 8", page=4, notify="soc@two.example, phone after hours")
    berlin = make_account("Berlin Office")
    make_promise(berlin, "1 business days", contract="AVV")
    both = make_account("Words And Hours")
    make_promise(both, "48 hours", contract="MSA")
    make_promise(both, "without undue delay", contract="DPA")
    make_promise(make_account("Only Words"), "immediately", contract="DPA")
    make_promise(make_account("Credentials Only"), "4 hours", data_kinds=["credentials"], contract="MSA")
    make_account("Nobody Promised")
    make_promise(make_account("Ended", domain="ended.example"), "1 hours", ended_at=timezone.now())
    set_standard(5, "business-days")


IN_ORDER = [
    # What is promised in words comes first; the other contract of the first one says until when at the latest.
    ("Words And Hours", Rank.AT_ONCE, "2026-11-22 14:05 Europe/Berlin", "without undue delay", 1),
    ("Only Words", Rank.AT_ONCE, None, "immediately", 0),
    ("Two Contracts", Rank.DEADLINE, "2026-11-21 14:05 Europe/Berlin", "24 hours", 1),
    # Saturday has begun in Sydney when it is Friday noon in Berlin: the day after the event is a Sunday, the end is Monday's.
    ("Sydney Bank", Rank.DEADLINE, "2026-11-23 23:59:59 Australia/Sydney", "1 business day", 0),
    # Monday is the office's own holiday.
    ("Berlin Office", Rank.DEADLINE, "2026-11-24 23:59:59 Europe/Berlin", "1 business day", 0),
    # Friday morning in New York; Monday and Tuesday follow, and Thanksgiving is only on Thursday.
    ("New York Trust", Rank.DEADLINE, "2026-11-24 23:59:59 America/New_York", "2 business days", 0),
    # Tuesday to Friday and the Monday after, as Monday the 23rd is a holiday.
    ("Credentials Only", Rank.STANDARD, "2026-11-30 23:59:59 Europe/Berlin", "5 business days", 1),
    ("Ended", Rank.STANDARD, "2026-11-30 23:59:59 Europe/Berlin", "5 business days", 0),
    ("Nobody Promised", Rank.STANDARD, "2026-11-30 23:59:59 Europe/Berlin", "5 business days", 0),
]


def test_the_plan_is_the_one_made_by_hand(nine, owner):
    incident = open_one(owner)
    rows = [(str(row), row.rank, row.due_at, row.promises[0]["promise"], len(row.others)) for row in plan_of(incident)]
    expected = [(name, rank, until and moment(until), promise, more) for name, rank, until, promise, more in IN_ORDER]
    assert rows == expected


def test_the_queue_of_work_has_the_customers_in_the_order_of_the_plan(nine, owner):
    rows = plan_of(open_one(owner))
    work_off()
    by_key = {row.pk: row for row in rows}
    queue = [by_key[item.object_id] for item in WorkItem.objects.filter(kind="incident_notice")]
    assert {str(row) for row in queue[:2]} == {"Words And Hours", "Only Words"}
    assert [row.tell_by for row in queue] == [row.tell_by for row in rows]


def test_of_two_contracts_the_strictest_counts_and_the_other_is_shown(nine, owner):
    incident = open_one(owner)
    [row] = [each for each in shown(plan_of(incident), incident) if str(each.notice) == "Two Contracts"]
    assert row.counting is not None
    assert (row.counting.promise, row.counting.place) == ("24 hours", "New DPA, Art. 8, page 4")
    assert [(each.promise, each.place, each.applies) for each in row.others] == [("72 hours", "Old MSA, § 12", True)]
    assert row.notice.notify == "soc@two.example, phone after hours"


def test_a_promise_about_other_data_does_not_count_and_is_shown(nine, owner):
    incident = open_one(owner)
    row = notice_of(incident, "Credentials Only")
    assert row.rank == Rank.STANDARD
    assert [each["applies"] for each in row.others] == [False]
    services.change_incident(incident, facts(kinds=["credentials", "personal"]), seen=1, member=owner)
    row.refresh_from_db()
    assert (row.rank, row.due_at) == (Rank.DEADLINE, NOTICED + timedelta(hours=4))


def test_without_a_standard_nothing_is_known_of_those_without_a_promise(owner, office):
    make_account("Nobody Promised")
    [row] = plan_of(open_one(owner))
    assert (row.rank, row.due_at, row.warn_at, row.counts) == (Rank.NOTHING, None, None, None)


def test_our_standard_in_words_has_no_moment(owner, office):
    make_account("Nobody Promised")
    standard = set_standard()
    standard.amount, standard.unit, standard.words = None, "", "as soon as we can"
    standard.save()
    [row] = plan_of(open_one(owner))
    assert (row.rank, row.due_at, row.counts["promise"]) == (Rank.STANDARD, None, "as soon as we can")


@pytest.mark.parametrize("is_chosen", [True, False])
def test_accounts_that_were_merged_are_one_customer_and_the_strictest_of_their_promises_counts(owner, office, is_chosen):
    main, duplicate = make_account("Initech"), make_account("Initech Ltd", domain="initech.test")
    make_promise(main, "72 hours")
    make_promise(duplicate, "24 hours")
    merge(main, duplicate, member=owner)
    chosen = {"concerns_all": False, "account_ids": [duplicate.platform_id]} if is_chosen else {}
    [notice] = open_one(owner, **chosen).notices.all()
    assert notice.account_id == main.platform_id
    assert [each["promise"] for each in notice.promises] == ["24 hours", "72 hours"]


def test_only_those_who_were_chosen_are_in_the_plan(nine, owner):
    keys = [Account.objects.get(name=name).platform_id for name in ("Two Contracts", "Nobody Promised")]
    assert [str(row) for row in plan_of(open_one(owner, concerns_all=False, account_ids=keys))] == [
        "Two Contracts",
        "Nobody Promised",
    ]


def test_a_customer_that_left_the_platform_is_told_while_a_promise_is_in_force(owner, office):
    gone = make_account("Gone With Promise", gone_at=timezone.now())
    make_account("Gone Without", gone_at=timezone.now())
    make_promise(gone, "24 hours")
    Commitment.objects.create(account_id="never-known", term="breach-notice", amount=1, unit="hours", created_by_name="Alice")
    assert [str(row) for row in plan_of(open_one(owner))] == ["never-known", "Gone With Promise"]


def test_a_change_of_the_time_moves_the_deadlines_and_says_which(nine, owner):
    incident = open_one(owner)
    earlier = NOTICED - timedelta(hours=3)
    incident, difference = services.change_incident(incident, facts(noticed_at=earlier), seen=1, member=owner)
    assert difference is not None
    # In hours and in words alone; the days are the same.
    assert {(each["customer"], each["what"]) for each in difference.details} == {
        ("Two Contracts", "moved"),
        ("Words And Hours", "moved"),
    }
    assert notice_of(incident, "Two Contracts").due_at == earlier + timedelta(hours=24)
    entry = LogEntry.objects.filter(step=Step.PLANNED).first()
    assert entry.text == "Plan rebuilt, because the incident changed: 2 deadlines moved."
    assert len(entry.details) == 2
    assert LogEntry.objects.filter(step=Step.CHANGED).get().text.startswith("Changed: noticed 2026-11-20")


def test_nothing_that_was_told_is_lost_when_customers_come_and_go(nine, owner):
    incident = open_one(owner)
    told, open_one_ = notice_of(incident, "Two Contracts"), notice_of(incident, "Only Words")
    services.mark_notified(incident, [told.pk], Telling(told_at=timezone.now(), way="mail", note="ticket 7"), member=owner)
    keys = [Account.objects.get(name="Nobody Promised").platform_id]
    incident, difference = services.change_incident(incident, facts(concerns_all=False, account_ids=keys), seen=1, member=owner)
    assert difference is not None
    assert difference.count("went") == 8
    told.refresh_from_db()
    assert (told.state, told.note, told.left_at is not None) == (State.TOLD, "ticket 7", True)
    assert [str(row) for row in plan_of(incident)] == ["Nobody Promised"]
    _, difference = services.change_incident(incident, facts(), seen=2, member=owner)
    assert difference is not None
    assert difference.count("came") == 8
    told.refresh_from_db()
    open_one_.refresh_from_db()
    assert (told.state, told.left_at, open_one_.left_at) == (State.TOLD, None, None)


def test_a_change_that_does_not_touch_the_plan_leaves_it_alone(nine, owner):
    incident = open_one(owner)
    before = incident.planned_at
    incident, difference = services.change_incident(incident, facts(name="Another name"), seen=1, member=owner)
    assert (str(incident), difference, incident.planned_at) == ("Another name", None, before)
    _, difference = services.change_incident(incident, facts(name="Another name"), seen=2, member=owner)
    incident.refresh_from_db()
    assert incident.version == 2


def test_w2_two_people_who_change_an_incident_at_once_are_told_of_each_other(nine, owner):
    incident = open_one(owner)
    services.change_incident(incident, facts(name="First"), seen=1, member=owner)
    with pytest.raises(ChangedMeanwhile):
        services.change_incident(incident, facts(name="Second"), seen=1, member=owner)
    incident.refresh_from_db()
    assert str(incident) == "First"


def test_a_promise_that_changes_afterwards_changes_the_plan_only_when_somebody_says_so(nine, owner):
    incident = open_one(owner)
    assert not is_outdated(incident)
    Commitment.objects.filter(amount=24).update(amount=12)
    from_now = services.difference_of(incident)
    assert from_now.description == "1 deadline moved"
    row = notice_of(incident, "Two Contracts")
    assert row.due_at == NOTICED + timedelta(hours=24)
    services.replan(incident, member=owner)
    row.refresh_from_db()
    assert row.due_at == NOTICED + timedelta(hours=12)
    assert from_now.details[0]["promise"] == "24 hours → 12 hours"


@pytest.mark.parametrize("what", ["promise", "ended", "customer", "standard", "holiday", "zone"])
def test_whatever_the_plan_depends_on_is_noticed(nine, owner, office, what):
    incident = open_one(owner)
    match what:
        case "promise":
            Commitment.objects.filter(amount=24).update(amount=12)
        case "ended":
            Commitment.objects.filter(amount=24).update(ended_at=timezone.now())
        case "customer":
            make_account("New One")
        case "standard":
            Standard.objects.update(amount=2)
        case "holiday":
            Holiday.objects.all().delete()
        case "zone":
            office.zone = "Asia/Tokyo"
            office.save()
    cache.clear()  # what has changed is told within a minute
    assert is_outdated(incident)
    services.replan(incident, member=owner)
    incident.refresh_from_db()
    assert not is_outdated(incident)


def test_a_moved_deadline_is_warned_of_once_more_and_one_that_stays_is_not(nine, owner):
    incident = open_one(owner)
    Notice.objects.update(warned_at=timezone.now())
    services.change_incident(incident, facts(noticed_at=NOTICED - timedelta(hours=3)), seen=1, member=owner)
    assert notice_of(incident, "Two Contracts").warned_at is None
    assert notice_of(incident, "Berlin Office").warned_at is not None


def test_a_closed_incident_is_left_alone_until_it_is_opened_again(nine, owner):
    incident = open_one(owner)
    services.close_incident(incident, remark="false alarm", member=owner)
    with pytest.raises(IncidentClosed):
        services.change_incident(incident, facts(name="x"), seen=1, member=owner)
    with pytest.raises(IncidentClosed):
        services.replan(incident, member=owner)
    with pytest.raises(IncidentClosed):
        services.mark_notified(incident, [notice_of(incident, "Ended").pk], Telling(told_at=NOTICED, way="mail"), member=owner)
    assert services.reopen_incident(incident, member=owner)
    assert not services.reopen_incident(incident, member=owner)
    entry = LogEntry.objects.filter(step=Step.CLOSED).get()
    assert (entry.text, entry.note) == ("Closed, with 9 customers not notified.", "false alarm")


def test_every_change_is_written_down_without_addresses(nine, owner):
    incident = open_one(owner, name="Mail of jane@two.example leaked", notes="ask joe@two.example")
    services.change_incident(incident, facts(notes="ask ann@two.example"), seen=1, member=owner)
    services.close_incident(incident, remark="bob@two.example said so", member=owner)
    text = " ".join(f"{entry.summary} {entry.details}" for entry in Entry.objects.all())
    assert [entry.action for entry in Entry.objects.order_by("id")] == ["incident.open", "incident.change", "incident.close"]
    assert "@" not in text


def test_our_standard_that_ends_sooner_comes_before_a_promise_that_ends_later(owner, office):
    make_promise(make_account("Long Promise"), "97 hours")
    make_promise(make_account("Long Too"), "5 days")
    for number in range(3):
        make_account(f"Nobody {number}")
    set_standard(71, "hours")
    assert [str(row) for row in plan_of(open_one(owner))] == ["Nobody 0", "Nobody 1", "Nobody 2", "Long Promise", "Long Too"]


PROMISES = st.one_of(
    st.sampled_from(["without undue delay", "immediately"]),
    st.builds("{} hours".format, st.integers(1, 300)),
    st.builds("{} days".format, st.integers(1, 20)),
    st.builds("{} business days".format, st.integers(1, 10)),
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    promised=st.lists(st.lists(PROMISES, max_size=3), min_size=1, max_size=8),
    standard=st.one_of(st.none(), st.tuples(st.integers(1, 300), st.sampled_from(["hours", "days"]))),
)
def test_the_plan_is_always_in_the_order_of_the_true_moments(owner, office, promised, standard):
    with transaction.atomic():
        for number, promises in enumerate(promised):
            account = make_account(f"Customer {number}")
            for each in promises:
                make_promise(account, each)
        if standard:
            set_standard(*standard)
        incident = open_one(owner)
        rows = list(PlanFilters().rows(incident).order_by(*ORDER))
        transaction.set_rollback(True)
    assert len(rows) == len(promised)
    # At once means now; who was promised nothing, with no standard of ours, comes last.
    moments = [NOTICED if row.rank == Rank.AT_ONCE else row.due_at or NEVER for row in rows]
    assert moments == sorted(moments)


def person(account: Account, email: str, *, name: str = "", quiet_days: int = 1, **columns: object) -> Viewer:
    now = timezone.now()
    return Viewer.objects.create(
        platform_id=email,
        email=email,
        folded_email=email,
        name=name,
        account_id=account.platform_id,
        quiet_since=now - timedelta(days=quiet_days),
        created_at=now,
        updated_at=now,
        **columns,
    )


def contacts(incident, name: str) -> list[tuple[str, str]]:
    row = notice_of(incident, name)
    return [(each.description, each.source) for each in contacts_of([row])[row.pk]]


def test_whom_to_tell_is_taken_from_the_contract_then_the_customer_then_the_viewers(owner, office):
    by_contract, by_field, by_viewer = (make_account(name) for name in ("By Contract", "By Field", "By Viewer"))
    make_promise(by_contract, "24 hours", contract="MSA", clause="7.2", notify="soc@one.example")
    by_field.custom_fields = [
        {"label": "Tier", "value": "a@b.example"},
        {"label": "Security contact", "value": ["sec@two.example"]},
    ]
    by_field.save()
    for account in (by_contract, by_field, by_viewer):
        person(account, f"quiet@{account.name[3:].lower()}.example", quiet_days=90)
        person(account, f"active@{account.name[3:].lower()}.example", name="Ann Active")
        person(account, f"gone@{account.name[3:].lower()}.example", expires_sort=timezone.now() - timedelta(days=1))
    make_account("Unknown")
    incident = open_one(owner)
    assert contacts(incident, "By Contract") == [("soc@one.example", "from the contract MSA, 7.2")]
    assert contacts(incident, "By Field") == [("sec@two.example", "from the customer's field “Security contact”")]
    assert contacts(incident, "By Viewer") == [
        ("Ann Active <active@viewer.example>", "Trust Center viewer"),
        ("quiet@viewer.example", "Trust Center viewer"),
    ]
    assert contacts(incident, "Unknown") == []


def test_viewers_of_a_merged_customer_are_its_people_too(owner, office):
    main, other = make_account("Main"), make_account("Other")
    person(other, "ann@other.example")
    merge(main, other, member=owner)
    assert contacts(open_one(owner), "Main") == [("ann@other.example", "Trust Center viewer")]


def test_s11_the_plan_keeps_no_viewer(owner, office):
    person(make_account("Northwind"), "ann@northwind.example")
    incident = open_one(owner)
    assert contacts(incident, "Northwind")
    assert "ann@" not in str(list(Notice.objects.values()))
    Viewer.objects.all().delete()
    assert contacts(incident, "Northwind") == []


def test_plans_of_fifty_look_for_people_in_as_many_queries_as_one(owner, office):
    for number in range(12):
        person(make_account(f"Customer {number}"), f"p{number}@x.example")
    rows = plan_of(open_one(owner))
    with CaptureQueriesContext(connection) as one:
        contacts_of(rows[:1])
    with CaptureQueriesContext(connection) as many:
        contacts_of(rows)
    assert len(many) == len(one)
