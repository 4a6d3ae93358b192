"""Activity as a copy: read in pieces, late, double or odd as it comes."""

from dataclasses import replace
from datetime import timedelta
from itertools import count

import pytest
from django.utils import timezone

from portal.connections.services import Urgency, client_for
from portal.sync.models import ListPosition, MissedChange, Run, RunState
from portal.sync.services import reconcile, start_missing
from portal.trust_center_activity.mirror import MIRRORS
from portal.trust_center_activity.models import ACTIVITY, Activity
from portal.trust_center_activity.selectors import last_seen
from tests.trust_center_activity.conftest import Center, document, entry, store, written


def ids() -> set[str]:
    return set(Activity.objects.values_list("platform_id", flat=True))


def asked(center: Center) -> int:
    return len(center.handle.requests("/activity"))


def test_all_of_it_is_here_after_the_first_reading(center):
    run = center.read_activity()
    assert run.state == RunState.DONE
    assert ids() == set(center.there("activity"))
    row = Activity.objects.exclude(email="")[0]
    found = center.there("activity")[row.platform_id]
    assert (row.payload, row.email, row.event_type) == (found, found["viewerEmail"], found["eventType"])
    assert row.domain == found["viewerEmail"].partition("@")[2]


def test_the_next_reading_asks_only_for_what_is_new_and_for_what_came_late(center):
    center.happen(*(entry(days=20 + number / 100) for number in range(120)))
    center.read()
    before, pages = ids(), asked(center)
    newest = ListPosition.objects.get(kind=ACTIVITY).newest_at
    center.happen(entry(key="new", at=timezone.now()), entry(key="late", at=newest - timedelta(hours=1)))
    center.read()
    assert ids() == before | {"new", "late"}
    assert asked(center) == pages + 1


def test_an_entry_that_comes_days_late_is_met_by_the_long_look_of_the_next_day(center):
    center.read()
    newest = ListPosition.objects.get(kind=ACTIVITY).newest_at
    center.happen(entry(key="very late", at=newest - timedelta(days=5)))
    center.read()
    assert "very late" not in ids()
    ListPosition.objects.update(whole_at=timezone.now() - timedelta(hours=25))
    center.read()
    assert "very late" in ids()


def test_a_date_in_the_future_does_not_hide_what_follows(center):
    center.happen(entry(key="from the future", at=timezone.now() + timedelta(days=900)))
    center.read()
    center.happen(entry(key="today", at=timezone.now()))
    center.read()
    assert {"from the future", "today"} <= ids()


def test_a_reading_that_was_broken_off_goes_on_at_its_page_and_leaves_nothing_out(center):
    center.happen(*(entry(days=1 + number / 100) for number in range(300)))
    [mirror] = [each for each in MIRRORS if each.kind == ACTIVITY]
    pages = count(1)

    def fail_on_the_third(client, cursor):
        if next(pages) == 3:
            center.handle.fail("html", path="/v1/trust-centers/*/activity", times=1)
        return mirror.page(client, cursor)

    start_missing(MIRRORS)
    reconcile([replace(mirror, page=fail_on_the_third)], client_for(Urgency.PERSON), seconds=60)
    assert Run.objects.get(kind=ACTIVITY).state == RunState.FAILED
    assert Activity.objects.count() == 200
    before = asked(center)
    assert center.read_activity().state == RunState.DONE
    assert ids() == set(center.there("activity"))
    assert asked(center) - before == 2


def test_after_a_reading_that_never_ended_the_next_one_does_not_start_behind_the_gap(center):
    # As it is when the newest page was stored, and the cursor of the second was refused: all begins again.
    store(entry(key="newest", at=timezone.now()))
    center.happen(entry(key="older", days=12))
    center.read()
    assert "older" in ids()


@pytest.mark.parametrize(
    "odd",
    [
        {"eventType": "SOMETHING_NEW", "details": {"page": "A_NEW_PAGE"}},
        {"eventType": "SOMETHING_NEW", "details": {"what": ["is", "this"]}},
        {"details": None, "viewerId": None, "viewerEmail": None},
        {"viewerEmail": "no address at all", "countryCode": "a country with a long name"},
        {"viewerEmail": "A@B\x00.TEST", "city": "x" * 5000, "details": {"resourceId": "r" * 999, "resourceName": None}},
    ],
)
def test_an_odd_entry_is_kept_as_it_came(center, odd):
    center.happen(entry(key="odd", **odd), entry(key="usual"))
    assert center.read_activity().state == RunState.DONE
    assert {"odd", "usual"} <= ids()


def test_an_entry_without_any_field_stops_nothing(center):
    center.happen({"id": "bare"}, entry(key="usual"))
    assert center.read_activity().state == RunState.DONE
    assert Activity.objects.get(platform_id="bare").at <= timezone.now()
    assert "usual" in ids()


def test_what_no_event_tells_of_is_not_counted_as_missed(center):
    center.read()
    center.happen(entry(at=timezone.now()))
    assert center.read_activity().changed == 1
    assert not MissedChange.objects.exists()


def test_a_grant_that_does_not_cover_it_is_told_and_waits(center):
    center.handle.fail("status", path="/v1/trust-centers/*/activity", value=403, times=50)
    run = center.read_activity()
    assert (run.state, run.error) == (RunState.BLOCKED, "The connection does not cover this area.")


def test_last_seen_tells_the_latest_time_of_each_address(scoped):
    late, early = timezone.now() - timedelta(days=1), timezone.now() - timedelta(days=3)
    store(entry(email="Ada@Acme.test", at=late), entry(email="ada@acme.test", at=early, details=document("SOC 2")))
    store(entry(email="bob@acme.test", at=early), entry(email=None))
    assert last_seen(["ADA@acme.test", "bob@acme.test", "nobody@acme.test", ""]) == {
        "ADA@acme.test": late,
        "bob@acme.test": early,
    }
    assert written(late)
