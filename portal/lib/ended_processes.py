"""The files in which processes count outlive them. What those of ended ones hold is added up in one file of each kind.

Removed as they are, they would make every counter fall, which Prometheus takes for a new beginning of all of them.
"""

import fcntl
import logging
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from prometheus_client.mmap_dict import MmapedDict

logger = logging.getLogger(__name__)

NOBODY = 0
"""The process number of what was added up: no process has it."""


def fold_ended() -> None:
    """Add up what processes have counted that are there no more, and remove their files. Called at each start."""
    try:
        with _locked(fcntl.LOCK_EX | fcntl.LOCK_NB):
            for kind, files in _of_ended_processes().items():
                _fold(kind, files)
    except BlockingIOError:
        pass  # another process that starts is at it, or a scrape: the next start finds what is left
    except Exception as error:  # figures that cannot be read or written keep no process from starting
        logger.warning("the figures of ended processes stay where they are: %s", type(error).__name__)


@contextmanager
def figures_kept_still() -> Iterator[None]:
    """Have no file added to another while all of them are read: it would count twice, or not at all."""
    with _locked(fcntl.LOCK_SH):
        yield


@contextmanager
def _locked(how: int) -> Iterator[None]:
    folder = os.open(_folder(), os.O_RDONLY)
    try:
        fcntl.flock(folder, how)
        yield
    finally:
        os.close(folder)


def _folder() -> Path:
    return Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])


def _of_ended_processes() -> dict[str, list[Path]]:
    """Return the files by their kind, such as `counter`: prometheus_client names them `<kind>_<process number>.db`."""
    found: dict[str, list[Path]] = defaultdict(list)
    for file in sorted(_folder().glob("*.db")):
        kind, _, number = file.stem.rpartition("_")
        if number.isdecimal() and int(number) != NOBODY and not _lives(int(number)):
            found[kind].append(file)
    return found


def _lives(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # of another account
    return True


def _fold(kind: str, files: Sequence[Path]) -> None:
    together = _folder() / f"{kind}_{NOBODY}.db"
    values: dict[str, tuple[float, float]] = {}
    for file in (together, *files):
        with suppress(FileNotFoundError):
            for key, value, timestamp, _ in MmapedDict.read_all_values_from_file(str(file)):  # type: ignore[no-untyped-call]
                values[key] = _added(kind, values.get(key, (0.0, 0.0)), (value, timestamp))
    # Put in its place at once, and the others go right after: whoever is killed in between has counted twice, never lost.
    draft = together.with_suffix(".new")
    draft.unlink(missing_ok=True)
    written = MmapedDict(str(draft))  # type: ignore[no-untyped-call]
    for key, (value, timestamp) in values.items():
        written.write_value(key, value, timestamp)  # type: ignore[no-untyped-call]
    written.close()  # type: ignore[no-untyped-call]
    draft.replace(together)
    for file in files:
        file.unlink(missing_ok=True)


def _added(kind: str, one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """Counters and histograms add up. Of a gauge the newest value is shown, and so it is kept (`multiprocess_mode`)."""
    if kind.startswith("gauge"):
        return max(one, other, key=lambda each: each[1])
    return one[0] + other[0], 0.0
