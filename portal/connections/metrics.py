"""What operators watch of grants and of the shared token budget. Numbers over all tenants; none of them names one."""

from collections.abc import Iterator

from django.db.models import Count, Min
from django.utils import timezone

from portal.connections.models import Connection, State, Suspension
from portal.connections.policy import Urgency
from portal.connections.selectors import usage
from portal.connections.services import queue
from portal.lib.metrics import Reading
from portal.tenants.scope import all_tenants


def readings() -> Iterator[Reading]:
    """Read how grants are, who waits for a token, and the oldest attempt that has no answer."""
    with all_tenants("operators watch all tenants together"):
        states = dict(Connection.objects.order_by().values_list("state").annotate(Count("pk")))
        attempt = Connection.objects.filter(state=State.ACTIVE).aggregate(first=Min("attempted_at"))["first"]
        unconfirmed = Suspension.objects.filter(confirmed_at=None).count()
    for state in State:
        yield Reading("portal_connections", "Connections by state.", states.get(state, 0), {"state": state.value})
    age = (timezone.now() - attempt).total_seconds() if attempt else 0.0
    yield Reading("portal_oldest_attempt_seconds", "The oldest refresh whose answer was never stored.", age)
    yield Reading("portal_suspensions_waiting", "Tokens whose end the platform has yet to confirm.", unconfirmed)
    for url in queue.endpoints():
        used = usage(url, queue.regions_of(url))
        of = {"endpoint": url}
        yield Reading("portal_token_calls", "Calls to the token endpoint in the running minute.", used.used, of)
        yield Reading(
            "portal_token_calls_day_percent", "The last day's calls, of what a day carries.", used.percent_of_a_day, of
        )
        waiting = {line.urgency: line.tenants for line in used.lines}
        for urgency in Urgency:
            labels = of | {"urgency": urgency.name.lower()}
            yield Reading("portal_token_waiting", "Tenants that wait for a token.", waiting.get(urgency, 0), labels)
