import os
import subprocess
import sys
from pathlib import Path

from tests.mutations.audit_calls import ROOT, audit_calls
from tests.mutations.plugin import ROOM, looks_at_rows

TESTS = {
    "calendars": ["calendars", "questionnaires/test_calendar_feed.py"],
    "platform_writes": ["questionnaires/test_bulk.py"],
}
"""Where the tests of a room stand, if not in the folder of its name alone."""
SLOW = "browser or processes or faults or counted"
USAGE = "usage: python -m tests.mutations audit [--all] [room ...]"


def main(kind: str, rooms: list[str], *, is_all: bool) -> int:
    if kind != "audit":
        raise SystemExit(USAGE)
    calls, _ = audit_calls()
    return max(run(room, is_all=is_all) for room in rooms or sorted({call.room for call in calls}))


def run(room: str, *, is_all: bool) -> int:
    """Leave out the rows of one room, one at a time; 0 when its tests miss each of them.

    Only the files that look at rows are run, unless all are asked for: a row that is missed nowhere else is missed by accident.
    """
    print(f"== {room}", flush=True)
    paths = [path for name in TESTS.get(room, [room]) for path in files(ROOT / "tests" / name) if is_all or looks_at_rows(path)]
    arguments = ["-p", "tests.mutations.plugin", "-n", "0", "-q", "-s", "--no-header", "--tb=no", "-m", f"not ({SLOW})"]
    command = [sys.executable, "-m", "pytest", *arguments, *map(str, paths)]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, ROOM: room}, check=False).returncode


def files(place: Path) -> list[Path]:
    return sorted(place.glob("test_*.py")) if place.is_dir() else [place]


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--all"]
    sys.exit(main(words[0] if words else "", words[1:], is_all="--all" in sys.argv))
