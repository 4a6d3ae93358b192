"""The shared budget of calls to the token endpoint: in the database, so that it holds over all processes and machines."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from portal.connections.models import TokenBudget
from portal.platform_api.errors import TemporaryError

CALLS_PER_WINDOW = 5
"""Specification section 8: issuance, refresh and suspend together."""
WINDOW_SECONDS = 60.5
"""A little more than the minute of the specification: the two clocks are not the same."""


class BudgetSpent(TemporaryError):
    """No call to the token endpoint is left for now; `retry_after` says for how long."""

    def __init__(self, wait_seconds: float) -> None:
        message = f"no call to the token endpoint is left for {wait_seconds:.0f} s"
        super().__init__("POST", "/oauth/token", message=message, retry_after=wait_seconds)


@transaction.atomic
def take_call(endpoint: str) -> None:
    """Take one call to a token endpoint out of the budget. Raises BudgetSpent with the time until the next one."""
    budget = _locked(endpoint)
    wait = _wait(budget)
    if wait > 0:
        raise BudgetSpent(wait)
    budget.calls = [*budget.calls, timezone.now().timestamp()]
    budget.save(update_fields=["calls"])


def seconds_until_call(endpoint: str) -> float:
    """Say how long the next call has to wait; 0 when one is free."""
    budget = TokenBudget.objects.filter(endpoint=endpoint).first()
    return _wait(budget) if budget else 0.0


@transaction.atomic
def close(endpoint: str, *, seconds: float) -> None:
    """The endpoint answered 429: nobody calls it until its time has passed."""
    budget = _locked(endpoint)
    budget.closed_until = timezone.now() + timedelta(seconds=seconds)
    budget.save(update_fields=["closed_until"])


def _locked(endpoint: str) -> TokenBudget:
    TokenBudget.objects.get_or_create(endpoint=endpoint)
    return TokenBudget.objects.select_for_update().get(endpoint=endpoint)


def _wait(budget: TokenBudget) -> float:
    now = timezone.now().timestamp()
    # A call "in the future" was written under another clock; it must not close the budget for an hour.
    budget.calls = [at for at in budget.calls if now - WINDOW_SECONDS < at <= now + WINDOW_SECONDS]
    waits = [0.0]
    if len(budget.calls) >= CALLS_PER_WINDOW:
        waits.append(sorted(budget.calls)[-CALLS_PER_WINDOW] + WINDOW_SECONDS - now)
    if budget.closed_until:
        waits.append(budget.closed_until.timestamp() - now)
    return max(waits)
