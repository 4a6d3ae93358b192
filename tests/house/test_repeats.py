"""What runs a second time, on the other database: only what meets one, and there in a way of its own."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import is_repeated, meets_database
from tests.run import is_in

ROOT = Path(__file__).parents[2]


def test_what_uses_a_database_is_repeated(request, db):
    assert meets_database(request.node)


@pytest.mark.processes
def test_what_starts_processes_is_repeated(request):
    assert meets_database(request.node)


def test_what_uses_none_is_not_repeated(request):
    assert not meets_database(request.node)


@pytest.mark.parametrize(
    ("place", "mark", "expected"),
    [
        ("tests/sync/test_drain.py", None, True),
        ("tests/vendors/test_writes.py", "both", True),
        ("tests/vendors/test_writes.py", None, False),
        # Its name begins like that of a room.
        ("tests/library/test_list.py", None, False),
    ],
)
def test_cases_of_some_rooms_are_repeated_and_those_that_are_marked(place, mark, expected):
    case = SimpleNamespace(
        path=ROOT / place, config=SimpleNamespace(rootpath=ROOT), get_closest_marker=lambda name: name == mark or None
    )
    assert is_repeated(case) is expected


def test_a_place_is_a_file_or_a_folder():
    places = ["tests/lib", "tests/deletion_requests/test_traces.py"]
    found = [is_in(Path(each), places) for each in ("tests/lib/test_a.py", "tests/library/test_a.py", places[1])]
    assert found == [True, False, True]
