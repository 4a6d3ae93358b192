"""A database that is away, full or read-only: people are told to come back, not that something broke (guarantee O4)."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views import defaults

logger = logging.getLogger(__name__)

READ_ONLY = "25006"
"""PostgreSQL's code for a write to a database that only reads, as a replica does. Django calls it an internal error."""
WRONG_STATEMENT = "SQLITE_ERROR"
"""SQLite's name for what others call a programming error; Django calls it an operational one."""
RETRY_AFTER_SECONDS = 60


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer where something has failed: 503 during an outage, else 500. Django calls it while it handles the error."""
    if not is_outage(sys.exc_info()[1]):
        return defaults.server_error(request)
    headers = {"Retry-After": str(RETRY_AFTER_SECONDS)}
    return HttpResponse(render_to_string("503.html"), status=503, headers=headers)


def is_outage(error: BaseException | None) -> bool:
    """Say whether the database has failed, and not what was asked of it."""
    cause = getattr(error, "__cause__", None)
    if isinstance(error, OperationalError):
        return getattr(cause, "sqlite_errorname", "") != WRONG_STATEMENT
    return getattr(cause, "sqlstate", "") == READ_ONLY


@contextmanager
def if_writable() -> Iterator[None]:
    """Leave undone, during an outage, what a page writes down on the side. Serves as a decorator, too."""
    try:
        yield
    except DatabaseError as error:
        if not is_outage(error):
            raise
        logger.warning("not written down while the database takes nothing: %s", type(error).__name__)
