"""Medians of repeated runs."""

import statistics
import time
from collections.abc import Callable


def median_seconds(work: Callable[[], object], *, times: int = 15) -> float:
    """Run a few times to warm up, then return the median of the timed runs."""
    for _ in range(3):
        work()
    runs = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        runs.append(time.perf_counter() - started)
    return statistics.median(runs)


def per_second(work: Callable[[], object], *, count: int) -> float:
    """Return how often a second something can be done, one after the other."""
    started = time.perf_counter()
    for _ in range(count):
        work()
    return count / (time.perf_counter() - started)
