from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from portal.ui.times import due, exact_words, relative_words

NOW = datetime(2026, 11, 21, 15, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("away", "words", "tone"),
    [
        (timedelta(days=-2), "2 days late", "late"),
        (timedelta(days=-1), "1 day late", "late"),
        (timedelta(hours=-3), "3 hours late", "late"),
        (timedelta(seconds=-5), "1 minute late", "late"),
        (timedelta(hours=2), "due today", "soon"),
        (timedelta(days=1), "due tomorrow", "soon"),
        (timedelta(days=5), "in 5 days", ""),
        (timedelta(days=30), "21 Dec", ""),
        (timedelta(days=300), "17 Sep 2027", ""),
    ],
)
def test_a_due_date_says_how_it_stands_in_words(away, words, tone):
    found = due(NOW + away, now=NOW)
    assert (found.description, found.tone) == (words, tone)


def test_what_is_done_is_never_late():
    assert due(NOW - timedelta(days=9), now=NOW, is_done=True).tone == ""


def test_a_bare_date_is_not_late_before_its_day_has_ended():
    assert due(date(2026, 11, 21), now=NOW).description == "due today"
    assert due(date(2026, 11, 20), now=NOW).tone == "late"


def test_days_are_counted_in_the_readers_zone():
    late_evening = datetime(2026, 11, 21, 23, 30, tzinfo=UTC)
    with timezone.override(ZoneInfo("Europe/Berlin")):
        assert due(late_evening, now=NOW).description == "due tomorrow"
        assert exact_words(late_evening) == "Sunday, 22 November 2026, 00:30 CET"


@pytest.mark.parametrize(
    ("away", "words"),
    [
        (timedelta(0), "just now"),
        (timedelta(minutes=-5), "5 min ago"),
        (timedelta(hours=-3), "3 h ago"),
        (timedelta(days=-1), "yesterday"),
        (timedelta(days=-4), "4 days ago"),
        (timedelta(days=-20), "1 Nov"),
        (timedelta(days=-400), "17 Oct 2025"),
        (timedelta(seconds=20), "in a moment"),
        (timedelta(minutes=10), "in 10 min"),
        (timedelta(days=1), "tomorrow"),
        (timedelta(days=3), "in 3 days"),
    ],
)
def test_a_moment_says_how_far_it_is(away, words):
    assert relative_words(NOW + away, now=NOW) == words
