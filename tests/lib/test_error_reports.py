"""S6, S15: errors arrive at a Sentry-compatible server where one is named, and nothing secret with them."""

import gzip
import json
import os
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import brotli
import pytest

import portal
from portal.lib.error_reports import _scrub
from tests.house.test_log_lines import CANARY, ROOT
from tests.platform_api.peers import Peer, answer, peer

pytestmark = pytest.mark.once

SITE = """
import logging, os, django
CANARY = os.environ["CANARY"]
django.setup()
from celery import signals
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import path
from portal import urls
from portal.celery import app
from portal.tenants.scope import tenant_scope

@login_not_required
def fails(request):
    in_hand = CANARY
    with tenant_scope(7):
        address = f"https://files.example/{CANARY}?key={CANARY}"
        logging.getLogger("portal.page").error("the page fails at %s", address, extra={"x": in_hand})
    raise ValueError(f"no luck with /hooks/{CANARY}/ and postgres://portal:{CANARY}@db.example/portal, with url: /{CANARY}")

@login_not_required
def refuses(request):
    raise PermissionDenied("expected")

@login_not_required
def is_not_ready(request):
    return HttpResponse(status=503)

@app.task
def task_fails():
    raise LookupError("a task without luck")

urlpatterns = [path("fails/", fails), path("refuses/", refuses), path("not-ready/", is_not_ready), *urls.urlpatterns]
client = Client(raise_request_exception=False)
def get(address, host='127.0.0.1'):
    with override_settings(ROOT_URLCONF=__name__):
        return client.get(address, headers={"authorization": f"Bearer {CANARY}", "host": host, "cookie": f"session={CANARY}"})
"""
"""A page that fails with a secret in its message, its variables, its headers and its query, one that refuses, and a task."""


def run(script: str, dsn: str) -> subprocess.CompletedProcess:
    """Run a script in a process of its own, which ends as any process of the portal does."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "portal.settings", "SENTRY_DSN": dsn, "CANARY": CANARY}
    command = [sys.executable, "-c", SITE + script]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)


def dsn_of(server: Peer) -> str:
    return server.url.replace("://", "://key@") + "/7"


def events(server: Peer) -> list[dict]:
    """Return what was sent to the server; checks that no secret is in any byte of it."""
    found = []
    for request in server.received:
        head, _, body = request.partition(b"\r\n\r\n")
        body = brotli.decompress(body) if b"content-encoding: br" in head.lower() else gzip.decompress(body)
        assert CANARY.encode() not in head + body
        found.append(json.loads(body.splitlines()[2]))
    return found


def texts(event: dict) -> list[str]:
    return [error["value"] for error in event.get("exception", {}).get("values", ())] or [event["logentry"]["formatted"]]


def test_s6_s15_errors_arrive_once_and_no_secret_with_them():
    script = """
failed = get(f"/fails/?key={CANARY}")
assert failed.status_code == 500
print(failed.headers["X-Request-ID"])
assert get("/refuses/").status_code == 403
assert get("/refuses/", host="evil.example").status_code == 400
assert get("/not-ready/").status_code == 503
task_fails.apply()
logging.getLogger("portal.task").warning("no error")
"""
    with peer(answer(b"{}")) as server:
        done = run(script, dsn_of(server))
        assert done.returncode == 0, done.stderr
        line, page, task = events(server)
    assert texts(line) == ["the page fails at https://files.example/…"]
    assert texts(page) == ["no luck with /hooks/… and postgres://db.example/… with url: …"]
    assert texts(task) == ["a task without luck"]
    assert line["tags"] == {"process": "command", "request_id": done.stdout.strip(), "tenant": "7"}
    assert page["tags"] == {"process": "command", "request_id": done.stdout.strip()}
    assert task["logger"] == "celery.app.trace"
    assert {event["release"] for event in (line, page, task)} == {f"portal@{portal.__version__}"}
    frames = page["exception"]["values"][0]["stacktrace"]["frames"]
    assert frames[-1]["function"] == "fails"
    assert [frame for frame in frames if "vars" in frame] == []


def test_what_nobody_catches_in_a_command_arrives_before_its_process_ends():
    with peer(answer(b"{}")) as server:
        assert run("raise ValueError('no luck at all')", dsn_of(server)).returncode == 1
        [event] = events(server)
    assert texts(event) == ["no luck at all"]


def test_a_forked_worker_sends_for_itself():
    script = """
logging.getLogger("portal").error("of the parent")
child = os.fork()
if not child:
    signals.worker_process_init.send(sender=None)
    logging.getLogger("portal").error("of the child")
    signals.worker_process_shutdown.send(sender=None)
    os._exit(0)
os.waitpid(child, 0)
"""
    with peer(answer(b"{}")) as server:
        done = run(script, dsn_of(server))
        assert done.returncode == 0, done.stderr
        assert {text for event in events(server) for text in texts(event)} == {"of the parent", "of the child"}


def test_a_server_that_never_answers_holds_up_neither_page_nor_end():
    released = threading.Event()
    script = "print(get('/fails/').status_code)"
    try:
        with peer(lambda connection: released.wait() and None) as server:
            done = run(script, dsn_of(server))
            assert server.received
            assert not released.is_set()
            released.set()
    finally:
        released.set()
    assert (done.returncode, done.stdout.strip()) == (0, "500"), done.stderr


def test_a_server_that_is_gone_holds_up_neither_page_nor_end():
    with peer(b"") as server:
        pass
    done = run("print(get('/fails/').status_code)", dsn_of(server))
    assert (done.returncode, done.stdout.strip()) == (0, "500"), done.stderr


def test_nothing_of_it_is_loaded_where_no_server_is_named():
    done = run("import sys; assert get('/fails/').status_code == 500; print('sentry_sdk' in sys.modules)", "")
    assert (done.returncode, done.stdout.strip()) == (0, "False"), done.stderr


@pytest.mark.parametrize(
    ("command", "process"),
    [
        ("granian --interface wsgi portal.wsgi:application", "web"),
        ("granian --interface asginl portal.asgi:application", "stream"),
        ("celery -A portal worker --pool threads --beat", "worker"),
        ("celery -A portal beat", "clock"),
        ("manage.py reseal", "command"),
    ],
)
def test_an_error_says_what_its_process_is_for(monkeypatch, command, process):
    monkeypatch.setattr(sys, "argv", command.split())
    assert _scrub({"message": "x"}, {})["tags"]["process"] == process


def test_values_of_rows_and_fields_that_were_refused_are_not_sent():
    for text in (
        f'duplicate key value violates "emails"\nDETAIL:  Key (email)=({CANARY}) already exists.',
        f"1 error for Answer\n  Input should be a date [type=date, input_value='{CANARY}', input_type=str]",
    ):
        assert CANARY not in str(_scrub({"logentry": {"formatted": text}}, {}))


def test_the_release_is_that_of_the_project():
    assert portal.__version__ == tomllib.loads(Path(ROOT, "pyproject.toml").read_text())["project"]["version"]
