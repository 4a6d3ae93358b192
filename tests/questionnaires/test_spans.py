"""Where the time went, from logs of every odd kind, and how much a target leaves."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.calendars.office_time import USUAL_WEEK, OfficeTime
from portal.questionnaires.clocks import History, Seen, Span, Spent, Step, Turn, clock_of, shares, spent, turn_of
from portal.questionnaires.stages import STAGE_OF

pytestmark = pytest.mark.once

START = datetime(2026, 5, 4, 9, tzinfo=UTC)  # a Monday
HOURS = OfficeTime(ZoneInfo("UTC"), USUAL_WEEK)
ALWAYS = OfficeTime(ZoneInfo("UTC"), [(0, 1440)] * 7)


def at(hours: float) -> datetime:
    return START + timedelta(hours=hours)


def told(status: str, log=(), seen=(), *, now: float = 100) -> list[tuple[str, float]]:
    """The spans as status and the hour they begin in."""
    steps = [Step(each, at(hour)) for each, hour in log]
    looks = [Seen(before, after, at(hour)) for before, after, hour in seen]
    spans = History(status, START, at(50), steps, looks).spans(at(now))
    assert [span.end for span in spans] == [*(span.start for span in spans[1:]), None]
    assert spans[0].start == START
    return [(span.status, (span.start - START) / timedelta(hours=1)) for span in spans]


def test_the_log_tells_every_step_newest_first():
    log = [("IN_REVIEW", 30), ("IN_PROGRESS", 2), ("PROCESSING", 0)]
    assert told("IN_REVIEW", log) == [("PROCESSING", 0), ("IN_PROGRESS", 2), ("IN_REVIEW", 30)]


def test_a_log_in_any_order_tells_the_same():
    log = [("IN_PROGRESS", 2), ("IN_REVIEW", 30), ("PROCESSING", 0)]
    assert told("IN_REVIEW", log) == [("PROCESSING", 0), ("IN_PROGRESS", 2), ("IN_REVIEW", 30)]


def test_without_a_log_it_has_had_its_status_from_the_beginning():
    assert told("IN_PROGRESS") == [("IN_PROGRESS", 0)]


def test_without_a_log_what_the_portal_saw_counts():
    seen = [("PROCESSING", "IN_PROGRESS", 3), ("IN_PROGRESS", "ON_HOLD", 8)]
    assert told("ON_HOLD", seen=seen) == [("PROCESSING", 0), ("IN_PROGRESS", 3), ("ON_HOLD", 8)]


def test_a_log_that_ends_with_the_present_status_is_believed_whatever_the_portal_saw():
    seen = [("IN_PROGRESS", "ON_HOLD", 20), ("ON_HOLD", "IN_PROGRESS", 21)]
    assert told("IN_PROGRESS", [("IN_PROGRESS", 2), ("PROCESSING", 0)], seen) == [("PROCESSING", 0), ("IN_PROGRESS", 2)]


def test_where_the_log_is_late_the_portal_goes_on_with_what_it_saw():
    log = [("IN_PROGRESS", 2), ("PROCESSING", 0)]
    seen = [("PROCESSING", "IN_PROGRESS", 2.1), ("IN_PROGRESS", "ON_HOLD", 20)]
    assert told("ON_HOLD", log, seen) == [("PROCESSING", 0), ("IN_PROGRESS", 2), ("ON_HOLD", 20)]


def test_a_status_that_nobody_saw_coming_began_with_the_last_update():
    assert told("ON_HOLD", [("IN_PROGRESS", 0)]) == [("IN_PROGRESS", 0), ("ON_HOLD", 50)]


def test_of_two_with_the_same_time_the_later_one_counts():
    log = [("IN_REVIEW", 5), ("READY_FOR_REVIEW", 5), ("IN_PROGRESS", 0)]
    assert told("IN_REVIEW", log) == [("IN_PROGRESS", 0), ("IN_REVIEW", 5)]
    assert told("ON_HOLD", [("ON_HOLD", 0), ("IN_PROGRESS", 0)]) == [("ON_HOLD", 0)]


def test_there_and_back_at_the_same_time_is_no_step():
    assert told("IN_PROGRESS", [("IN_PROGRESS", 5), ("ON_HOLD", 5), ("IN_PROGRESS", 0)]) == [("IN_PROGRESS", 0)]


def test_nothing_is_before_the_beginning_or_in_the_future():
    log = [("IN_REVIEW", 500), ("IN_PROGRESS", -7)]
    assert told("IN_REVIEW", log) == [("IN_PROGRESS", 0), ("IN_REVIEW", 100)]


def test_what_was_before_the_log_begins_is_not_told_or_was_seen():
    assert told("IN_REVIEW", [("IN_REVIEW", 10)]) == [("", 0), ("IN_REVIEW", 10)]
    assert Span("", START).label == "Not known"
    seen = [("PROCESSING", "IN_PROGRESS", 4)]
    assert told("IN_REVIEW", [("IN_REVIEW", 10)], seen) == [("PROCESSING", 0), ("IN_PROGRESS", 4), ("IN_REVIEW", 10)]


def test_a_log_that_begins_a_moment_late_begins_with_the_questionnaire():
    assert told("IN_PROGRESS", [("IN_PROGRESS", 0.01)]) == [("IN_PROGRESS", 0)]


def test_an_unknown_status_is_ours_and_called_as_it_came():
    span = Span("AWAITING_MOON", START)
    assert (span.turn, span.label) == (Turn.OURS, "AWAITING_MOON")


def test_every_known_status_has_its_turn():
    found = {turn: {status for status in STAGE_OF if turn_of(status) == turn} for turn in Turn}
    assert found[Turn.OTHERS] == {"WAITING_ON_ANSWERS"}
    assert found[Turn.HOLD] == {"ON_HOLD"}
    assert found[Turn.DONE] == {"COMPLETE", "NO_LONGER_NEEDED"}
    assert "PROCESSING" in found[Turn.PLATFORM]
    assert found[Turn.OURS] >= {"IN_PROGRESS", "IN_REVIEW", "APPROVED", "WAITING_ON_COLUMN_SELECTION"}


def test_time_is_added_up_by_whose_turn_it_was():
    spans = [Span("PROCESSING", at(0), at(1)), Span("IN_PROGRESS", at(1), at(24)), Span("ON_HOLD", at(24), at(25)),
             Span("IN_REVIEW", at(25))]  # fmt: skip
    found = spent(spans, HOURS, now=at(26))
    assert [*found] == [Turn.OURS, Turn.PLATFORM, Turn.HOLD]
    assert found[Turn.OURS] == Spent(timedelta(hours=24), timedelta(hours=8))
    assert shares(found) == [(Turn.OURS, 92), (Turn.PLATFORM, 4), (Turn.HOLD, 4)]


statuses = st.sampled_from([*STAGE_OF, "NEW_KIND_OF_STATUS"])
steps = st.builds(Step, statuses, st.floats(-20, 120).map(at))
looks = st.builds(Seen, statuses, statuses, st.floats(-20, 120).map(at))


@settings(max_examples=200, deadline=None)
@given(statuses, st.lists(steps, max_size=6), st.lists(looks, max_size=4))
def test_whatever_the_log_says_the_spans_fill_the_time_without_a_gap(status, log, seen):
    now = at(100)
    spans = History(status, START, at(50), log, seen).spans(now)
    assert spans[0].start == START
    assert spans[-1].status == status
    assert all(first.end == second.start and first.start < second.start for first, second in pairwise(spans))
    assert all(first.status != second.status for first, second in pairwise(spans))
    assert sum((each.real for each in spent(spans, ALWAYS, now=now).values()), timedelta(0)) == now - START


def clock(spans, *, now, target=8.0, hours=HOURS, percent=25):
    return clock_of(spans, hours, target=timedelta(hours=target), warn_percent=percent, now=at(now))


def test_the_clock_runs_in_office_time_and_warns_in_its_last_quarter():
    found = clock([Span("IN_PROGRESS", at(4))], now=5)  # from one o'clock
    assert found.target_at == at(28)
    assert found.warn_at == at(26)
    assert found.left == timedelta(hours=7)


def test_the_clock_stands_still_on_hold_and_goes_on_with_what_was_left():
    held = [Span("IN_PROGRESS", at(0), at(2)), Span("ON_HOLD", at(2))]
    found = clock(held, now=50)
    assert (found.target_at, found.left) == (None, timedelta(hours=6))
    resumed = [Span("IN_PROGRESS", at(0), at(2)), Span("ON_HOLD", at(2), at(26)), Span("IN_PROGRESS", at(26))]
    assert clock(resumed, now=26).target_at == at(32)


def test_a_target_that_was_missed_before_the_hold_stays_missed():
    held = [Span("IN_PROGRESS", at(0), at(30)), Span("ON_HOLD", at(30))]
    found = clock(held, now=50)
    assert found.target_at == at(8)
    assert found.left < timedelta(0)


def test_the_clock_ends_when_it_is_done():
    done = [Span("IN_PROGRESS", at(0), at(7)), Span("COMPLETE", at(7))]
    assert clock(done, now=500).target_at is None
    assert clock(done, now=500).left == timedelta(hours=1)


def test_without_office_hours_no_target_ever_comes():
    found = clock([Span("IN_PROGRESS", at(0))], now=5, hours=OfficeTime(ZoneInfo("UTC"), [None] * 7))
    assert (found.target_at, found.warn_at, found.left) == (None, None, timedelta(hours=8))
