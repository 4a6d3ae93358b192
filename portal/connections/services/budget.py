"""The shared budget of calls to the token endpoint: in the database, so that it holds over all processes and machines.

`policy` decides; this is where its numbers are kept. A moment of `lib.clock` stands for each call, so that a clock that is set
in between neither opens the budget nor closes it.
"""

import time
from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.db import Error, transaction
from django.db.models import QuerySet
from django.utils import timezone

from portal.connections.error_messages import PAUSED
from portal.connections.errors import BudgetSpent
from portal.connections.models import HOLD, AuthorizationRequest, TokenEndpoint
from portal.connections.policy import MAX_HELD, WINDOW_SECONDS, Urgency, seconds_to_wait, seconds_until_consent
from portal.connections.selectors.usage import HOUR, HOURS, ages, closed_for
from portal.lib.clock import Moment, age_of, moment
from portal.platform_api.errors import Party
from portal.tenants.scope import all_tenants

MAX_CLOSED = 15 * 60.0
"""Seconds; whatever a 429 asks for."""
_AHEAD = 10.0
"""Seconds; more than clocks of machines that keep the time are ever apart."""


def take_call(url: str, urgency: Urgency) -> Moment:
    """Take one call to a token endpoint out of the budget. Raises BudgetSpent with the time until the next one."""
    wait, counted = _take(url, urgency)
    if wait > 0:
        # Raised outside of the transaction, so that what was set right in it stays.
        raise BudgetSpent(wait, **pause_of(url))
    return counted


def pause_of(url: str) -> dict[str, Any]:
    """Say who makes callers of an endpoint wait, for a TokenWait: the platform after a 429, else the portal's own rule."""
    endpoint = TokenEndpoint.objects.filter(url=url).first()
    is_paused = endpoint is not None and closed_for(endpoint) > 0
    return {"party": Party.PLATFORM_LIMIT, "because": PAUSED} if is_paused else {}


@transaction.atomic
def _take(url: str, urgency: Urgency) -> tuple[float, Moment]:
    endpoint, counted = _locked(url), moment()
    wait = _wait(endpoint, urgency, held=_held())
    if wait > 0:
        return wait, counted
    endpoint.calls = [*endpoint.calls, counted]
    this_hour = int(time.time()) // HOUR
    kept = {hour: count for hour, count in endpoint.hours.items() if this_hour - HOURS < int(hour) <= this_hour}
    endpoint.hours = kept | {str(this_hour): kept.get(str(this_hour), 0) + 1}
    endpoint.save(update_fields=["calls", "hours"])
    return 0.0, counted


def end_call(url: str, counted: Moment) -> None:
    """Count a call from its end on: the platform counted it when it arrived, which may be long after it was taken here.

    Nothing that fails here may cost the answer, which is in the caller's hand.
    """
    with suppress(Error), transaction.atomic():
        endpoint = _locked(url)
        if [*counted] in endpoint.calls:
            endpoint.calls.remove([*counted])
        endpoint.calls.append(moment())
        endpoint.save(update_fields=["calls"])


def seconds_until_call(url: str, urgency: Urgency) -> float:
    """Say how long a call has to wait; 0 when one is free."""
    endpoint = _seen(url)
    return _wait(endpoint, urgency, held=_held()) if endpoint else 0.0


def seconds_until_connect(url: str, *, besides: int) -> float:
    """Say how long somebody has to wait before the consent screen: every open one holds a call for its code.

    `besides` is the person who asks: the own earlier try holds nothing against them. Call it in the transaction that lets the
    person through; until its end nobody else is let through.
    """
    endpoint, held = _locked(url), _held(besides=besides)
    if held < MAX_HELD:
        return seconds_until_consent(ages(endpoint), held=held, closed_for=closed_for(endpoint))
    with all_tenants("whoever is on the consent screen holds a call, of whichever tenant"):
        oldest = _open_flows().exclude(user_id=besides).order_by("created_at").values_list("created_at", flat=True)[0]
    return max(1.0, (oldest + HOLD - timezone.now()).total_seconds())


@transaction.atomic
def close(url: str, *, seconds: float) -> None:
    """The endpoint answered 429: nobody calls it until its time has passed."""
    endpoint = _locked(url)
    endpoint.closed_at, endpoint.closed_for = moment(), min(seconds, MAX_CLOSED)
    endpoint.save(update_fields=["closed_at", "closed_for"])


def _locked(url: str) -> TokenEndpoint:
    TokenEndpoint.objects.get_or_create(url=url)
    endpoint = TokenEndpoint.objects.select_for_update().get(url=url)
    if _is_of_the_future(endpoint):
        # Nobody knows when such a call was. Counted as made now, it is safe and does not close the budget for longer than a
        # window; saved, because counted as made now each time it would close it until the clock comes by.
        endpoint.calls = [moment() if age_of(call) < -_AHEAD else call for call in endpoint.calls]
        if endpoint.closed_at and age_of(endpoint.closed_at) < -_AHEAD:
            endpoint.closed_at = moment()
        endpoint.save(update_fields=["calls", "closed_at"])
    endpoint.calls = [call for call in endpoint.calls if age_of(call) < WINDOW_SECONDS]
    return endpoint


def _seen(url: str) -> TokenEndpoint | None:
    """Return the endpoint for a look that locks nothing, unless its moments have to be set right."""
    endpoint = TokenEndpoint.objects.filter(url=url).first()
    if endpoint and _is_of_the_future(endpoint):
        with transaction.atomic():
            return _locked(url)
    return endpoint


def _is_of_the_future(endpoint: TokenEndpoint) -> bool:
    """Say whether a call was written under a clock that has been set back since, or by a machine whose clock is ahead."""
    moments = [*endpoint.calls, endpoint.closed_at] if endpoint.closed_at else endpoint.calls
    return any(age_of(each) < -_AHEAD for each in moments)


def _wait(endpoint: TokenEndpoint, urgency: Urgency, *, held: int) -> float:
    return seconds_to_wait(ages(endpoint), urgency, held=held, closed_for=closed_for(endpoint))


def _held(*, besides: int = 0) -> int:
    """Count the people on the consent screen. One person holds one call, however many tabs are open."""
    with all_tenants("whoever is on the consent screen holds a call, of whichever tenant"):
        return _open_flows().exclude(user_id=besides).values("user_id").distinct().count()


def _open_flows() -> QuerySet[AuthorizationRequest]:
    now = timezone.now()
    return AuthorizationRequest.objects.filter(
        used_at=None, created_at__gt=now - HOLD, created_at__lte=now + timedelta(seconds=_AHEAD)
    )
