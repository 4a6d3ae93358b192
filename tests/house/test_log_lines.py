"""S15: no link, reset key, code or state is in any line of any logger, whatever makes a framework speak."""

import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import SuspiciousOperation
from django.db import connection
from django.http import HttpRequest
from django.test import Client

from portal.lib import logs
from portal.lib.logs import HideSecrets
from tests.support.databases import database_url

pytestmark = [pytest.mark.once, pytest.mark.django_db]

ROOT = Path(__file__).resolve().parent.parent.parent
OPERATING = (ROOT / "docs" / "operating.md").read_text()
PROXY = (ROOT / "deploy" / "nginx" / "portal.conf").read_text()
CANARY = "kAnArY-0123456789abcdefghijklmnopqrstuvwxyz_ABC"
STATE = "sTaTe-0123456789"
LINKS = [
    f"/answer/{CANARY}/",
    f"/answer/all/{CANARY}/",
    f"/status/{CANARY}/",
    f"/calendar/{CANARY}.ics",
    f"/calendar/contracts/{CANARY}.ics",
    f"/erasure/{CANARY}/",
    f"/invitation/{CANARY}/",
    f"/mail-domain/{CANARY}/",
    f"/hooks/{CANARY}/v1.questionnaire.created/",
    f"/accounts/password/reset/key/1-{CANARY}/",
    f"/connect/callback/?state={STATE}&code={CANARY}",
    f"/company-sign-in/acme/callback/?state={STATE}&code={CANARY}",
    f"/accounts/login/?next={quote(f'/answer/{CANARY}/', safe='')}",
    f"/accounts/login/?next={quote(f'/connect/callback/?code={CANARY}&state={STATE}', safe='')}",
    f"/accounts/login/?next={quote('/accounts/reauthenticate/?next=' + quote(f'/answer/{CANARY}/', safe=''), safe='')}",
    f"/ANSWER/{CANARY}/",
]


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture) -> Iterator[Callable[[], str]]:
    """Switch every logger to DEBUG; yields what gives all that was written since."""
    caplog.set_level(logging.DEBUG)
    for name in [*logging.root.manager.loggerDict]:
        if logging.getLogger(name).level:
            caplog.set_level(logging.DEBUG, logger=name)
    connection.force_debug_cursor = True

    def written() -> str:
        text = caplog.text + "".join(capfd.readouterr())
        caplog.clear()
        return text

    yield written
    connection.force_debug_cursor = False


@pytest.fixture(params=[False, True], ids=["", "debug"])
def client(request, settings) -> Client:
    settings.DEBUG = request.param
    return Client(enforce_csrf_checks=True, raise_request_exception=False)


def failing(error: type[Exception]) -> Callable[..., None]:
    """Something of ours or of a library that fails and tells what it had in hand."""

    def fail(self: object, request: HttpRequest) -> None:
        raise error(f"no luck with {request.get_full_path()}, {request.GET!r}")

    return fail


def test_s15_nothing_that_makes_django_speak_writes_a_link_down(client, lines, monkeypatch):
    found = []
    for link in LINKS:
        for name, call in {
            "csrf": lambda link=link: client.post(link),
            "not found": lambda link=link: client.get(link.replace("?", "x/?") if "?" in link else f"{link}x/"),
            "method": lambda link=link: client.delete(link),
            "host": lambda link=link: client.get(link, headers={"host": "evil.example"}),
        }.items():
            call()
            found += [(name, link)] if shows_a_secret(lines()) else []
        for error, status in ((SuspiciousOperation, 400), (RuntimeError, 500)):
            with monkeypatch.context() as patch:
                patch.setattr(SessionMiddleware, "process_request", failing(error))
                assert client.get(link).status_code == status
            text = lines()
            assert "no luck with" in text
            found += [(error, link)] if shows_a_secret(text) else []
    assert found == []


def test_s15_no_logger_of_anybody_writes_a_link_down(lines):
    found = []
    for link in LINKS:
        for logger in ("django.server", "granian.access", "celery.task", "urllib3", "a.library", ""):
            speaker = logging.getLogger(logger)
            speaker.error('"GET %s HTTP/1.1" %s', link, 200)
            speaker.error(f"http://127.0.0.1:8000{link}")
            speaker.error("%(path)s answered %(status)s", {"path": link, "status": 500})
            speaker.error("arguments that do not fit %d", link)
            try:
                raise ValueError(link)
            except ValueError:
                speaker.exception("it failed", stack_info=True)
            text = lines()
            assert "it failed" in text
            found += [(logger, link)] if shows_a_secret(text) else []
    assert found == []


def test_s15_a_proxy_is_told_of_every_address_that_is_hidden_and_the_shipped_one_writes_none_of_them_down():
    # Addresses are proven by codes: nobody is sent a link to confirm one.
    hidden = {f"/accounts/{link}/" if "/" in link else f"/{link}/" for link in logs.LINKS.split("|") if link != "confirm-email"}
    told = re.search(r"leave out the addresses that begin with (.*?), and the query\s+of (.*?)\.\s", OPERATING, re.DOTALL)
    assert set(re.findall(r"`(\S+)`", told[1])) == hidden
    with_queries = set(re.findall(r"`(\S+)`", told[2]))
    assert with_queries == {"/connect/callback/", "/company-sign-in/"}
    [unwritten] = re.findall(r"^map \$uri \$portal_logged {\n(.*?)^}", PROXY, re.MULTILINE | re.DOTALL)
    patterns = re.findall(r"^ +~(\S+) +0;$", unwritten, re.MULTILINE)
    written = [path for path in hidden | with_queries if not any(re.match(each, f"{path}x/") for each in patterns)]
    assert written == []


def shows_a_secret(text: str) -> bool:
    return CANARY in text or STATE in text


HANDLERS = """
import logging
from portal.lib.logs import HideSecrets
loggers = [logging.root, *(logging.getLogger(name) for name in [*logging.root.manager.loggerDict])]
handlers = {handler for logger in loggers for handler in logger.handlers if not isinstance(handler, logging.NullHandler)}
hiding = [handler for handler in handlers if any(isinstance(each, HideSecrets) for each in handler.filters)]
print(len(handlers), len(hiding))
"""
PROCESSES = {
    "web": "from portal.wsgi import application",
    "worker": (
        "from celery.app.utils import find_app; app = find_app('portal'); app.loader.init_worker(); app.log.setup(20)\n"
        "from celery.utils.log import get_task_logger; get_task_logger('x')"
    ),
}


@pytest.mark.parametrize("process", PROCESSES)
@pytest.mark.django_db(transaction=True)
def test_s15_every_handler_of_every_logger_hides_them(process):
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "portal.settings", "DATABASE_URL": database_url(), "DEBUG": "1"}
    command = [sys.executable, "-c", PROCESSES[process] + HANDLERS]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["1", "1"], done.stdout + done.stderr


def test_s15_what_a_stranger_sends_begins_no_line():
    record = logging.LogRecord("x", logging.INFO, __file__, 1, "refused: %s", ("a\nERROR forged\r\x1b[2K\u2028b",), None)
    assert HideSecrets().filter(record)
    assert record.getMessage() == "refused: a\\nERROR forged\\r\\x1b[2K\\u2028b"
