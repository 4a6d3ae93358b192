"""Error reports, on a page or in a mail, without what was in hand when it happened.

A frame's variables hold tokens, a callback's query the code, the environment passwords: names do not tell which. Where it
happened is enough to find out why.
"""

from collections.abc import ItemsView
from types import FrameType
from typing import Any

from django.http import HttpRequest
from django.views.debug import ExceptionReporter, SafeExceptionReporterFilter


class RedactingExceptionFilter(SafeExceptionReporterFilter):
    """Shows no variable and no setting."""

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: FrameType) -> ItemsView[str, Any]:
        return ItemsView({})

    def get_safe_settings(self) -> dict[str, Any]:
        return {}


class Report(ExceptionReporter):
    """Shows the way to the error, and nothing of the request."""

    def __init__(self, request: HttpRequest | None, *args: Any, **options: Any) -> None:
        super().__init__(None, *args, **options)
