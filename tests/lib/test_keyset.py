from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.lib.keyset import KeysetPage, keyset_page
from portal.tenants.models import Tenant
from portal.tenants.scope import all_tenants

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("every_tenant")]

START = datetime(2026, 11, 1, tzinfo=UTC)
ORDER = ("created_at", "name", "-id")
USELESS = ["", "x", "a:b", "eyJ", "../../etc", "\x00", "é" * 500, "W10:" + "A" * 43]


@pytest.fixture
def every_tenant() -> Iterator[None]:
    """Deleting a tenant looks at its rows, which needs a scope."""
    with all_tenants("the tests make and delete tenants"):
        yield


def make_tenants(minutes: list[int]) -> None:
    # Closed: others cannot be removed.
    rows = [Tenant(name=f"name {minute % 2}", slug=f"tenant-{n}", closed_at=START) for n, minute in enumerate(minutes)]
    for tenant, minute in zip(Tenant.objects.bulk_create(rows), minutes, strict=True):
        Tenant.objects.filter(pk=tenant.pk).update(created_at=START + timedelta(minutes=minute, microseconds=7))


def page(cursor: str | None = None, *, size: int = 2, order_by: tuple[str, ...] = ORDER) -> KeysetPage[Tenant]:
    return keyset_page(Tenant.objects.all(), order_by=order_by, cursor=cursor, size=size)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(minutes=st.lists(st.integers(0, 4), max_size=12), size=st.integers(1, 5), turned=st.booleans())
def test_pages_show_every_row_once_in_order_and_lead_back(minutes: list[int], size: int, turned: bool) -> None:
    Tenant.objects.all().delete()
    make_tenants(minutes)
    order_by = ("-created_at", "-name", "id") if turned else ORDER
    pages = [page(size=size, order_by=order_by)]
    while pages[-1].next_cursor:
        pages.append(page(pages[-1].next_cursor, size=size, order_by=order_by))
    assert [row for one in pages for row in one.rows] == list(Tenant.objects.order_by(*order_by))
    assert all(len(one.rows) == size for one in pages[:-1])
    back = pages[-1]
    for expected in reversed(pages[:-1]):
        assert back.previous_cursor
        back = page(back.previous_cursor, size=size, order_by=order_by)
        assert back.rows == expected.rows
    assert back.previous_cursor is None


@pytest.mark.parametrize("cursor", USELESS)
def test_a_useless_cursor_means_page_one(cursor: str) -> None:
    make_tenants([1, 2, 3])
    assert page(cursor).rows == page().rows


def test_a_cursor_that_was_changed_or_is_of_another_list_means_page_one() -> None:
    make_tenants([1, 2, 3, 4, 5])
    cursor = page().next_cursor
    assert cursor
    assert page(cursor).rows != page().rows
    assert page(cursor[:-1] + ("A" if cursor[-1] != "A" else "B")).rows == page().rows
    assert page(cursor, order_by=("name", "id")).rows == page(order_by=("name", "id")).rows


def test_a_row_that_appears_or_goes_while_paging_moves_no_other_row() -> None:
    make_tenants([1, 2, 3, 4])
    first = page()
    early = Tenant.objects.create(name="early", slug="early")
    Tenant.objects.filter(pk=early.pk).update(created_at=START)
    first.rows[1].delete()
    assert [row.created_at.minute for row in page(first.next_cursor).rows] == [3, 4]


def test_when_everything_behind_a_cursor_is_gone_page_one_is_shown() -> None:
    make_tenants([1, 2, 3])
    first = page()
    Tenant.objects.exclude(pk__in=[row.pk for row in first.rows]).delete()
    assert page(first.next_cursor).rows == first.rows


def test_a_page_is_one_query_and_has_no_offset() -> None:
    make_tenants([1, 2, 3, 4, 5])
    cursor = page().next_cursor
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page(cursor)
    assert len(queries) == 1
    assert "OFFSET" not in queries[0]["sql"]
