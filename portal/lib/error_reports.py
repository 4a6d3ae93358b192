"""Errors sent to a Sentry-compatible server: what the log says of them, and the way to where they happened.

Imported only where SENTRY_DSN is set: its library is one of requirements-watching.txt. A thread of its own sends, so that
nobody waits for a server that is slow or gone.
"""

import atexit
import re
import sys
from typing import Any

import sentry_sdk
from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from sentry_sdk.integrations.dedupe import DedupeIntegration
from sentry_sdk.integrations.excepthook import ExcepthookIntegration
from sentry_sdk.integrations.logging import EventHandler
from sentry_sdk.types import Event, Hint

from portal import __version__
from portal.lib.logs import facts, hide

FLUSH_SECONDS = 2.0
"""The end of a process waits for so long until what it has to say is sent."""
SENT = frozenset(
    {"event_id", "timestamp", "platform", "level", "logger", "logentry", "exception", "release", "environment", "server_name"}
)
"""Nothing but what is named here: the rest holds requests, headers, what a caller hands in as `extra`."""
PROCESSES = {"portal.wsgi": "web", "portal.asgi": "stream", "worker": "worker", "beat": "clock"}
"""What a process is for, by a word of its command line; any other one runs a command."""
ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*://)(?:[^\s\"'<>]*@)?([^\s\"'<>/?#]*)[^\s\"'<>]*", re.IGNORECASE)
"""Of an address the host stays: others are passwords, and paths and queries that open a file or a channel."""
RELATIVE = re.compile(r"(with url: )\S+")
"""How the HTTP library names an address in its errors, the host apart."""
ROW = re.compile(r"(?:\n|\\n)(?:DETAIL|CONTEXT):.*", re.DOTALL)
"""PostgreSQL tells the values of the row that it refuses."""
INPUT = re.compile(r"input_value=.*?, input_type=", re.DOTALL)
"""Pydantic tells the value that it refuses."""


def make_handler(dsn: str) -> EventHandler:
    """Make the handler of the log that sends its records; what nobody catches in a command is sent, too."""
    _start(dsn)
    atexit.register(flush)
    return EventHandler()


def start_in_child(**_: Any) -> None:
    """Begin anew in a forked worker: threads end with a fork, and connections must not be shared."""
    _start(settings.SENTRY_DSN)


def flush(**_: Any) -> None:
    """Wait until everything is sent, but not for long."""
    sentry_sdk.flush(timeout=FLUSH_SECONDS)


def _start(dsn: str) -> None:
    sentry_sdk.init(
        dsn,
        release=f"portal@{__version__}",
        before_send=_scrub,
        # Those of frameworks send requests and the arguments of tasks; what fails there is in the log.
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[DedupeIntegration(), ExcepthookIntegration()],
        # What a stranger sends is logged as an error, too: a Host header, a forged session.
        ignore_errors=[KeyboardInterrupt, SuspiciousOperation],
        include_local_variables=False,
        max_breadcrumbs=0,
        max_request_body_size="never",
        send_default_pii=False,
        auto_session_tracking=False,
        send_client_reports=False,
        shutdown_timeout=FLUSH_SECONDS,
    )


def _scrub(event: Event, hint: Hint) -> Event | None:
    if event.get("logger") == "django.request" and "exception" not in event:
        return None  # an answer above 499 that is meant: probes of /readyz get one every few seconds while the database is full
    kept: Any = {name: _hidden(value) for name, value in event.items() if name in SENT}
    kept["tags"] = {"process": _process(), **{name: str(value) for name, value in facts().items()}}
    return kept  # type: ignore[no-any-return]


def _hidden(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _hidden(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_hidden(each) for each in value]
    return _hide(value) if isinstance(value, str) else value


def _hide(text: str) -> str:
    text = RELATIVE.sub(r"\1…", ADDRESS.sub(r"\1\2/…", hide(text)))
    return INPUT.sub("input_value=…, input_type=", ROW.sub("", text))


def _process() -> str:
    command = " ".join(sys.argv)
    return next((process for word, process in PROCESSES.items() if word in command), "command")
