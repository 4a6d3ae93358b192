"""What must not stand in a log although it stands in an address, an error or a form."""

import logging
import re
from typing import Any

LINKS = "hooks|status|answer|calendar|erasure|invitation|password/reset/key|confirm-email"
BEGINS = r"(?:(?<![\w-])|(?<=%2[Ff6])|(?<=%3[Ff]))"
"""Not in the middle of another word; percent-encoded characters end in letters and digits."""
SECRET_PATH = re.compile(rf"{BEGINS}({LINKS.replace('/', '(?:/|%2[Ff])')})(/|%2[Ff])[^\s?\"'&<>]+")
SECRET_VALUE = re.compile(rf"{BEGINS}(code|state)(=|%3[Dd]|['\"]: ?\[?['\"])[^\s\"'&]+")
_formatter = logging.Formatter()


def hide(text: str) -> str:
    """Shorten what opens something by itself: the receiver's addresses, links without a login, reset keys, codes and states."""
    return SECRET_VALUE.sub(r"\1\2…", SECRET_PATH.sub(r"\1\2…", text))


class HideSecrets(logging.Filter):
    """Hides secrets in the lines of a handler, whichever logger they come from (guarantees S6, S15).

    It belongs on handlers: a filter of a logger sees nothing of the loggers below it, and frameworks have many.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        try:
            text = record.getMessage()
        except (TypeError, ValueError):  # a call whose arguments do not fit its text: logging would print both as they are
            text = f"{record.msg} {record.args!r}"
        record.msg, record.args = hide(text), None
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


def configuration(*, level: str) -> dict[str, Any]:
    """Return Django's LOGGING: one handler for every logger there is, so that whatever one says goes through its filter."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
        "filters": {
            "hide_secrets": {"()": HideSecrets},
            "leave_out_refused_deliveries": {"()": LeaveOutRefusedDeliveries},
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["hide_secrets"]}},
        "loggers": {
            # Those of Django and of the servers have handlers of their own by default; named here, they lose them.
            **{name: {"propagate": True} for name in ("django", "django.server", "granian.access", "gunicorn.access")},
            # At level DEBUG they repeat what is in the database and in hand: sessions, forms, links.
            **{name: {"level": "INFO"} for name in ("django.db.backends", "django.template")},
            "django.request": {"filters": ["leave_out_refused_deliveries"]},
            # It repeats what a sender has put into the Host header.
            "django.security.DisallowedHost": {"filters": ["leave_out_refused_deliveries"]},
            # Its warnings name whole addresses: ids, and pre-signed ones, which are a key to the file (S6).
            "urllib3": {"level": "ERROR"},
        },
        "root": {"handlers": ["stderr"], "level": level},
    }
