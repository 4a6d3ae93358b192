"""What do people and events wait for a token, when five calls a minute have to do for thousands of tenants?"""

import time
from collections.abc import Callable

from tests.bench.demand import Scenario
from tests.bench.disciplines import FirstCome, Ours
from tests.bench.figures import Figures, quantile
from tests.bench.simulation import simulate

HOURS = 72.0
LOADS = [(1_000, 0.4, 60), (1_000, 2.0, 60), (10_000, 0.01, 120), (10_000, 0.04, 120), (10_000, 0.4, 120)]
"""Tenants, events per tenant and hour, people an hour."""
POLICIES: dict[str, Callable[[], FirstCome | Ours]] = {
    "first come": FirstCome,
    "paced": lambda: Ours(is_payload_first=False),
    "ours": lambda: Ours(is_payload_first=True),
}
HEAD = f"{'':<15}{'stale p50 / p99':>19}{'person p50 / p99':>20}{'gate p50 / p99':>19}{'codes lost':>14}  calls/h  over"


def print_tokens() -> None:
    started = time.perf_counter()
    print(f"\nThe token endpoint, {HOURS:.0f} simulated hours without the first 12; five calls a minute for all tenants:")
    print("  first come: a live token is used again, a tenant asks once, no order      paced: the portal's rules")
    print("  ours: with them, and two events in five say enough by themselves          gate: wait before the consent screen")
    for tenants, events, people in LOADS:
        scenario = Scenario(tenants, events, people, hours=HOURS)
        figures = {name: simulate(scenario, policy()) for name, policy in POLICIES.items()}
        print(f"\n  {tenants:,} tenants, {events:g} events an hour each, {people} people an hour")
        print(HEAD)
        for name, found in figures.items():
            print(f"    {name:<11}{_row(found)}")
        print(f"    ours against first come: {_ratios(figures['first come'], figures['ours'])}")
    print(f"  ({time.perf_counter() - started:.0f} s)")


def _row(found: Figures) -> str:
    waits = f"{_pair(found.stale):>19}{_pair(found.people):>20}{_pair(found.gate):>19}"
    return f"{waits}{f'{found.lost} of {len(found.codes)}':>14}{found.calls_an_hour:>9.0f}{found.over_the_limit:>6}"


def _ratios(theirs: Figures, ours: Figures) -> str:
    ratios = {
        "stale p99": quantile(ours.stale, 0.99) / quantile(theirs.stale, 0.99),
        "person p99": quantile(ours.people, 0.99) / quantile(theirs.people, 0.99),
        "calls": ours.calls_an_hour / theirs.calls_an_hour,
    }
    return "   ".join(f"{name} x {ratio:.2g}" for name, ratio in ratios.items())


def _pair(seconds: list[float]) -> str:
    return f"{_length(quantile(seconds, 0.5))} / {_length(quantile(seconds, 0.99))}"


def _length(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"
