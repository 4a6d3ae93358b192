"""T9: a connect is held back before the consent screen, where waiting costs nothing; a code is exchanged in time."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from portal.connections.models import AuthorizationRequest, Region, State
from portal.connections.services import AuthorizationResponse, ConnectRefused, Urgency, complete_connect, start_connect
from portal.connections.services.budget import BudgetSpent, take_call
from portal.tenants.scope import all_tenants, tenant_scope
from portal.tenants.services import create_tenant
from tests.conftest import SESSION_KEY, make_user
from tests.support.budget import let_pass

URL = settings.PLATFORM_API_URL


@pytest.fixture
def people(db):
    """Eight owners, each of a tenant of their own."""
    owners = [make_user(f"owner{number}@many.example", f"Owner {number}") for number in range(8)]
    return [(create_tenant(f"Many {number}", owner=owner), owner) for number, owner in enumerate(owners)]


def begin(tenant, owner):
    with tenant_scope(tenant.pk):
        return start_connect(user=owner, region=Region.EU, session_key=SESSION_KEY)


def end(owner, query) -> str:
    return complete_connect(
        AuthorizationResponse(owner, session_key=SESSION_KEY, state=query["state"]), code=query["code"]
    ).state


def test_t9_of_eight_connects_in_a_minute_five_are_made_and_none_is_lost(people, sandbox):
    made, held_back = 0, []
    for tenant, owner in people:
        start = begin(tenant, owner)
        if start.wait_seconds:
            held_back.append(start.wait_seconds)
            continue
        account = sandbox.create_tenant(name=tenant.name, seed=tenant.pk)
        assert end(owner, sandbox.consent(start.url, account["tenant_id"])) == State.ACTIVE
        made += 1
    assert (made, len(held_back)) == (5, 3)
    assert all(0 < seconds <= 61 for seconds in held_back)


def test_t9_three_people_on_the_consent_screen_hold_a_call_each(people, sandbox):
    walks = [(owner, begin(tenant, owner)) for tenant, owner in people[:3]]
    assert begin(*people[3]).wait_seconds > 0
    # Machines and people of other tenants leave the three calls alone.
    taken = 0
    with pytest.raises(BudgetSpent):
        for _ in range(5):
            take_call(URL, Urgency.PERSON)
            taken += 1
    assert taken == 2
    account = sandbox.create_tenant()["tenant_id"]
    assert {end(owner, sandbox.consent(start.url, account)) for owner, start in walks} <= {State.ACTIVE, State.UNCONFIRMED}


def test_t9_somebody_who_went_away_holds_nothing_for_long(people, sandbox):
    for tenant, owner in people[:3]:
        begin(tenant, owner)
    wait = begin(*people[3]).wait_seconds
    assert 60 < wait <= 120
    with all_tenants("the time passes for all"):
        AuthorizationRequest.objects.update(created_at=timezone.now() - timedelta(seconds=121))
    assert begin(*people[3]).url


def test_t9_one_person_holds_one_call_however_often_they_start(people, sandbox):
    for _ in range(4):
        assert begin(*people[0]).url
    assert begin(*people[1]).url


def test_t9_a_code_that_finds_no_call_ends_in_an_honest_restart(people, sandbox):
    tenant, owner = people[0]
    query = sandbox.consent(begin(tenant, owner).url, sandbox.create_tenant()["tenant_id"])
    with all_tenants("as if the hold had run out"):
        AuthorizationRequest.objects.update(created_at=timezone.now() - timedelta(minutes=3))
    for _ in range(5):
        take_call(URL, Urgency.PERSON)
    with pytest.raises(ConnectRefused) as refused:
        end(owner, query)
    assert refused.value.reason == "busy"
    assert sandbox.token_calls() == []


def test_t9_a_code_waits_a_few_seconds_for_its_call(people, sandbox):
    tenant, owner = people[0]
    start = begin(tenant, owner)
    with all_tenants("as if the hold had run out"):
        AuthorizationRequest.objects.update(created_at=timezone.now() - timedelta(minutes=3))
    for _ in range(5):
        take_call(URL, Urgency.PERSON)
    let_pass(58.5)
    query = sandbox.consent(start.url, sandbox.create_tenant()["tenant_id"])
    assert end(owner, query) == State.ACTIVE
