"""Medians of repeated runs."""

import statistics
import time
from collections.abc import Callable, Sequence


def median_seconds(work: Callable[[], object], *, times: int = 15) -> float:
    """Run a few times to warm up, then return the median of the timed runs."""
    (median,) = medians_in_turns([work], times=times)
    return median


def medians_in_turns(works: Sequence[Callable[[], object]], *, times: int = 15) -> list[float]:
    """Do the same for several, one after the other in every round: what else the machine does then falls on all alike."""
    for _ in range(3):
        for work in works:
            work()
    runs = [[_seconds(work) for work in works] for _ in range(times)]
    return [statistics.median(each) for each in zip(*runs, strict=True)]


def processor_seconds(work: Callable[[], object], *, times: int = 15) -> float:
    """Return the median of the time that this process has worked for it: what else the machine does does not count."""
    runs = []
    for _ in range(times):
        started = time.process_time()
        work()
        runs.append(time.process_time() - started)
    return statistics.median(runs)


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def per_second(work: Callable[[], object], *, count: int) -> float:
    """Return how often a second something can be done, one after the other."""
    started = time.perf_counter()
    for _ in range(count):
        work()
    return count / (time.perf_counter() - started)
