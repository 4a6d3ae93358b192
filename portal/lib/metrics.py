"""What operators watch: counters of every process of this machine, and readings of the database at the moment of asking.

The counters are prometheus_client's; its files in DATA_DIR add up what the processes count. Readings are registered by the
rooms from `AppConfig.ready`, so that the page needs to know none of them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from portal.lib.ended_processes import figures_kept_still


@dataclass(frozen=True)
class Reading:
    """One number as it is now. Readings of one name differ in their labels."""

    name: str
    help: str
    value: float
    labels: dict[str, str] = field(default_factory=dict)


_readers: list[Callable[[], Iterable[Reading]]] = []


def register_readings(read: Callable[[], Iterable[Reading]]) -> None:
    """Have numbers read at every scrape; they have to be cheap, however many rows there are."""
    _readers.append(read)


def worst() -> dict[str, float]:
    """Return the largest of the readings of each name."""
    found: dict[str, float] = {}
    for reading in (reading for read in _readers for reading in read()):
        found[reading.name] = max(reading.value, found.get(reading.name, reading.value))
    return found


class _Readings(Collector):
    def collect(self) -> Iterator[GaugeMetricFamily]:
        families: dict[str, GaugeMetricFamily] = {}
        for reading in (reading for read in _readers for reading in read()):
            if reading.name not in families:
                families[reading.name] = GaugeMetricFamily(reading.name, reading.help, labels=[*reading.labels])
            families[reading.name].add_metric([*reading.labels.values()], reading.value)
        yield from families.values()


def render() -> bytes:
    """Return all of it in the text format that Prometheus reads."""
    counted, read = CollectorRegistry(), CollectorRegistry()
    MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
    read.register(_Readings())
    with figures_kept_still():
        figures = generate_latest(counted)
    return figures + generate_latest(read)
