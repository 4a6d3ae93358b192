"""The tests' own ground: what belongs together runs in one worker, what shares a world in a row, and what is long first."""

import os
import re
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from tests.run import ON_BOTH, is_in, repeated
from tests.support.kept import in_order, steps_of, touches_database

pytestmark = pytest.mark.once


@pytest.mark.xdist_group("kept-together")
def test_the_scheduler_is_told_which_tests_belong_to_a_group(request):
    # It reads the group off the end of the name. A pytest that hides it runs fault tests beside each other, and says nothing.
    assert request.node.nodeid.endswith("@kept-together") == ("PYTEST_XDIST_WORKER" in os.environ)


@dataclass(frozen=True)
class Case:
    """What is ordered of a case."""

    path: Path
    steps: tuple[str, ...] | None


def test_what_shares_a_world_follows_each_other_in_its_room(monkeypatch):
    monkeypatch.setattr("tests.support.kept.steps_of", lambda case: case.steps)
    first, second, third = Path("desk/test_first.py"), Path("desk/test_second.py"), Path("other/test_third.py")
    found = [(first, ()), (first, None), (first, ("copied",)), (second, ()), (second, None), (third, None), (third, ())]
    assert [(case.path, case.steps) for case in in_order(Case(*each) for each in found)] == [
        *((first, ()), (second, ()), (first, ("copied",)), (first, None), (second, None)),
        *((third, ()), (third, None)),
    ]


def test_no_room_of_this_run_makes_the_same_world_twice(request):
    cases = [(item.path.parent, steps_of(item)) for item in request.session.items if touches_database(item)]
    made = [case for case, _ in groupby(cases) if case[1] is not None]
    assert len(made) == len({*made})


@pytest.mark.long
def test_what_is_long_begins_first(request):
    # As this one does, which is the last of its file.
    is_long = [item.get_closest_marker("long") is not None for item in request.session.items]
    assert is_long[0]
    assert not any(later > sooner for sooner, later in pairwise(is_long))


def test_what_is_left_out_on_postgresql_is_repeated_on_sqlite():
    places = repeated("suite")
    for path in sorted(Path("tests").rglob("test_*.py")):
        text = path.read_text()
        is_marked, is_of_sqlite = "pytest.mark.both" in text, re.search(r"vendor != [\"']sqlite[\"']", text)
        assert is_in(path, places) or not (is_marked or is_of_sqlite), f"{path} is never run on SQLite"
        # Beside the rooms that are repeated whole, a case is repeated for its mark alone.
        if is_of_sqlite and not is_in(path, ON_BOTH["suite"]):
            assert is_marked, f"{path} has no case that is marked `both`"
