"""Until when: the arithmetic on any promise, and cases counted by hand."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.calendars.countries import public_holidays
from portal.calendars.office_time import OfficeTime
from portal.commitments.data_kinds import DataKind
from portal.commitments.models import Unit
from portal.incidents.data_kinds import is_touched, kinds_words
from portal.incidents.deadlines import Counting

pytestmark = pytest.mark.once

# With clocks that change by an hour, by half an hour, at midnight; one that left out a whole day.
ZONES = ["", "UTC", "Europe/Berlin", "America/Havana", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Apia"]
COUNTRIES = ["", "DE", "AU", "US", "no such country"]
BERLIN = OfficeTime(ZoneInfo("Europe/Berlin"), holidays=frozenset({date(2026, 11, 25)}))

moments = st.datetimes(datetime(2011, 12, 1), datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - the zone comes after
leaps = st.builds(
    lambda day, seconds: datetime.combine(day, datetime.min.time(), UTC) + timedelta(seconds=seconds),
    st.sampled_from([date(2011, 12, 29), date(2026, 3, 29), date(2026, 10, 25), date(2018, 11, 4), date(2026, 4, 5)]),
    st.integers(-86_400, 172_800),
)
anytime = moments | leaps
amounts = st.decimals(0, 60, places=3)
units = st.sampled_from([Unit.HOURS, Unit.DAYS, Unit.BUSINESS_DAYS, Unit.MONTHS])
zones, lands = st.sampled_from(ZONES), st.sampled_from(COUNTRIES)


def until(noticed_at: datetime, amount, unit: str, zone: str = "", country: str = "") -> datetime:
    at = Counting(noticed_at, BERLIN).until(Decimal(amount), unit, zone=zone, country=country).at
    assert at is not None
    return at


def at(text: str, zone: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


@settings(deadline=None)  # the holidays of a year are worked out once
@given(noticed_at=anytime, amount=amounts, unit=units, zone=zones, country=lands)
def test_no_promise_ends_before_the_event(noticed_at, amount, unit, zone, country):
    assert until(noticed_at, amount, unit, zone, country) >= noticed_at


@settings(deadline=None)  # the holidays of a year are worked out once
@given(noticed_at=anytime, amount=amounts, more=amounts, unit=units, zone=zones, country=lands)
def test_who_promises_more_time_has_no_less(noticed_at, amount, more, unit, zone, country):
    assert until(noticed_at, amount, unit, zone, country) <= until(noticed_at, amount + more, unit, zone, country)


@settings(deadline=None)  # the holidays of a year are worked out once
@given(noticed_at=anytime, later=st.integers(0, 10**7), amount=amounts, unit=units, zone=zones, country=lands)
def test_what_is_noticed_later_never_ends_earlier(noticed_at, later, amount, unit, zone, country):
    second = noticed_at + timedelta(seconds=later)
    assert until(noticed_at, amount, unit, zone, country) <= until(second, amount, unit, zone, country)


@settings(deadline=None)  # the holidays of a year are worked out once
@given(noticed_at=anytime, amount=st.integers(1, 60), zone=zones, country=st.sampled_from(["DE", "AU", "US"]))
def test_a_term_of_business_days_ends_on_a_business_day(noticed_at, amount, zone, country):
    last = until(noticed_at, amount, Unit.BUSINESS_DAYS, zone, country).astimezone(ZoneInfo(zone or "Europe/Berlin"))
    assert last.weekday() < 5
    assert last.date() not in public_holidays(country, last.year)
    assert f"{last:%H:%M:%S}" == "23:59:59"


@settings(deadline=None)  # the holidays of a year are worked out once
@given(noticed_at=anytime, amount=st.integers(1, 60), zone=zones, country=st.sampled_from(["DE", "AU", "US"]))
def test_between_the_event_and_the_end_lie_as_many_business_days_as_promised(noticed_at, amount, zone, country):
    place = ZoneInfo(zone or "Europe/Berlin")
    first, last = noticed_at.astimezone(place).date(), until(noticed_at, amount, Unit.BUSINESS_DAYS, zone, country)
    days = [first + timedelta(days=each) for each in range(1, (last.astimezone(place).date() - first).days + 1)]
    left_out = {date(2011, 12, 30)} if zone == "Pacific/Apia" else set()
    worked = [
        day for day in days if day.weekday() < 5 and day not in public_holidays(country, day.year) and day not in left_out
    ]
    assert len(worked) == amount


@pytest.mark.parametrize(
    ("noticed", "amount", "unit", "zone", "country", "end"),
    [
        # Hours know neither days nor nights; here the clocks go back, so that the wall shows one hour less.
        ("2026-10-24 14:05 Europe/Berlin", 24, Unit.HOURS, "Europe/Berlin", "DE", "2026-10-25 13:05 Europe/Berlin"),
        ("2026-03-28 14:05 Europe/Berlin", 24, Unit.HOURS, "Europe/Berlin", "DE", "2026-03-29 15:05 Europe/Berlin"),
        ("2026-11-20 14:05 Europe/Berlin", Decimal("1.5"), Unit.HOURS, "", "", "2026-11-20 15:35 Europe/Berlin"),
        # Three days from Friday end on Monday, three days from Thursday on Sunday: that end is not moved.
        ("2026-11-20 14:05 Europe/Berlin", 3, Unit.DAYS, "", "", "2026-11-23 23:59:59 Europe/Berlin"),
        ("2026-11-19 14:05 Europe/Berlin", 3, Unit.DAYS, "", "", "2026-11-22 23:59:59 Europe/Berlin"),
        # In the night in which the clocks go back the last day lasts an hour longer, in spring an hour less.
        ("2026-10-24 00:30 Europe/Berlin", 1, Unit.DAYS, "Europe/Berlin", "", "2026-10-25 23:59:59 Europe/Berlin"),
        ("2026-03-28 00:30 Europe/Berlin", 1, Unit.DAYS, "Europe/Berlin", "", "2026-03-29 23:59:59 Europe/Berlin"),
        # At 14:05 in Berlin it is the next day in Sydney already: its day does not count, and Monday follows.
        (
            "2026-11-20 14:05 Europe/Berlin",
            1,
            Unit.BUSINESS_DAYS,
            "Australia/Sydney",
            "AU",
            "2026-11-23 23:59:59 Australia/Sydney",
        ),
        (
            "2026-11-23 14:05 Europe/Berlin",
            1,
            Unit.BUSINESS_DAYS,
            "Australia/Sydney",
            "AU",
            "2026-11-25 23:59:59 Australia/Sydney",
        ),
        # Australia Day 2026 is a Monday.
        (
            "2026-01-23 09:00 Australia/Sydney",
            1,
            Unit.BUSINESS_DAYS,
            "Australia/Sydney",
            "AU",
            "2026-01-27 23:59:59 Australia/Sydney",
        ),
        # Thanksgiving 2026 is Thursday, 26 November; the day after it is none of the whole country.
        (
            "2026-11-25 20:00 America/New_York",
            2,
            Unit.BUSINESS_DAYS,
            "America/New_York",
            "US",
            "2026-11-30 23:59:59 America/New_York",
        ),
        # Three in the morning in Berlin is the evening before in New York: that day is the one that does not count.
        (
            "2026-11-24 03:00 Europe/Berlin",
            1,
            Unit.BUSINESS_DAYS,
            "America/New_York",
            "US",
            "2026-11-24 23:59:59 America/New_York",
        ),
        # Easter 2026: Good Friday is 3 April, Easter Monday 6 April.
        ("2026-04-02 16:00 Europe/Berlin", 2, Unit.BUSINESS_DAYS, "Europe/Berlin", "DE", "2026-04-08 23:59:59 Europe/Berlin"),
        # Over Christmas and New Year, when 25 December and 1 January are Fridays.
        ("2026-12-23 10:00 Europe/Berlin", 5, Unit.BUSINESS_DAYS, "Europe/Berlin", "DE", "2026-12-31 23:59:59 Europe/Berlin"),
        # Without a country it is the office's own holidays: Wednesday the 25th is one.
        ("2026-11-24 14:05 Europe/Berlin", 1, Unit.BUSINESS_DAYS, "", "", "2026-11-26 23:59:59 Europe/Berlin"),
        ("2026-11-24 14:05 Europe/Berlin", 1, Unit.BUSINESS_DAYS, "", "DE", "2026-11-25 23:59:59 Europe/Berlin"),
        # Months by the calendar.
        ("2026-01-31 14:05 Europe/Berlin", 1, Unit.MONTHS, "", "", "2026-02-28 23:59:59 Europe/Berlin"),
        ("2026-08-31 14:05 Europe/Berlin", 6, Unit.MONTHS, "", "", "2027-02-28 23:59:59 Europe/Berlin"),
        ("2026-11-15 14:05 Europe/Berlin", 1, Unit.MONTHS, "", "", "2026-12-15 23:59:59 Europe/Berlin"),
        # Part of a day does not count.
        ("2026-11-20 14:05 Europe/Berlin", Decimal("1.9"), Unit.DAYS, "", "", "2026-11-21 23:59:59 Europe/Berlin"),
        # Midnight that a zone leaves out: the day begins at one o'clock.
        ("2018-11-02 12:00 America/Sao_Paulo", 1, Unit.DAYS, "America/Sao_Paulo", "", "2018-11-03 23:59:59 America/Sao_Paulo"),
        # A zone that nobody knows is the office's.
        ("2026-11-20 14:05 Europe/Berlin", 1, Unit.DAYS, "Mars/Base", "", "2026-11-21 23:59:59 Europe/Berlin"),
    ],
)
def test_cases_counted_by_hand(noticed, amount, unit, zone, country, end):
    noticed_at, expected = (at(text.rpartition(" ")[0], text.rpartition(" ")[2]) for text in (noticed, end))
    assert until(noticed_at, amount, unit, zone, country) == expected.astimezone(UTC)


@pytest.mark.parametrize(("amount", "unit"), [(None, ""), (Decimal(4), Unit.TIMES_A_YEAR), (Decimal(99), Unit.PERCENT)])
def test_what_promises_no_length_of_time_has_no_moment(amount, unit):
    assert Counting(datetime(2026, 11, 20, tzinfo=UTC), BERLIN).until(amount, unit).at is None


def test_a_slip_of_the_pen_neither_hangs_nor_leaves_the_calendar():
    for unit in (Unit.HOURS, Unit.DAYS, Unit.BUSINESS_DAYS, Unit.MONTHS):
        assert until(datetime(2026, 11, 20, tzinfo=UTC), "999999.999", unit, country="DE").year in (2036, 2037)


def test_how_it_was_counted_is_said():
    counting = Counting(at("2026-11-20 14:05", "Europe/Berlin"), BERLIN)
    assert counting.until(Decimal(24), "hours").reading == "Counted from the exact time."
    words = counting.until(Decimal(2), "business-days", zone="Australia/Sydney", country="AU").reading
    assert words == (
        "Counted from the day after, Monday to Friday excluding the public holidays of Australia, "
        "to the end of Tuesday, 2026-11-24."
    )
    assert "the office's own holidays" in counting.until(Decimal(2), "business-days").reading


@pytest.mark.parametrize(
    ("promised", "kinds", "touched"),
    [
        ([], ["usage"], True),
        (["personal"], ["usage"], False),
        (["personal"], ["usage", "personal"], True),
        (["personal"], ["special"], True),
        (["special"], ["personal"], False),
        (["credentials"], ["any"], True),
        (["any"], ["usage"], True),
        (["source code"], ["usage"], True),
    ],
)
def test_a_promise_about_some_data_is_touched_by_an_incident_with_it(promised, kinds, touched):
    assert is_touched(promised, kinds) is touched


def test_kinds_of_data_are_named_in_one_order():
    assert kinds_words([DataKind.CREDENTIALS, DataKind.PERSONAL, "other"]) == "Personal data, Credentials and keys, other"
