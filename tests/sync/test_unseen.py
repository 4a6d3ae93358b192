"""Each row that no page of a comparison names is looked at, whatever comes between, and no page writes down all of them."""

import random
from collections.abc import Callable
from contextlib import suppress
from itertools import groupby

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.platform_api import Page
from portal.platform_api.errors import RateLimited, ValidationFailed
from portal.sync.models import Run, RunState, UnseenRow
from portal.sync.services import reconcile, start_reconcile
from portal.tenants.scope import tenant_scope
from tests.sync.desk import PAGE_SIZE, FakeDesk

CLIENT = object()
FIVE = {name: f"{name}1" for name in "abcde"}


class Killed(BaseException):
    """Like a worker that is killed: what it has not committed never was."""


def compare(desk: FakeDesk, **options) -> bool:
    return reconcile([desk.mirror], CLIENT, **options)


def unseen() -> list[str]:
    return list(UnseenRow.objects.order_by("object_id").values_list("object_id", flat=True))


@pytest.mark.parametrize("seed", range(20))
def test_q15_every_row_that_no_page_named_is_looked_at_whatever_comes_between(desk, seed):
    """Pages come in any order, cursors are refused in their middle, and workers die between the steps and in them."""
    chance = random.Random(seed)
    ids = [f"t{number}" for number in range(chance.randint(1, 12))]
    unnamed = sorted(chance.sample(ids, chance.randint(0, len(ids))))
    named = [each for each in ids if each not in unnamed]
    refusals = [ValidationFailed("GET", "/things", status=400)] * chance.randint(0, 3)

    def mortal[Result](step: Callable[..., Result]) -> Callable[..., Result]:
        def taken(*given: object) -> Result:
            if chance.random() < 0.15:
                raise Killed
            return step(*given)

        return taken

    def page(client: object, cursor: str | None) -> Page:
        if cursor is None:
            chance.shuffle(named)
        elif refusals and chance.random() < 0.3:
            raise refusals.pop()
        start = int(cursor or 0)
        end = start + PAGE_SIZE
        return Page([(each, "2") for each in named[start:end]], str(end) if end < len(named) else None)

    desk.rows, desk.remote = dict.fromkeys(ids, "1"), dict.fromkeys(named, "2")
    desk.page, desk.save = mortal(page), mortal(desk.save)
    desk.fetch, desk.mark_gone = mortal(desk.fetch), mortal(desk.mark_gone)
    start_reconcile([desk.mirror])
    for _ in range(500):
        Run.objects.update(next_due_at=timezone.now(), lease_owner="", lease_until=None)
        with suppress(Killed):
            compare(desk)
        if Run.objects.get().state == RunState.DONE:
            break
    # One whose look was lost with its worker is looked at again, before the next.
    assert [each for each, _ in groupby(desk.calls)] == unnamed
    assert (desk.rows, unseen()) == (desk.remote, [])
    run = Run.objects.get()
    assert (run.state, run.gone) == (RunState.DONE, len(unnamed))


def test_a_comparison_that_begins_anew_begins_with_the_rows_of_that_moment(desk):
    desk.rows = dict.fromkeys("abc", "1")
    start_reconcile([desk.mirror])
    compare(desk, seconds=0)
    assert unseen() == ["a", "b", "c"]
    del desk.rows["b"]
    desk.rows["d"] = "1"
    start_reconcile([desk.mirror])
    assert unseen() == []
    compare(desk, seconds=0)
    assert unseen() == ["a", "c", "d"]


def test_s1_what_another_tenants_comparison_has_not_seen_stays(desk, globex):
    with tenant_scope(globex.pk):
        UnseenRow.objects.create(kind="thing", object_id="a")
    desk.rows, desk.remote = {"a": "1", "b": "1"}, {"a": "1"}
    start_reconcile([desk.mirror])
    assert compare(desk)
    assert (desk.rows, unseen()) == (desk.remote, [])
    with tenant_scope(globex.pk):
        assert unseen() == ["a"]


def test_a_comparison_that_the_last_release_has_begun_goes_on(desk):
    """It keeps the ids in the run. Rows from before are of an older comparison."""
    desk.rows, desk.remote = dict(FIVE), {name: FIVE[name] for name in "abcd"}
    start_reconcile([desk.mirror])
    UnseenRow.objects.create(kind="thing", object_id="a")
    Run.objects.update(state=RunState.RUNNING, started_at=timezone.now(), cursor="2", unseen=["c", "d", "e"])
    assert compare(desk)
    assert desk.calls == ["page 2", "e"]
    assert desk.rows == desk.remote
    run = Run.objects.get()
    assert (run.state, run.gone, run.unseen, unseen()) == (RunState.DONE, 1, [], [])


def statements_of_a_page(desk: FakeDesk, rows: int) -> list[str]:
    """Compare where so many rows are named by no page; return what the second page asks of the database."""
    asked_at: list[int] = []

    def page(client: object, cursor: str | None) -> Page:
        asked_at.append(len(captured))
        if cursor == "4":
            raise RateLimited("GET", "/things", retry_after=30.0)
        return FakeDesk.page(desk, client, cursor)

    desk.rows = FIVE | {f"row{number}": "1" for number in range(rows)}
    desk.page = page
    start_reconcile([desk.mirror])
    with CaptureQueriesContext(connection) as captured:
        compare(desk)
    _, second, third = asked_at
    assert UnseenRow.objects.count() == rows + 1
    return [query["sql"] for query in captured.captured_queries[second:third]]


def test_what_a_page_writes_does_not_grow_with_the_rows_that_are_not_named_yet(desk):
    desk.remote = dict(FIVE)
    # Once, so that what is made only once is there.
    statements_of_a_page(desk, 1)
    few, many = statements_of_a_page(desk, 10), statements_of_a_page(desk, 1000)
    assert len(few) == len(many)
    assert abs(sum(map(len, many)) - sum(map(len, few))) < 100
