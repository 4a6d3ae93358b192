"""Files of figures do not pile up: what ended processes have counted is kept in one file of each kind, and none is lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

from portal.lib.ended_processes import fold_ended

pytestmark = pytest.mark.once
ROOT = Path(__file__).parents[2]
COUNT = """
import sys
from prometheus_client import Counter, Gauge, Histogram
number = int(sys.argv[1])
Counter("things", "Things.").inc(number)
Histogram("seconds", "Seconds.", buckets=(1, 5)).observe(number)
Gauge("off", "Off.", multiprocess_mode="mostrecent").set(number)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where this process and those that it starts look for figures."""
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    return tmp_path


def count(number: int) -> None:
    """Have a process count that ends."""
    subprocess.run([sys.executable, "-c", COUNT, str(number)], check=True)


def shown(folder: Path) -> dict[str, float]:
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(folder))
    samples = [sample for metric in registry.collect() for sample in metric.samples]
    return {f"{sample.name} {sample.labels.get('le', '')}".strip(): sample.value for sample in samples}


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_what_ended_processes_have_counted_is_added_up_and_their_files_go(folder):
    for number in (3, 4):
        count(number)
    before = shown(folder)
    assert (before["things_total"], before["seconds_bucket 5.0"], before["off"]) == (7, 2, 4)
    assert len(names(folder)) == 6
    fold_ended()
    assert names(folder) == {"counter_0.db", "gauge_mostrecent_0.db", "histogram_0.db"}
    assert shown(folder) == before
    count(2)
    fold_ended()
    after = shown(folder)
    assert (after["things_total"], after["seconds_bucket 5.0"], after["off"]) == (9, 3, 2)
    assert len(names(folder)) == 3


def test_the_files_of_a_process_that_lives_stay(folder):
    own = f"counter_{os.getpid()}.db"
    MmapedDict(str(folder / own)).close()
    fold_ended()
    assert names(folder) == {own}


def test_a_file_that_cannot_be_read_keeps_nobody_from_starting(folder):
    count(3)
    broken = next(folder.glob("counter_*.db"))
    broken.write_bytes(b"?")
    fold_ended()
    assert broken.exists()


def test_a_start_takes_up_what_the_one_before_has_left(folder):
    found = []
    for _ in range(2):
        subprocess.run([sys.executable, "manage.py", "check"], cwd=ROOT, check=True, capture_output=True)
        found.append(names(folder))
    first, second = found
    assert first
    assert first & second == set()
    assert any(name.endswith("_0.db") for name in second)
