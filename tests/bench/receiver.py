"""What does a kept delivery cost, against the database's own commit of one row? Through a real web process."""

import base64
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import requests
from django.db import connection

from portal.inbox.models import Delivery, Endpoint
from portal.inbox.services import ensure_endpoints, enter_secret
from portal.tenants.scope import tenant_scope
from tests.bench import commits
from tests.bench.load import Measured, Plan, deliver
from tests.bench.world import database_url, make_tenant
from tests.faults.house import House

SECRET = "whsec_" + base64.b64encode(b"a-signing-key-for-the-bench-only").decode()
CLIENTS, ROUNDS, SECONDS = (1, 8, 32), 3, 2
RATES = (50, 200, 800)
ADDRESSES = 20_000
BURST, BURST_CONNECTIONS, PLATFORM_WAITS = 10_000, 200, 15
LEAST_RATIO, LEAST_GAIN, MAX_P99 = 0.15, 5, 20
_names = count()


def print_receiver() -> None:
    tenant, user = make_tenant("Receiver")
    with tenant_scope(tenant.pk):
        endpoint = enter_secret(ensure_endpoints()[0], SECRET, actor=user)
    commits.prepare()
    print(f"\nDurable answers through granian (WSGI, all middleware), against single-row commits ({commits.tool()}):")
    with served("portal.wsgi") as ours, served("tests.bench.in_request") as theirs:
        for clients in CLIENTS:
            _print_ratio(ours, theirs, endpoint, clients)
        _make_addresses(endpoint)
        print(f"  The same among {ADDRESSES:,} addresses of other tenants:")
        _print_ratio(ours, theirs, endpoint, 8)
        _print_offered(ours, endpoint)
        _print_burst(ours, endpoint)
    with served("portal.wsgi") as ours, served("tests.bench.not_kept") as checked, served("tests.bench.no_work") as read:
        _print_parts({"the server and the loader": read, "to check and to answer": checked, "to keep": ours}, endpoint)


@contextmanager
def served(module: str) -> Iterator[int]:
    """Serve a WSGI application over the bench's database as the documentation says; yields its port."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder))
        house.environment["DATABASE_URL"] = database_url()
        # One process for SQLite: the lock that several of them wait for knows no queue.
        workers, threads = ("2", "8") if connection.vendor == "postgresql" else ("1", "8")
        command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(house.port)]
        command += ["--workers", workers, "--blocking-threads", threads, "--no-ws", "--log-level", "error"]
        (house.folder / "static").mkdir()
        house.start([*command, f"{module}:application"])
        try:
            _wait_for(house.url)
            yield house.port
        finally:
            house.kill_all()


def _wait_for(url: str) -> None:
    for _ in range(300):
        try:
            if requests.get(f"{url}/healthz", timeout=2).ok:
                return
        except requests.RequestException:
            pass
        time.sleep(0.1)
    raise TimeoutError(url)


def _print_parts(ports: dict[str, int], endpoint: Endpoint) -> None:
    """Print what each part of a kept delivery adds, in time of all processors: they are busy all the while."""
    rates: dict[str, list[float]] = {name: [] for name in ports}
    for _ in range(ROUNDS):
        for name, port in ports.items():
            plan = _plan(port, endpoint, count=40_000, clients=8, seconds=SECONDS)
            rates[name].append(_all_kept(deliver(plan)).a_second)
        _forget(endpoint)
    before = 0.0
    processors = os.cpu_count() or 1
    print(f"  What one delivery takes of {processors} processors at 8 clients:")
    for name, found in rates.items():
        spent = processors * 1_000_000 / statistics.median(found)
        print(f"    {spent - before:>4.0f} µs {name}")
        before = spent


def _make_addresses(endpoint: Endpoint) -> None:
    """Make as many addresses as a thousand tenants have; for the database it is all the same whose they are."""
    with tenant_scope(endpoint.tenant_id):
        made = [Endpoint(tenant_id=endpoint.tenant_id, event_type=f"type.{number}") for number in range(ADDRESSES)]
        Endpoint.objects.bulk_create(made, batch_size=1000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE inbox_endpoint")


def _plan(port: int, endpoint: Endpoint, **options: float) -> Plan:
    path = f"/hooks/{endpoint.public_id}/"
    return Plan(port=port, path=path, secret=SECRET, name=f"run{next(_names)}", **options)  # type: ignore[arg-type]


def _print_ratio(ours: int, theirs: int, endpoint: Endpoint, clients: int) -> None:
    """Measure in turns, so that what else the machine does falls on all three alike."""
    bound, ack, processed = [], [], []
    for _ in range(ROUNDS):
        bound.append(commits.commits_a_second(clients, seconds=SECONDS))
        ack.append(_all_kept(deliver(_plan(ours, endpoint, count=8000, clients=clients, seconds=SECONDS))).a_second)
        processed.append(_all_kept(deliver(_plan(theirs, endpoint, count=8000, clients=clients, seconds=SECONDS))).a_second)
        _forget(endpoint)
    ratio = statistics.median(mine / limit for mine, limit in zip(ack, bound, strict=True))
    gain = statistics.median(mine / other for mine, other in zip(ack, processed, strict=True))
    wanted = f"   (wanted: {LEAST_RATIO} and {LEAST_GAIN})" if clients == 8 else ""
    rates = f"{statistics.median(ack):>6,.0f} / {statistics.median(bound):>6,.0f} a second"
    print(f"  {clients:>2} clients  {rates} = {ratio:.3f}   x {gain:.1f} of processing in the request{wanted}")


def _all_kept(measured: Measured) -> Measured:
    assert set(measured.answered) == {"204"}, measured.answered
    return measured


def _print_offered(port: int, endpoint: Endpoint) -> None:
    print(f"  Offered at a fixed rate, the loader on the same processors (wanted: p99 below {MAX_P99} ms at {RATES[-1]}):")
    for rate in RATES:
        found = _all_kept(deliver(_plan(port, endpoint, count=rate * 5, clients=32, rate=rate)))
        print(f"    {rate:>4} a second   p50 {found.p50:.1f} ms   p99 {found.p99:.1f} ms   slowest {found.slowest:.0f} ms")


def _print_burst(port: int, endpoint: Endpoint) -> None:
    _forget(endpoint)
    found = deliver(_plan(port, endpoint, count=BURST, clients=BURST_CONNECTIONS, seconds=120))
    with tenant_scope(endpoint.tenant_id):
        rows, ids = Delivery.objects.count(), Delivery.objects.values("hook_id").distinct().count()
    print(
        f"  A burst of {BURST:,} over {BURST_CONNECTIONS} connections: {found.count(204):,} answered with 204, {rows:,} rows, "
        f"{ids:,} ids; slowest answer {found.slowest / 1000:.1f} s of {PLATFORM_WAITS} s"
    )


def _forget(endpoint: Endpoint) -> None:
    with tenant_scope(endpoint.tenant_id), connection.cursor() as cursor:
        cursor.execute("DELETE FROM inbox_delivery WHERE endpoint_id = %s", [endpoint.pk])
