"""None of the tenants that a sweep serves keeps the others waiting."""

import logging
from itertools import count
from types import SimpleNamespace

import pytest
from django.db import OperationalError

from portal.tenants import turns
from portal.tenants.scope import current_tenant_id, scope
from portal.tenants.turns import serve_in_turn


def test_each_turn_is_served_in_the_scope_of_its_tenant_with_what_was_given():
    served = []
    number = serve_in_turn([(1, "a"), (2, "b")], lambda given: served.append((current_tenant_id(), given)), what="a test")
    assert served == [(1, "a"), (2, "b")]
    assert number == 0, "nothing was said to be done"
    assert scope() is None


def test_it_counts_the_turns_in_which_something_was_done():
    assert serve_in_turn([(1,), (2,), (3,)], lambda: current_tenant_id() != 2, what="a test") == 2


def test_a_turn_that_fails_keeps_no_other_waiting_and_is_logged(caplog):
    served = []

    def serve() -> None:
        if current_tenant_id() == 1:
            raise ZeroDivisionError
        served.append(current_tenant_id())

    with caplog.at_level(logging.ERROR):
        serve_in_turn([(1,), (2,)], serve, what="the test of turns")
    assert served == [2]
    [line] = caplog.records
    assert line.getMessage() == "the test of turns failed in tenant 1"
    assert line.exc_info[0] is ZeroDivisionError


def test_without_a_database_it_ends_with_the_first(caplog):
    served = []

    def serve() -> None:
        served.append(current_tenant_id())
        raise OperationalError("the connection is lost")

    with pytest.raises(OperationalError):
        serve_in_turn([(1,), (2,)], serve, what="a test")
    assert served == [1]
    assert caplog.records == []


@pytest.mark.parametrize(("seconds", "served"), [(0.5, 0), (2.5, 2), (60, 5)])
def test_it_ends_with_its_time(monkeypatch, seconds, served):
    ticks = count()
    monkeypatch.setattr(turns, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    assert serve_in_turn([(each,) for each in range(1, 6)], lambda: True, what="a test", seconds=seconds) == served
