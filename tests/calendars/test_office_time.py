"""The arithmetic of office time, on any hours and in any zone."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.calendars.office_time import DAY_MINUTES, FIRST, LAST, NOTHING, USUAL_WEEK, OfficeTime

pytestmark = pytest.mark.once

# With clocks that change by an hour, by half an hour, at midnight, the other way around; one that left out a whole day.
ZONES = [
    "UTC",
    "Europe/Berlin",
    "Europe/Dublin",
    "America/Sao_Paulo",
    "America/Havana",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Africa/Casablanca",
    "Asia/Gaza",
]
BERLIN = ZoneInfo("Europe/Berlin")

openings = st.none() | st.tuples(st.integers(0, DAY_MINUTES), st.integers(0, DAY_MINUTES)).filter(
    lambda it: it[0] + 120 <= it[1]
)
moments = st.datetimes(datetime(2009, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - the zone comes after
# Around the days on which clocks are changed or a day is left out.
leaps = st.sampled_from(
    [date(2011, 12, 30), date(2026, 3, 29), date(2026, 10, 25), date(2018, 11, 4), date(2026, 3, 8), date(2026, 4, 5)]
)
near_leaps = st.builds(
    lambda day, hours: datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(hours=hours), leaps, st.floats(-60, 60)
)
any_moment = moments | near_leaps
amounts = st.timedeltas(NOTHING, timedelta(days=3))


@st.composite
def offices(draw: st.DrawFn) -> OfficeTime:
    week = draw(st.lists(openings, min_size=7, max_size=7).filter(any))
    holidays = draw(st.frozensets(st.dates(date(2009, 1, 1), date(2027, 1, 1)) | leaps, max_size=5))
    return OfficeTime(ZoneInfo(draw(st.sampled_from(ZONES))), week, holidays)


@settings(max_examples=60, deadline=None)
@given(offices(), any_moment, amounts)
def test_what_has_passed_until_a_moment_is_the_amount_that_led_to_it(office, start, amount):
    end = office.after(start, amount)
    assert end is not None
    assert end >= start
    assert office.between(start, end) == amount


@settings(max_examples=60, deadline=None)
@given(offices(), any_moment, st.timedeltas(NOTHING, timedelta(days=25)))
def test_the_amount_between_two_moments_is_over_by_the_second_one_and_not_a_moment_before(office, start, length):
    amount = office.between(start, start + length)
    assert NOTHING <= amount <= length
    end = office.after(start, amount)
    assert end is not None
    assert end <= start + length
    if amount:
        assert office.between(start, end - timedelta(microseconds=1)) < amount


@settings(max_examples=60, deadline=None)
@given(offices(), any_moment, st.timedeltas(NOTHING, timedelta(days=3)), st.timedeltas(NOTHING, timedelta(days=3)))
def test_time_adds_up_and_never_runs_backwards(office, start, first, second):
    middle, end = start + first, start + first + second
    assert office.between(start, middle) + office.between(middle, end) == office.between(start, end)
    assert office.between(end, start) == NOTHING or start == end
    early, late = office.after(start, first), office.after(start, first + second)
    assert early is not None
    assert late is not None
    assert early <= late
    assert office.after(early, second) == late or not second


@settings(max_examples=40, deadline=None)
@given(offices(), any_moment)
def test_openings_never_overlap(office, start):
    day = start.date()
    found = [opening for number in range(8) if (opening := office.opening_on(day + timedelta(days=number)))]
    assert all(opens < closes for opens, closes in found)
    assert all(before[1] <= after[0] for before, after in pairwise(found))


def test_without_any_office_hours_no_time_ever_passes():
    closed = OfficeTime(BERLIN, [None] * 7)
    now = datetime(2026, 5, 1, tzinfo=UTC)
    assert not closed.has_any
    assert closed.between(FIRST, LAST) == NOTHING
    assert closed.after(now, timedelta(hours=1)) is None
    assert closed.after(now, NOTHING) == now


def test_eight_hours_from_friday_afternoon_are_monday_afternoon():
    office = OfficeTime(BERLIN, USUAL_WEEK)
    friday = datetime(2026, 5, 8, 15, 0, tzinfo=BERLIN)
    assert office.after(friday, timedelta(hours=8)) == datetime(2026, 5, 11, 15, 0, tzinfo=BERLIN)
    monday_off = OfficeTime(BERLIN, USUAL_WEEK, frozenset({date(2026, 5, 11)}))
    assert monday_off.after(friday, timedelta(hours=8)) == datetime(2026, 5, 12, 15, 0, tzinfo=BERLIN)


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 3, 29), 23), (date(2026, 10, 25), 25), (date(2026, 5, 3), 24)])
def test_a_whole_day_is_as_long_as_it_is_where_the_office_is(day, hours):
    office = OfficeTime(BERLIN, [(0, DAY_MINUTES)] * 7)
    opening = office.opening_on(day)
    assert opening is not None
    assert opening[1] - opening[0] == timedelta(hours=hours)


def test_a_time_that_is_left_out_is_the_moment_of_the_leap():
    office = OfficeTime(BERLIN, [(0, 150)] * 7)  # until half past two, which there is not on that night
    assert office.opening_on(date(2026, 3, 29)) == (datetime(2026, 3, 28, 23, tzinfo=UTC), datetime(2026, 3, 29, 1, tzinfo=UTC))


def test_a_day_that_is_left_out_is_nobodys_office_time():
    office = OfficeTime(ZoneInfo("Pacific/Apia"), [(540, 1020)] * 7)
    assert office.opening_on(date(2011, 12, 30)) is None


def test_moments_of_other_ages_are_borne():
    office = OfficeTime(BERLIN)
    start = datetime(1, 1, 1, tzinfo=UTC)
    assert office.between(start, datetime(9999, 12, 31, tzinfo=UTC)) == office.between(FIRST, LAST)
    assert office.after(datetime(9999, 12, 31, 23, 59, tzinfo=UTC), timedelta(hours=1)) is None
    assert office.between(datetime(9999, 12, 31, 23, 59, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)) == NOTHING
    assert office.after(start, timedelta(hours=1)) == datetime(2000, 1, 3, 10, tzinfo=BERLIN)
