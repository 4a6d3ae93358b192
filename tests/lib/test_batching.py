import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from portal.lib.batching import CallBatcher

pytestmark = pytest.mark.once
CALLERS = 8


class Desk:
    """Doubles numbers, and is busy with its first call until it is told to go on."""

    def __init__(self, *, failing_on: int | None = None) -> None:
        self.calls: list[list[int]] = []
        self.is_busy, self.may_go_on = threading.Event(), threading.Event()
        self._failing_on = failing_on

    def serve(self, wishes):
        self.calls.append(list(wishes))
        if len(self.calls) == 1:
            self.is_busy.set()
            assert self.may_go_on.wait(10)
        if self._failing_on in wishes:
            raise RuntimeError("the desk is closed")
        return [2 * wish for wish in wishes]


def ask_while_busy(desk, first, others):
    """Have one caller served, and the others come while that goes on; return what each of them got."""
    together = CallBatcher(desk.serve)
    with ThreadPoolExecutor(CALLERS) as pool:
        leader = pool.submit(together, first)
        assert desk.is_busy.wait(10)
        followers = [pool.submit(together, other) for other in others]
        while len(together._waiting) < len(others):
            pass
        desk.may_go_on.set()
        return leader, followers


def test_alone_a_caller_is_served_at_once():
    desk = Desk()
    desk.may_go_on.set()
    together = CallBatcher(desk.serve)
    assert [together(1), together(2)] == [2, 4]
    assert desk.calls == [[1], [2]]


def test_who_comes_during_a_call_is_served_by_the_next_one_together():
    desk = Desk()
    leader, followers = ask_while_busy(desk, 1, [2, 3, 4, 5])
    assert leader.result() == 2
    assert [each.result() for each in followers] == [4, 6, 8, 10]
    assert [sorted(call) for call in desk.calls] == [[1], [2, 3, 4, 5]]


def test_h5_a_failure_is_told_to_all_who_wait_at_once():
    desk = Desk(failing_on=1)
    leader, followers = ask_while_busy(desk, 1, [2, 3])
    for each in (leader, *followers):
        with pytest.raises(RuntimeError, match="closed"):
            each.result()
    assert desk.calls == [[1]]


def test_after_a_failure_the_next_caller_is_served():
    desk = Desk(failing_on=1)
    desk.may_go_on.set()
    together = CallBatcher(desk.serve)
    with pytest.raises(RuntimeError):
        together(1)
    assert together(2) == 4


def test_a_result_for_each_or_for_none():
    together = CallBatcher(lambda wishes: [])
    with pytest.raises(ValueError, match="zip"):
        together(1)


def test_under_load_everybody_gets_their_own_result():
    together = CallBatcher(lambda wishes: [2 * wish for wish in wishes])
    with ThreadPoolExecutor(CALLERS) as pool:
        assert list(pool.map(together, range(5_000))) == [2 * wish for wish in range(5_000)]
