"""The running whole. Its tests are one group: three portals at once, with all their processes, leave none enough to work.

On the embedded default they are two: each demo has a broker of its own there, and what is repeated there waited for them alone.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.demo import Demo, services


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    """A running demo."""
    with services("portal_walk") as given:
        running = Demo(tmp_path / "demo", services=given).start()
        yield running
        running.stop()
        assert running.complaints() == []


def processes_of(folder: Path) -> list[str]:
    """Return the commands of the processes that work on a data folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"DATA_DIR={folder}".encode() in (entry / "environ").read_bytes():
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found
