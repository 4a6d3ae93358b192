"""The sandbox as a process: real HTTP, deliveries by its threads, data that survives, a quick end."""

import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import requests

pytestmark = pytest.mark.processes
ROOT = Path(__file__).resolve().parents[2]


class Process:
    """One run of `python -m portal.sandbox` over a folder."""

    def __init__(self, folder: Path, *options: str, program: Sequence[str] = ("-m", "portal.sandbox")) -> None:
        command = [sys.executable, *program, "--port", "0", "--data-dir", str(folder), *options]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline() if self.process.stdout else ""
        match = re.search(r"http://\S+", line)
        assert match, line
        self.url = match[0]
        self.session = requests.Session()
        self.session.trust_env = False

    def control(self, method: str, path: str, /, **body: Any) -> Any:
        answer = self.session.request(method, f"{self.url}/_control{path}", json=body or None, timeout=10)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def token(self) -> str:
        application = next(a for a in self.control("GET", "/applications") if a["type"] == "management")
        body = {name: application[name] for name in ("client_id", "client_secret")}
        body |= {"grant_type": "client_credentials", "scope": "svc-api.all:write"}
        return str(self.session.post(f"{self.url}/oauth/token", json=body, timeout=10).json()["access_token"])

    def users(self, token: str) -> requests.Response:
        return self.session.get(f"{self.url}/v1/users", headers={"Authorization": f"Bearer {token}"}, timeout=10)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> float:
        """End the process; return how long it took."""
        started = time.monotonic()
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=10)
        assert self.process.returncode == (0 if number != signal.SIGKILL else -9), errors
        return time.monotonic() - started


DEAF = """
import signal, sys, threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
from portal.sandbox.__main__ import main
sys.exit(main())
"""
"""The sandbox on a thread that the system can give no signal to: one that is meant for the process goes to another thread."""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Process]:
    process = Process(tmp_path, "--control")
    yield process
    if process.process.poll() is None:
        process.stop()


