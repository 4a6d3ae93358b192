"""A tenant whose turn fails, and a clock that gives each sweep the time for one turn."""

from collections.abc import Callable
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from portal.tenants import turns
from portal.tenants.models import Tenant
from portal.tenants.scope import current_tenant_id


def fails_in(tenant: Tenant, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that breaks in the scope of one tenant, and does in those of the others what it always did."""

    def break_or_do(*args: Any, **options: Any) -> Any:
        if current_tenant_id() == tenant.pk:
            raise ZeroDivisionError
        return function(*args, **options)

    return break_or_do


def one_turn_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every sweep end after its first turn: ten seconds pass with each look at the clock."""
    clock = count(step=10)
    monkeypatch.setattr(turns, "time", SimpleNamespace(monotonic=lambda: next(clock)))
