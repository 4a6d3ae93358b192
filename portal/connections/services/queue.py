"""The queue of tenants that wait for a token. One row each; whoever comes by serves the one whose turn it is."""

import logging
import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Case, F, Q, QuerySet, Value, When
from django.db.models.functions import Least
from django.utils import timezone

from portal.connections.errors import BudgetSpent, NotConnected
from portal.connections.models import Connection, Region, State, TokenRequest
from portal.connections.policy import Candidate, Urgency, choose
from portal.connections.selectors import usage
from portal.connections.services import alarms
from portal.connections.services.platform import api_url
from portal.connections.services.suspensions import due_suspension, run_suspension
from portal.connections.services.token_refresh import refresh_tokens
from portal.lib.outages import is_outage
from portal.platform_api.errors import PlatformError, RateLimited
from portal.tenants.scope import all_tenants, tenant_scope
from portal.tenants.turns import serve_in_turn

logger = logging.getLogger(__name__)

MAX_CANDIDATES = 64
"""Waiting tenants among which the next one is chosen, drawn at random, besides the one that has waited longest."""
KEEP_ALIVE = timedelta(days=3)
KEEP_ALIVES_AN_HOUR = 60
"""A fifth of what the token endpoint takes: with ten thousand tenants each is refreshed once a week."""
MIN_WAIT, MAX_WAIT = 5.0, 3600.0


@dataclass(frozen=True)
class Waiting:
    """What a caller wants the token for: how many objects, and since when the oldest of them waits."""

    work: int = 1
    since: datetime | None = None


def request_token(connection: Connection, urgency: Urgency, waiting: Waiting) -> None:
    """Queue a tenant for a token. A request that waits already becomes as urgent as its most urgent caller."""
    # People go in the order in which they came; how long their tenants' events have waited says nothing about that.
    since = (waiting.since if urgency.is_machine else None) or timezone.now()
    request = TokenRequest(connection=connection, urgency=urgency, work=waiting.work, since=since)
    # Two statements, each whole by itself: the row may be made and served by others at any moment.
    TokenRequest.objects.bulk_create([request], ignore_conflicts=True)
    was_machine = Q(urgency__gt=Urgency.PERSON)
    was_alike = was_machine if urgency.is_machine else ~was_machine
    merged = Case(
        When(was_alike, then=Least("since", Value(since))), default=F("since") if urgency.is_machine else Value(since)
    )
    TokenRequest.objects.filter(connection=connection).update(
        urgency=Least("urgency", Value(urgency)), work=max(1, waiting.work), since=merged
    )


def serve(url: str) -> bool:
    """Make the next call to a token endpoint, for whoever's turn it is; False when nobody waits or no call is left."""
    with all_tenants("the queue is of all tenants, and each call is for the one whose turn it is"):
        request = _next_request(url, Q(urgency__lte=Urgency.PERSON))
        suspension = None if request else due_suspension(regions_of(url))
        request = request or (None if suspension else _next_request(url, Q()))
    if suspension is not None:
        with tenant_scope(suspension.tenant_id):
            return run_suspension(suspension)
    return request is not None and _serve_request(request)


def serve_all(*, most: int = 10) -> int:
    """Serve every token endpoint as far as its budget goes; return the number of calls."""
    served = 0
    for url in endpoints():
        while served < most and serve(url):
            served += 1
    return served


def endpoints() -> list[str]:
    """Return the API hosts that have a token endpoint."""
    return list(dict.fromkeys(api_url(region) for region in Region))


def watch_load() -> None:
    """Look whether a day's calls are nearly used up anywhere."""
    for url in endpoints():
        used = usage(url, regions_of(url))
        if used.is_busy:
            alarms.tell_if_busy(url, percent_of_a_day=used.percent_of_a_day)


def _next_request(url: str, among: Q) -> TokenRequest | None:
    waiting = due_requests(url).filter(among)
    requests = {each.pk: each for each in [*waiting.order_by("?")[:MAX_CANDIDATES], *waiting.order_by("since")[:1]]}
    if not requests:
        return None
    now = timezone.now()
    candidates = [
        Candidate(each.pk, Urgency(each.urgency), each.work, (now - each.since).total_seconds()) for each in requests.values()
    ]
    return requests[choose(candidates).key]


def due_requests(url: str) -> QuerySet[TokenRequest]:
    """Return the requests that may be served at an endpoint, in the scope that is set."""
    return TokenRequest.objects.filter(
        connection__region__in=regions_of(url), connection__state=State.ACTIVE, due_at__lte=timezone.now()
    )


def regions_of(url: str) -> list[str]:
    """Return the regions that an API host serves."""
    return [region for region in Region if api_url(region) == url]


def _serve_request(request: TokenRequest) -> bool:
    """Mint for one request. A failure puts it off; being told to wait does not, and keeps its place.

    One that nobody expected puts it off, too: it is of this tenant, and others wait. Without a database nobody is served.
    """
    with tenant_scope(request.tenant_id):
        connection = Connection.objects.get(pk=request.connection_id)
        try:
            if connection.has_live_token(timezone.now()):
                TokenRequest.objects.filter(pk=request.pk).delete()
                return True
            if refresh_tokens(connection, Urgency(request.urgency)):
                return True
            wait = MIN_WAIT
        except (BudgetSpent, RateLimited):
            return False
        except NotConnected:
            TokenRequest.objects.filter(pk=request.pk).delete()
            return True
        except PlatformError:
            wait = _wait_after_failure(connection)
        except Exception as error:
            if is_outage(error):
                raise
            # The lease goes on to its end: the call may have left, and no second one is made beside it.
            logger.exception("serving connection %s failed", connection.source_id)
            # Counted like any other failure: a bug that stays must not spend the calls of all tenants.
            Connection.objects.filter(pk=connection.pk).update(failures=F("failures") + 1)
            wait = _wait_after_failure(connection)
        TokenRequest.objects.filter(pk=request.pk).update(due_at=timezone.now() + timedelta(seconds=wait))
    return True


def _wait_after_failure(connection: Connection) -> float:
    """Wait 5 s, 10 s, 20 s ... up to an hour, with jitter so that an outage's end is not a stampede."""
    if alarms.trouble_of(api_url(connection.region)):
        return alarms.BETWEEN_TRIES.total_seconds()
    seconds = min(MIN_WAIT * 2.0 ** min(connection.failures, 10), MAX_WAIT)
    return seconds * random.uniform(1.0, 1.3)  # noqa: S311 - jitter, not a secret


def keep_alive(*, most: int = 50) -> int:
    """Ask for a refresh of the grants that were idle longest; return for how many.

    How long a refresh token lives is not documented, so none is left unused for long; at a rate that the budget can carry.
    """
    with all_tenants("idle grants are found over all tenants"):
        active = Connection.objects.filter(state=State.ACTIVE).exclude(refresh_token=b"")
        interval = max(KEEP_ALIVE, timedelta(hours=active.count() / KEEP_ALIVES_AN_HOUR))
        idle = active.filter(refreshed_at__lt=timezone.now() - interval).exclude(
            pk__in=TokenRequest.objects.values("connection_id")
        )
        rows = list(idle.order_by("refreshed_at").values_list("tenant_id", "pk")[:most])
    return serve_in_turn(rows, _want_refresh, what="keeping a grant alive")


def _want_refresh(connection_id: int) -> bool:
    request_token(Connection.objects.get(pk=connection_id), Urgency.PERIODIC, Waiting())
    return True
