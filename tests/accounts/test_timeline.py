"""A timeline out of what several desks tell: in order, page by page, without a gap and nothing twice."""

from datetime import UTC, datetime, timedelta

import pytest

from portal.accounts import timeline
from portal.accounts.links import Link
from portal.accounts.timeline import Customer, TimelineEntry, register_timeline, timeline_page

DAY = datetime(2026, 5, 4, tzinfo=UTC)
NORTHWIND = Customer("a1", "northwind.example")


@pytest.fixture
def desks(monkeypatch):
    """Two desks that know nobody but each other's past."""
    monkeypatch.setattr(timeline, "_sources", {})

    def add(kind: str, *hours: int) -> None:
        def tell(customer, until, number):
            told = [TimelineEntry(at=DAY + timedelta(hours=hour), title=f"{kind} {n}") for n, hour in enumerate(hours)]
            return [each for each in sorted(told, key=lambda each: each.at, reverse=True) if each.at <= until][:number]

        register_timeline(kind, tell, title=kind.title(), area=kind)

    return add


def walk(size: int, kind: str = "") -> list[str]:
    seen, since = [], None
    while True:
        page = timeline_page(NORTHWIND, kind=kind, since=since, size=size)
        seen += [each.title for each in page.moments]
        if page.older is None:
            return seen
        since = page.older


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_pages_follow_each_other_without_a_gap(desks, size):
    desks("letters", 1, 5, 5, 5, 9)
    desks("calls", 2, 5, 5, 9, 9)
    everything = walk(100)
    assert everything[:3] == ["letters 4", "calls 3", "calls 4"]
    assert sorted(everything) == sorted([f"letters {n}" for n in range(5)] + [f"calls {n}" for n in range(5)])
    assert walk(size) == everything


def test_one_kind_is_told_alone(desks):
    desks("letters", 1, 2)
    desks("calls", 3)
    assert walk(10, "letters") == ["letters 1", "letters 0"]
    [moment] = timeline_page(NORTHWIND, kind="calls").moments
    assert moment.kind == "calls"
    assert timeline.kinds() == {"letters": "Letters", "calls": "Calls"}
    assert timeline.areas() == {"letters", "calls"}


def test_nothing_happened(desks):
    desks("letters")
    assert timeline_page(NORTHWIND).moments == []


def test_a_link_leads_to_a_page_or_nowhere():
    assert Link("contracts:list", query={"account": "a b"}).url("acme") == "/t/acme/contracts/?account=a+b"
    assert Link("contracts:detail", ("c/1",)).url("acme") == "/t/acme/contracts/c~2f1/"
    assert Link("contracts:nowhere", ("c1",)).url("acme") == ""
