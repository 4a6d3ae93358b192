"""What must not stand in a log although it stands in an address, an error or a form."""

import json
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from portal.lib.request_ids import current_request_id

LINKS = "hooks|status|answer|calendar|erasure|invitation|mail-domain|password/reset/key|confirm-email"
VALUES = "code|state|SAMLRequest|SAMLResponse|id_token|logout_token"
BEGINS = r"(?:(?<![\w-])|(?<=%2[f6])|(?<=%3f)|(?<=%252[f6])|(?<=%253f))"
"""Not in the middle of another word; percent-encoded characters end in letters and digits. An address within an address within
an address is encoded twice."""
SLASH, EQUALS = r"(?:\\*/|%(?:25)*2f)+", "(?:=|%(?:25)*3d)"
"""JSON may write a slash with a backslash before it, and programs that put links together write two."""
SECRET_PATH = re.compile(rf"{BEGINS}({LINKS.replace('/', SLASH)})({SLASH})[^\s?\"'&<>]+", re.IGNORECASE)
SECRET_VALUE = re.compile(rf"{BEGINS}({VALUES})({EQUALS}|['\"]: ?\[?['\"])[^\s\"'&]+", re.IGNORECASE)
SPEAKERS = ("django", "django.server", "_granian", "granian.access", "gunicorn.access")
"""Loggers of Django and the servers, which have handlers of their own by default. `_granian` tells of errors in the stream."""
LINE_ENDS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]")
"""What would begin another line, or hide one, on the way of a text that a stranger has sent."""
_formatter = logging.Formatter()


def hide(text: str) -> str:
    """Shorten what opens something by itself: the receiver's addresses, links without a login, reset keys, codes and states."""
    return SECRET_VALUE.sub(r"\1\2…", SECRET_PATH.sub(r"\1\2…", text))


def _written_out(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()


class HideSecrets(logging.Filter):
    """Hides secrets in the lines of a handler, whichever logger they come from (guarantees S6, S15), and keeps each one line.

    It belongs on handlers: a filter of a logger sees nothing of the loggers below it, and frameworks have many.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        try:
            text = record.getMessage()
        except (TypeError, ValueError):  # a call whose arguments do not fit its text: logging would print both as they are
            text = f"{record.msg} {record.args!r}"
        record.msg, record.args = LINE_ENDS.sub(_written_out, hide(text)), None
        if record.exc_info:
            record.exc_text = hide(record.exc_text or _formatter.formatException(record.exc_info))
        if record.stack_info:
            record.stack_info = hide(record.stack_info)
        return True


class LeaveOutRefusedDeliveries(logging.Filter):
    """Drops the framework's line for every refused delivery: the receiver writes its own, and only so many (guarantee H10)."""

    def filter(self, record: logging.LogRecord) -> bool:
        path = getattr(getattr(record, "request", None), "path", "")
        status = getattr(record, "status_code", 0)
        return not (path.startswith("/hooks/") and (status < 500 or status == 503))


_facts: list[Callable[[], dict[str, object]]] = [lambda: {"request_id": current_request_id()}]


def register_facts(read: Callable[[], dict[str, object]]) -> None:
    """Have facts about the running code in each line of JSON, from `AppConfig.ready`. What is empty is left out."""
    _facts.append(read)


def facts() -> dict[str, object]:
    """Return what is known about the running code: its request, its task, its tenant."""
    return {name: value for read in _facts for name, value in read().items() if value}


class JsonFormatter(logging.Formatter):
    """Writes one object per line. Nothing but what is named here: what a caller hands in as `extra` may be secret.

    It relies on the filter of its handler, which has hidden the secrets of the message and of the traceback before.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **facts(),
        }
        if record.exc_info and not record.exc_text:
            record.exc_text = hide(self.formatException(record.exc_info))
        line |= {name: value for name, value in (("exception", record.exc_text), ("stack", record.stack_info)) if value}
        # ASCII: no line break, and no character that turns a line around, comes out of a value.
        return json.dumps(line)


def configuration(*, level: str, form: str = "line", sentry_dsn: str = "") -> dict[str, Any]:
    """Return Django's LOGGING: the same handlers for every logger, so that whatever one says goes through their filter.

    With a `sentry_dsn` lines of level ERROR are sent there as well.
    """
    handlers: dict[str, Any] = {"stderr": {"class": "logging.StreamHandler", "formatter": form}}
    if sentry_dsn:
        handlers["sentry"] = {"()": "portal.lib.error_reports.make_handler", "dsn": sentry_dsn, "level": "ERROR"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
            "json": {"()": JsonFormatter},
        },
        "filters": {
            "hide_secrets": {"()": HideSecrets},
            "leave_out_refused_deliveries": {"()": LeaveOutRefusedDeliveries},
        },
        "handlers": {name: {**handler, "filters": ["hide_secrets"]} for name, handler in handlers.items()},
        "loggers": {
            # Named here, they lose their own handlers.
            **{name: {"propagate": True} for name in SPEAKERS},
            # At level DEBUG they repeat what is in the database and in hand: sessions, forms, links.
            **{name: {"level": "INFO"} for name in ("django.db.backends", "django.template")},
            "django.request": {"filters": ["leave_out_refused_deliveries"]},
            # It repeats what a sender has put into the Host header.
            "django.security.DisallowedHost": {"filters": ["leave_out_refused_deliveries"]},
            # Its warnings name whole addresses: ids, and pre-signed ones, which are a key to the file (S6).
            "urllib3": {"level": "ERROR"},
        },
        "root": {"handlers": [*handlers], "level": level},
    }
