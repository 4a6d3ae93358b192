"""Entries that somebody has to look at again are work of their owner until they are verified."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.library.models import Entry
from portal.library.services import delete_entry, verify_entry
from portal.notifications.kinds import PAPERS, kind_of_desk
from portal.work_items.kinds import kind_named
from portal.work_items.models import WorkItem
from tests.work_items.support import kept_up

pytestmark = pytest.mark.both


def open_items() -> list[WorkItem]:
    kept_up()
    return [item for item in WorkItem.objects.filter(kind="library_entry") if item.visible_from <= timezone.now()]


def test_an_entry_is_work_from_two_weeks_before_until_it_is_verified(add, owner, alice):
    today = timezone.localdate()
    near = add("Near?", owner=alice, review_on=today + timedelta(days=10))
    add("Far?", owner=alice, review_on=today + timedelta(days=40))
    add("For good?", owner=alice)
    [item] = open_items()
    assert (item.object_id, item.owner_id) == (near.pk, alice.pk)
    verify_entry(near, review_on=today + timedelta(days=100), member=owner)
    assert open_items() == []


def test_an_entry_about_to_expire_is_work_and_so_is_an_overdue_one(add, owner):
    today = timezone.localdate()
    ends = add("Ends?", expires_on=today + timedelta(days=3), review_on=today + timedelta(days=300))
    over = add("Over?", review_on=today - timedelta(days=30))
    items = {item.object_id: item for item in open_items()}
    assert items.keys() == {ends.pk, over.pk}
    assert items[over.pk].due_sort < timezone.now() < items[ends.pk].due_sort
    assert {item.owner_id for item in items.values()} == {None}
    for entry in (ends, over):
        verify_entry(entry, review_on=None, member=owner)
    assert open_items() == []


def test_an_entry_that_nobody_has_verified_is_work_at_once(add):
    entry = add("Unverified?")
    Entry.objects.filter(pk=entry.pk).update(verified_at=None)
    assert [item.object_id for item in open_items()] == [entry.pk]


def test_a_deleted_entry_is_no_work(add, owner):
    entry = add("Over?", review_on=timezone.localdate() - timedelta(days=1))
    assert len(open_items()) == 1
    delete_entry(entry, member=owner)
    assert open_items() == []


def test_its_page_is_where_the_work_is_and_the_team_is_told_of_it(add):
    entry = add("Over?", review_on=timezone.localdate() - timedelta(days=1))
    kind = kind_named("library_entry")
    assert kind is not None
    assert kind.build([entry.pk])[entry.pk].url("acme") == f"/t/acme/library/{entry.pk}/"
    assert kind_of_desk(kind.desk) is PAPERS
