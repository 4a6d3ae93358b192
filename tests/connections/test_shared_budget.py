"""The budget of the token endpoint with many tenants in it: nobody starves, and a person does not wait for machines."""

import random
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from portal.connections.models import Connection, Region, State
from portal.connections.policy import WINDOW_SECONDS
from portal.connections.services import TokenBusy, Urgency, access_token, queue
from portal.connections.services.budget import BudgetSpent, take_call
from portal.connections.services.platform import call_token_endpoint
from portal.tenants.models import Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from tests.support.clocks import Clocks, clocks

pytestmark = pytest.mark.once

CROWD, PEOPLE = 400, 5
AT_ONCE = 13.0
"""Seconds that a person waits at most who is the only one; the patience of a page."""


@pytest.fixture
def moved(sandbox) -> Iterator[Clocks]:
    with clocks(sandbox.app.extensions["sandbox"].clock) as made:
        yield made


def test_t08_a_call_that_arrives_late_counts_from_when_it_arrived(db, moved):
    """The platform counts at its own door: five that were held up on the way must not be followed by a sixth too soon."""
    for _ in range(5):
        call_token_endpoint(None, Region.EU, Urgency.PERSON, lambda _: moved.pass_time(3))
    moved.pass_time(WINDOW_SECONDS - 5 * 3 + 0.1)
    with pytest.raises(BudgetSpent) as spent:
        take_call(settings.PLATFORM_API_URL, Urgency.PERSON)
    assert spent.value.retry_after == pytest.approx(2.9, abs=0.01)
    moved.pass_time(spent.value.retry_after)
    take_call(settings.PLATFORM_API_URL, Urgency.PERSON)


@pytest.fixture
def crowd(db, sandbox, platform_tenant, moved) -> list[Connection]:
    """Tenants whose access tokens have run out and whose machines all wait; while somebody sleeps, the machines go on.

    They are written as rows, because nobody walks through 400 consents.
    """
    grants, now = sandbox.app.extensions["sandbox"].grants, timezone.now()
    names = [Tenant(name=f"Tenant {number}", slug=f"tenant-{number}") for number in range(CROWD)]
    with all_tenants("rows for a test"):
        rows = [connected(tenant, grants, platform_tenant["tenant_id"]) for tenant in Tenant.objects.bulk_create(names)]
        rows = Connection.objects.bulk_create(rows)
    for number, row in enumerate(rows):
        urgency = (Urgency.NEWS, Urgency.BULK, Urgency.PERIODIC)[number % 3]
        with tenant_scope(row.tenant_id):
            queue.request_token(row, urgency, queue.Waiting(1 + number % 7, now - timedelta(minutes=7 * number)))

    moved.while_asleep = queue.serve_all
    return rows


def connected(tenant: Tenant, grants: Any, platform_id: str) -> Connection:
    row = Connection(tenant=tenant, region=Region.EU, state=State.ACTIVE, access_expires_at=timezone.now())
    client, source_id = settings.PLATFORM_CLIENT_ID, str(row.source_id)
    grant_id = grants._add_grant(client, source_id=source_id, tenant_id=platform_id, scope=settings.PLATFORM_SCOPES)
    issued = grants._mint(grant_id, client_id=client, source_id=source_id)
    row.refresh_token = row.seal("refresh_token", issued.refresh_token)
    return row


def seconds_until_served(row: Connection, moved: Clocks) -> float:
    """Ask for the token as a person does, who tries again when told to; return how long it took."""
    asked = time.time()
    with tenant_scope(row.tenant_id):
        while True:
            try:
                access_token(row, Urgency.PERSON)
                return time.time() - asked
            except TokenBusy as busy:
                moved.sleep(busy.retry_after)


def test_t08_a_person_does_not_wait_behind_four_hundred_tenants(crowd, sandbox, moved):
    choice, waits = random.Random(3), []
    moved.sleep(120)
    for row in choice.sample(crowd, PEOPLE):
        moved.sleep(choice.uniform(WINDOW_SECONDS, 90))
        waits.append(seconds_until_served(row, moved))
    assert max(waits) <= AT_ONCE, waits
    calls = [call["at"] for call in sandbox.token_calls()]
    minutes = (datetime.fromisoformat(calls[-1]) - datetime.fromisoformat(calls[0])).total_seconds() / 60
    assert len(calls) / minutes > 4.5, "pacing wastes nothing"
    check_budget(sandbox)


def test_t08_five_people_at_once_are_served_within_one_window(crowd, sandbox, moved):
    moved.sleep(120)
    asked = time.time()
    for row in crowd[::80]:
        seconds_until_served(row, moved)
    assert time.time() - asked <= WINDOW_SECONDS
    check_budget(sandbox)


def check_budget(sandbox) -> None:
    """Five calls in any minute, and none that the platform refused."""
    calls = sandbox.requests("/oauth/token")
    moments = [datetime.fromisoformat(call["at"]) for call in calls]
    between = [(later - earlier).total_seconds() for earlier, later in zip(moments, moments[5:], strict=False)]
    assert between
    assert min(between) > 60
    assert {call["status"] for call in calls} == {200}
