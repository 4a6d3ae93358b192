"""`make demo` as a person meets it: it starts, stops at once, leaves nothing behind and keeps its data."""

import socket
import sys
import time

import pytest
import requests

from tests.flows.conftest import processes_of
from tests.support.demo import Demo

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("demo-lifecycle")]
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@on_linux
@pytest.mark.once
@pytest.mark.faults
def test_it_stops_within_five_seconds_leaves_no_process_and_keeps_its_data(tmp_path):
    demo = Demo(tmp_path / "data").start()
    password = demo.password
    first = {tenant["name"] for tenant in demo.control("GET", "/tenants")}
    assert demo.stop() < 5
    assert demo.process.returncode == 0
    assert processes_of(demo.folder) == []

    again = Demo(demo.folder, port=demo.port, sandbox_port=demo.sandbox_port).start()
    try:
        assert again.password == password
        assert {tenant["name"] for tenant in again.control("GET", "/tenants")} == first
        assert requests.get(f"{again.url}/readyz", timeout=10).status_code == 200
    finally:
        again.stop()


@on_linux
@pytest.mark.once
@pytest.mark.faults
def test_nothing_survives_a_supervisor_that_is_killed(tmp_path):
    demo = Demo(tmp_path / "data").start()
    demo.process.kill()
    demo.process.wait(10)
    deadline = time.monotonic() + 20
    while processes_of(demo.folder) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert processes_of(demo.folder) == []


def test_a_port_in_use_is_said_in_words(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(AssertionError, match=f"Port {port} is in use"):
            Demo(tmp_path / "data", port=port).start()
