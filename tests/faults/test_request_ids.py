"""One id through real processes: a delivery, the task that it sets off, and the call to the platform that this makes."""

import json
import shlex
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.faults.grants import Grant
from tests.support.polls import until

pytestmark = [pytest.mark.faults]
GIVEN = "trace-0123456789"


@contextmanager
def recorder() -> Iterator[tuple[str, list[str]]]:
    """Stand where the platform should be, answer nothing but 503, and keep the ids of the calls; yields address and ids."""
    ids: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            ids.append(self.headers.get("X-Request-ID", ""))
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self.send_error(503)

        do_GET = do_POST  # noqa: N815 - the library chose the name

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", ids
    server.shutdown()
    server.server_close()


def test_a_delivery_its_task_and_its_call_have_one_id_and_lines_of_json(grant: Grant, tmp_path: Path):
    house, log = grant.house, tmp_path / "worker.log"
    as_json = {"LOG_FORMAT": "json", "LOG_LEVEL": "INFO"}
    with recorder() as (platform, ids):
        # Connecting has rung for a comparison, whose call would come first.
        house.wipe_broker()
        house.web(TRUSTED_PROXIES="1", **as_json)
        command = house._worker_command("--log-level", "INFO", clock=False)
        house.start(["sh", "-c", f"exec {shlex.join(command)} 2>{log}"], PLATFORM_API_URL=platform, **as_json)
        # A message that waits for longer than a quarter of a minute is left to the clock, which knows no request.
        until(lambda: log.exists() and " ready." in log.read_text(), seconds=60, what="the worker")
        session = requests.Session()
        session.headers.update({"X-Forwarded-For": "192.0.2.1", "X-Request-ID": GIVEN})
        body = json.dumps({"questionnaire": {"id": "q1"}})
        assert house.deliver(grant.path, "msg_traced", body, session=session) == 204
        until(lambda: GIVEN in ids, seconds=60, what="the call")
        until(lambda: '"request_id": "' + GIVEN in log.read_text(), what="a line about it")
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    of_it = [line for line in lines if line.get("request_id") == GIVEN]
    assert {line["task"].rpartition(".")[0] for line in of_it if "task" in line} == {"portal.inbox.tasks"}
    assert all(line["task_id"] for line in of_it if "task" in line)
