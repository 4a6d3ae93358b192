"""What a process of the house can be told about the access desk: to decide, to send what was decided, to die."""

import signal
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from portal.access_requests import services
from portal.access_requests.mirror import MIRRORS
from portal.access_requests.models import FULL, AccessRequest, Decision
from portal.access_requests.services import Terms, answers, due_decisions
from portal.access_requests.services.due_decisions import send_due
from portal.access_requests.services.verification import REQUEST
from portal.connections.models import CallWindow, Connection
from portal.connections.services import Urgency, client_for
from portal.tenants.scope import tenant_scope
from tests.faults.moments import Moment, after, before, stop_at
from tests.faults.mortal import in_a_child
from tests.support.members import find_member

SENDING: dict[str, Moment] = {
    "the half minute is over": before(due_decisions, "claim"),
    "a worker has taken it": after(due_decisions, "claim"),
    "the call is about to leave": before(due_decisions, "_send_off"),
    "the platform has decided": after(due_decisions, "_send_off"),
    "it is settled but not committed": after(answers, "record_outcome"),
    "it is committed": after(due_decisions, "accept"),
}
"""The steps from a decision to its outcome."""


def copy_requests(tenant_id: int, slug_id: str) -> None:
    """Copy the platform's requests, as the comparison of whole lists does."""
    with tenant_scope(tenant_id):
        Connection.objects.update(slug_id=slug_id)
        mirror = next(mirror for mirror in MIRRORS if mirror.kind == REQUEST)
        assert mirror.page
        cursor, is_more = None, True
        while is_more:
            page = mirror.page(client_for(Urgency.PERSON), cursor)
            with transaction.atomic():
                for item in page.items:
                    mirror.save(item)
            cursor = page.next_cursor
            is_more = cursor is not None


def approve_next(tenant_id: int) -> str:
    """Approve the request that waits longest, and let its half minute pass; return its id on the platform."""
    with tenant_scope(tenant_id):
        row = AccessRequest.objects.pending().order_by("created_at", "id").first()
        assert row
        member = find_member(tenant=tenant_id)
        decision = services.schedule_decision(row, verb="approve", terms=Terms(access_level=FULL), member=member)
        Decision.objects.filter(pk=decision.pk).update(send_at=timezone.now() - timedelta(seconds=1))
        return row.platform_id


def send_decisions(tenant_id: int) -> None:
    with tenant_scope(tenant_id):
        send_due()


def die_sending(tenant_id: int, moment: str) -> int:
    return in_a_child(lambda: stop_at(SENDING[moment], signal.SIGKILL), lambda: send_decisions(tenant_id))


def pass_lease(tenant_id: int) -> None:
    """Let the lease of a dead worker be over."""
    with tenant_scope(tenant_id):
        Decision.objects.exclude(lease_until=None).update(lease_until=timezone.now() - timedelta(seconds=1))
        CallWindow.objects.all().delete()


def decision_of(tenant_id: int, platform_id: str) -> dict[str, Any]:
    """Return how the one decision about a request ended, and what its page says."""
    with tenant_scope(tenant_id):
        row = AccessRequest.objects.get(platform_id=platform_id)
        return {"state": row.decisions.get().state, "outcome": row.outcome}


COMMANDS: dict[str, Callable[..., Any]] = {
    command.__name__: command for command in (copy_requests, approve_next, send_decisions, die_sending, pass_lease, decision_of)
}
