"""S6, S15: with LOG_FORMAT=json each line is one object, and hides what a line for people hides."""

import json
import os
import subprocess
import sys

import pytest

from tests.house.test_log_lines import CANARY, LINKS, ROOT, STATE

SCRIPT = """
import sys, json, logging, django
django.setup()
from portal.lib.request_ids import working_for
from portal.tenants.scope import tenant_scope
links = json.loads(sys.argv[1])
with working_for("trace-0123456789"), tenant_scope(7):
    for link in links:
        for name in ("django.request", "granian.access", "celery.task", "a.library", ""):
            speaker = logging.getLogger(name)
            speaker.error('"GET %s HTTP/1.1" %s', link, 200, extra={"canary": link})
            speaker.error("arguments that do not fit %d", link)
            try:
                raise ValueError("two lines\\n" + link)
            except ValueError:
                speaker.exception("it failed: %s\\r\\nand \\u202e more", link, stack_info=True)
logging.getLogger("quiet").warning("of nobody")
"""


@pytest.mark.once
def test_s6_s15_a_line_of_json_hides_secrets_and_says_whom_it_is_about():
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "portal.settings", "LOG_FORMAT": "json", "LOG_LEVEL": "DEBUG"}
    command = [sys.executable, "-c", SCRIPT, json.dumps(LINKS)]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    assert CANARY not in done.stderr
    assert STATE not in done.stderr
    assert done.stderr.isascii()
    *lines, last = [json.loads(line) for line in done.stderr.splitlines()]
    assert len(lines) >= len(LINKS) * 5 * 3
    ours = [line for line in lines if line["message"].startswith("it failed")]
    assert {(line["request_id"], line["tenant"]) for line in ours} == {("trace-0123456789", 7)}
    assert {frozenset(line) for line in ours} == {
        frozenset({"time", "level", "logger", "message", "request_id", "tenant", "exception", "stack"})
    }
    assert (last["message"], last.keys()) == ("of nobody", {"time", "level", "logger", "message"})
