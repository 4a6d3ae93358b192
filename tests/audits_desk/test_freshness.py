"""What somebody opens is read anew when it is old, and not each time that it is opened."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.engagements.kinds import PARTS, REQUEST
from portal.engagements.services.freshness import DETAILS_HOLD, LISTS_HOLD, ask_for_details, ask_for_lists
from portal.sync.models import StaleMark

pytestmark = pytest.mark.once
A_SECOND = timedelta(seconds=1)


def is_asked_for(kind: str, row) -> bool:
    return StaleMark.objects.due().filter(kind=kind, object_id=row.platform_id, urgent=True).exists()


@pytest.fixture
def request_and_audit(desk, row):
    StaleMark.objects.all().delete()
    return row, row.engagement


def read(ago: timedelta, row, column: str, **columns: object) -> None:
    """Let it be so long ago that an object was read."""
    type(row)._default_manager.filter(pk=row.pk).update(**{column: timezone.now() - ago}, **columns)
    row.refresh_from_db()


def test_an_audit_is_asked_for_once_what_was_read_of_it_is_old(request_and_audit):
    _, audit = request_and_audit
    read(LISTS_HOLD - timedelta(minutes=1), audit, "parts_read_at")
    ask_for_lists(audit)
    assert not is_asked_for(PARTS, audit)
    read(LISTS_HOLD + A_SECOND, audit, "parts_read_at")
    ask_for_lists(audit)
    assert is_asked_for(PARTS, audit)


def test_a_request_is_asked_for_once_what_was_read_of_it_is_old(request_and_audit):
    row, _ = request_and_audit
    read(DETAILS_HOLD - timedelta(minutes=1), row, "details_read_at")
    ask_for_details(row)
    assert not is_asked_for(REQUEST, row)
    read(DETAILS_HOLD + A_SECOND, row, "details_read_at")
    ask_for_details(row)
    assert is_asked_for(REQUEST, row)


def test_what_the_platform_has_no_more_is_not_asked_for(request_and_audit):
    row, audit = request_and_audit
    read(LISTS_HOLD + A_SECOND, audit, "parts_read_at", gone_at=timezone.now())
    read(LISTS_HOLD + A_SECOND, row, "details_read_at", gone_at=timezone.now())
    ask_for_lists(audit)
    ask_for_details(row)
    assert not StaleMark.objects.due().exists()


def test_an_open_page_does_not_ask_again_each_time_that_it_polls(request_and_audit):
    row, _ = request_and_audit
    read(DETAILS_HOLD + A_SECOND, row, "details_read_at")
    ask_for_details(row)
    assert is_asked_for(REQUEST, row)
    StaleMark.objects.all().delete()
    ask_for_details(row)
    assert not is_asked_for(REQUEST, row)
