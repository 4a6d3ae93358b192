"""What a process of the house can be told about its own end: to die, or to freeze, at a moment of the drain."""

import json
import os
import signal
from collections.abc import Callable, Sequence
from typing import Any

from django.db import connections
from django.db.models import Q

from portal.connections.http import http_session
from portal.connections.services import Urgency, client_for
from portal.inbox.models import Delivery
from portal.inbox.routes import MIRRORS, ROUTES
from portal.inbox.services import ensure_endpoints, process, processing, store_delivery
from portal.inbox.services.queue import MAX_ATTEMPTS
from portal.page_refresh.models import Area
from portal.platform_api.webhooks import QuestionnaireChanged, Verified
from portal.questionnaires.mirror import AREA, QUESTIONNAIRE
from portal.questionnaires.models import Questionnaire
from portal.sync.mirrors import Mirror
from portal.sync.models import StaleMark
from portal.sync.services import Effects, drain, mark_stale, marks
from portal.tenants.scope import tenant_scope
from tests.faults.moments import Moment, after, before, stop_at

HANDLING: dict[str, Moment] = {
    "the deliveries are claimed": after(processing.queue, "claim"),
    "a further try is counted": after(processing.queue, "begin"),
    "the batch is locked": after(processing.queue, "lock"),
    "they are marked as handled": after(processing, "_mark_handled"),
    "the effects are written but not committed": after(Effects, "write"),
    "the batch is committed": after(processing, "_handle"),
}
"""The steps from a delivery to its effect."""
FETCHING: dict[str, Moment] = {
    "the marks are claimed": after(marks, "claim"),
    "the attempt is counted": after(marks, "begin"),
    "the answer is in hand": before(marks, "record_outcome"),
    "the row is written": after(Mirror, "store"),
    "the change is told": after(marks, "touch_areas"),
    "the mark is settled but not committed": after(StaleMark, "save"),
    "the fetch is committed": after(marks, "record_outcome"),
}
"""The steps from a mark to the mirror."""


def put(tenant_id: int, object_ids: list[str], *, tried: bool = False) -> None:
    """Have deliveries kept that name these objects, as new ones or as those that have failed before."""
    with tenant_scope(tenant_id):
        endpoint = ensure_endpoints()[0]
        for object_id in object_ids:
            body = json.dumps({"questionnaire": {"id": object_id}}).encode()
            store_delivery(endpoint, Verified(object_id, timestamp=0, secret_index=0), body=body)
        Delivery.objects.filter(hook_id__in=object_ids).update(attempts=int(tried))


def handle(tenant_id: int) -> int:
    """Handle what is due; return how many deliveries were taken on."""
    with tenant_scope(tenant_id):
        return process(ROUTES)


def mark(tenant_id: int, object_id: str) -> None:
    with tenant_scope(tenant_id):
        mark_stale(QUESTIONNAIRE, object_id)


def fetch(tenant_id: int, kind: str = QUESTIONNAIRE) -> list[str]:
    """Fetch what is marked of a kind; return what became of each."""
    with tenant_scope(tenant_id):
        outcomes = drain(MIRRORS, client_for(Urgency.PERSON), among=Q(kind=kind))
    return [outcome.result for outcome in outcomes]


def shown(tenant_id: int, object_id: str) -> dict[str, Any]:
    """Return the status that pages show, whether it is still to be fetched, and how often open pages were told of changes."""
    with tenant_scope(tenant_id):
        return {
            "status": Questionnaire.objects.values_list("status", flat=True).filter(platform_id=object_id).first(),
            "is_waiting": StaleMark.objects.waiting().filter(kind=QUESTIONNAIRE, object_id=object_id).exists(),
            "told": Area.objects.values_list("version", flat=True).filter(name=AREA).first() or 0,
        }


def handle_and_stop(tenant_id: int, moment: str) -> int:
    stop_at(HANDLING[moment], signal.SIGSTOP)
    return handle(tenant_id)


def fetch_and_stop(tenant_id: int, moment: str) -> list[str]:
    stop_at(FETCHING[moment], signal.SIGSTOP)
    return fetch(tenant_id)


def die_handling(tenant_id: int, moment: str) -> int:
    return in_a_child(lambda: stop_at(HANDLING[moment], signal.SIGKILL), lambda: handle(tenant_id))


def die_fetching(tenant_id: int, moment: str) -> int:
    return in_a_child(lambda: stop_at(FETCHING[moment], signal.SIGKILL), lambda: fetch(tenant_id))


def handle_poison(tenant_id: int, object_id: str) -> int:
    """Handle what is due, in a child that is killed by the delivery that names this object."""

    def poisoned(events: Sequence[QuestionnaireChanged], effects: Effects) -> None:
        ROUTES[QuestionnaireChanged](events, effects)
        if any(event.questionnaire_id == object_id for event in events):
            os.kill(os.getpid(), signal.SIGKILL)

    def work() -> None:
        with tenant_scope(tenant_id):
            process({QuestionnaireChanged: poisoned})

    return in_a_child(work)


def in_a_child(*steps: Callable[[], object]) -> int:
    """Take these steps in a child process; return the signal that ended it, 0 when it came to its own end.

    A child and not a new process: it has imported everything, so that a test can afford hundreds of deaths. It shares no
    connection with its parent: what the platform closes behind the one would fail the other.
    """
    connections.close_all()
    http_session().close()
    child = os.fork()
    if not child:
        try:
            for step in steps:
                step()
        finally:
            os._exit(0)
    return os.WTERMSIG(os.waitpid(child, 0)[1])


def most_attempts() -> int:
    return MAX_ATTEMPTS


COMMANDS: dict[str, Callable[..., Any]] = {
    command.__name__: command
    for command in (
        *(put, handle, mark, fetch, shown, handle_and_stop, fetch_and_stop),
        *(die_handling, die_fetching, handle_poison, most_attempts),
    )
}
