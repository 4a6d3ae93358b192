"""Guarantee S8: a file has exactly the rows of its list, each once, whatever happens while it is sent."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from portal.contracts.models import Contract
from portal.tenants.scope import scope, tenant_scope
from portal.ui import list_export
from portal.ui.list_export import list_lines

ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def keys(acme, monkeypatch):
    monkeypatch.setattr(list_export, "PAGE_SIZE", 2)
    with tenant_scope(acme.pk):
        Contract.objects.bulk_create([Contract(platform_id=f"c{number}", created_at=ANY_DAY) for number in range(5)])
        return list(Contract.objects.order_by("pk").values_list("pk", flat=True))


def walk(acme, lines=lambda page: [(row.pk,) for row in page], **how):
    return list_lines(("Key",), Contract.objects.all, lines, tenant_id=acme.pk, order_by=("id",), **how)


def test_s8_every_row_stands_in_the_file_once_and_each_page_is_read_in_the_tenant_s_scope(acme, keys):
    found = []
    for line in walk(acme):
        assert scope() is None, "whoever sends the file does other things meanwhile"
        found.append(line)
    assert found == [("Key",), *((key,) for key in keys)]


def test_s8_what_goes_while_the_file_is_sent_does_not_make_it_begin_again(acme, keys):
    lines = walk(acme)
    found = [next(lines) for _ in range(3)]
    with tenant_scope(acme.pk):
        Contract.objects.filter(pk__in=keys[2:]).delete()
    assert [*found, *lines] == [("Key",), (keys[0],), (keys[1],)]


def test_times_are_written_in_the_zone_of_whoever_asked(acme, keys):
    lines = walk(acme, lambda page: [(timezone.get_current_timezone_name(),) for _ in page], zone="Asia/Tokyo")
    assert {*lines} == {("Key",), ("Asia/Tokyo",)}
    assert timezone.get_current_timezone_name() != "Asia/Tokyo"
