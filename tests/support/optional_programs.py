"""A program that a test needs and that this machine may not have."""

import os
from typing import NoReturn

import pytest


def do_without(reason: str) -> NoReturn:
    """Leave the test out, and say why. Where the services have to be there, their absence is a failure."""
    if os.environ.get("REQUIRE_SERVICES") == "1":
        pytest.fail(reason)
    leave_out(reason)


def leave_out(reason: str) -> NoReturn:
    """Leave the test out even where the services are: what it needs is not installed but given, as the history is."""
    pytest.skip(reason)