@pytest.fixture
def receiver() -> Iterator[HTTPServer]:
    """A webhook receiver; `received` holds the hook-ids."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            received.append(self.headers["hook-id"])
            self.send_response(204)
            self.end_headers()

        def log_message(self, *arguments: Any) -> None:
            """Stay silent."""

    received: list[str] = []
    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.received = received  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_everything_survives_a_restart(tmp_path: Path, number: signal.Signals) -> None:
    first = Process(tmp_path, "--control")
    tenant = first.control("POST", "/tenants", name="Northwind", questionnaires=3, responses_per_questionnaire=2)
    questionnaires = first.control("GET", f"/objects/{tenant['tenant_id']}/questionnaires")
    token, applications = first.token(), first.control("GET", "/applications")
    first.control("POST", "/clock", advance_seconds=600)
    assert first.users(token).status_code == 200
    assert first.stop(number) < 1
    second = Process(tmp_path, "--control")
    assert second.users(token).status_code == 200
    assert second.control("GET", "/applications") == applications
    assert second.control("GET", f"/objects/{tenant['tenant_id']}/questionnaires") == questionnaires
    second.control("POST", "/clock", advance_seconds=3100)
    assert second.users(token).status_code == 401
    second.stop()


def test_events_are_delivered_by_themselves(running: Process, receiver: HTTPServer) -> None:
    tenant = running.control("POST", "/tenants", name="Northwind", access_requests=3)
    url = f"http://127.0.0.1:{receiver.server_port}/hooks/"
    running.control("POST", "/endpoints", tenant_id=tenant["tenant_id"], url=url, event_types=[])
    event = {"tenant_id": tenant["tenant_id"], "type": "v1.trust-center.access-request.denied"}
    fired = [running.control("POST", "/events", **event)["hook_id"] for _ in range(3)]
    deadline = time.monotonic() + 5
    while len(receiver.received) < 3 and time.monotonic() < deadline:  # type: ignore[attr-defined]
        time.sleep(0.02)
    assert sorted(receiver.received) == sorted(fired)  # type: ignore[attr-defined]


def test_a_silent_receiver_does_not_hold_up_the_end(running: Process) -> None:
    tenant = running.control("POST", "/tenants", name="Northwind", access_requests=3)
    silent = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)  # listens, and nobody answers
    url = f"http://127.0.0.1:{silent.server_port}/"
    running.control("POST", "/endpoints", tenant_id=tenant["tenant_id"], url=url, event_types=[])
    running.control("POST", "/events", tenant_id=tenant["tenant_id"], type="v1.questionnaire.created")
    time.sleep(0.3)
    assert running.stop() < 1
    silent.server_close()


def test_connections_are_kept_and_broken_where_a_fault_says_so(running: Process) -> None:
    running.control("POST", "/tenants", name="Northwind")
    token = running.token()
    assert running.users(token).headers["Connection"] == "keep-alive"
    for kind in ("drop_answer", "refuse_connection"):
        running.control("POST", "/faults", kind=kind, path="/users", times=1)
        with pytest.raises(requests.ConnectionError):
            running.users(token)
        assert running.users(token).status_code == 200


def test_an_upload_that_is_refused_early_gets_its_answer(running: Process) -> None:
    answer = running.session.post(
        f"{running.url}/v1/contracts", files={"file": ("a.pdf", b"%PDF-" + b"0" * 8_000_000)}, timeout=20
    )
    assert answer.status_code == 401


def test_many_threads_get_answers_and_one_budget(running: Process) -> None:
    running.control("POST", "/tenants", name="Northwind")
    token = running.token()
    statuses: list[int] = []
    headers = {"Authorization": f"Bearer {token}"}

    def ask() -> None:
        session = requests.Session()
        statuses.extend(session.get(f"{running.url}/v1/users", headers=headers, timeout=20).status_code for _ in range(10))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (statuses.count(200), statuses.count(429)) == (50, 30)


def test_strict_scopes_and_the_portal_address(tmp_path: Path) -> None:
    process = Process(tmp_path, "--control", "--strict-scopes", "--portal-url", "http://127.0.0.1:8000/")
    application = process.control("GET", "/applications")[0]
    assert application["redirect_uris"] == ["http://127.0.0.1:8000/connect/callback/"]
    process.stop()


def test_the_ticker_moves_things(tmp_path: Path) -> None:
    process = Process(tmp_path, "--control", "--tick", "0.02")
    tenant = process.control("POST", "/tenants", name="Northwind", questionnaires=5, responses_per_questionnaire=2)
    address = f"/objects/{tenant['tenant_id']}/access-requests"
    deadline = time.monotonic() + 10
    while not process.control("GET", address) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert process.control("GET", address)
    process.stop()


@pytest.mark.parametrize("name", ["a/b", "a%2Fb", "..%2f", "Ü ?#&+;=", "a//b/approve", "~x", "/a"])
def test_s5_an_id_with_any_character_is_found_over_http(running: Process, name: str) -> None:
    tenant_id = running.control("POST", "/tenants", name="Odd")["tenant_id"]
    body = {"id": name, "name": "Ours", "creationDate": "2026-01-01T00:00:00.000Z"}
    running.control("POST", f"/objects/{tenant_id}/contracts", objects=[body])
    application = running.control("POST", "/applications", type="management", tenant_id=tenant_id)
    grant = {key: application[key] for key in ("client_id", "client_secret")}
    grant |= {"grant_type": "client_credentials", "scope": "svc-api.all:write"}
    token = running.session.post(f"{running.url}/oauth/token", json=grant, timeout=10).json()["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    answer = running.session.get(f"{running.url}/v1/contracts/{quote(name, safe='')}", headers=headers, timeout=10)
    assert (answer.status_code, answer.json().get("id")) == (200, name)
    shown = f"{running.url}/console/tenants/{tenant_id}/objects/contracts/{quote(name, safe='')}/"
    assert running.session.get(shown, timeout=10).status_code == 200


def test_it_ends_whichever_of_its_threads_is_told_to(tmp_path):
    deaf = Process(tmp_path, "--control", program=("-c", DEAF))
    deaf.control("GET", "/tenants")  # by then it waits for its end
    assert deaf.stop() < 5
