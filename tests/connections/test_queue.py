"""Who waits for a token waits in a row, one per tenant, and whoever comes by serves the one whose turn it is."""

import time
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import OperationalError
from django.utils import timezone

from portal.connections.error_messages import IN_LINE
from portal.connections.models import Connection, State, Suspension, TokenEndpoint, TokenRequest
from portal.connections.selectors import usage
from portal.connections.services import TokenBusy, Urgency, Waiting, access_token, disconnect, queue, token_refresh
from portal.connections.services.budget import take_call
from portal.connections.services.leases import take_lease
from portal.connections.signals import token_arrived
from portal.connections.tasks import keep_grants_alive, serve_token_queue
from portal.inbox.routes import MIRRORS
from portal.sync.models import StaleMark
from portal.sync.services import drain_tenant, mark_stale, resume
from portal.tenants.scope import all_tenants, tenant_scope
from portal.tenants.services import create_tenant
from tests.conftest import connect
from tests.support.budget import forget_calls, let_pass
from tests.support.turns import fails_in

URL = settings.PLATFORM_API_URL


@pytest.fixture
def tenants(sandbox, alice):
    """Four connected tenants whose tokens have run out."""
    made = []
    for number in range(4):
        tenant = create_tenant(f"Waiting {number}", owner=alice)
        account = sandbox.create_tenant(name=tenant.name, seed=number + 50)
        with tenant_scope(tenant.pk):
            connection = connect(sandbox, account, alice)
            Connection.objects.update(access_expires_at=timezone.now() - timedelta(seconds=1))
        made.append(connection)
        pass_a_minute(sandbox)
    return made


def pass_a_minute(sandbox) -> None:
    """On both sides: the sandbox counts for itself."""
    forget_calls()
    sandbox.advance(61)


def use_up_all_but(left: int) -> None:
    for _ in range(5 - left):
        take_call(URL, Urgency.CODE)


def ask(connection: Connection, urgency: Urgency, *, work: int = 1, minutes: int = 0) -> str:
    since = timezone.now() - timedelta(minutes=minutes)
    with tenant_scope(connection.tenant_id):
        return access_token(connection, urgency, waiting=Waiting(work, since))


def stand_in_line(connection: Connection, urgency: Urgency, **waiting: int) -> None:
    with pytest.raises(TokenBusy):
        ask(connection, urgency, **waiting)


def has_token(connection: Connection) -> bool:
    with tenant_scope(connection.tenant_id):
        return Connection.objects.get().has_live_token(timezone.now())


def test_t08_an_idle_system_serves_a_machine_at_once(tenants):
    assert ask(tenants[0], Urgency.NEWS)
    assert not has_token(tenants[1])


def test_t08_machines_leave_calls_for_people(tenants):
    for connection in tenants[:3]:
        assert ask(connection, Urgency.NEWS)
    stand_in_line(tenants[3], Urgency.NEWS)
    assert ask(tenants[3], Urgency.PERSON)


def test_t08_one_request_per_tenant_promoted_when_a_person_arrives(tenants):
    use_up_all_but(0)
    for urgency in (Urgency.PERIODIC, Urgency.NEWS, Urgency.NEWS):
        stand_in_line(tenants[0], urgency)
    stand_in_line(tenants[0], Urgency.PERSON)
    stand_in_line(tenants[0], Urgency.PERIODIC)
    with all_tenants("a look of a test"):
        (request,) = TokenRequest.objects.all()
    assert request.urgency == Urgency.PERSON


def test_t08_people_go_first_then_ended_grants_then_the_most_work_for_the_longest_time(tenants, alice, sandbox):
    use_up_all_but(0)
    stand_in_line(tenants[0], Urgency.NEWS, work=3, minutes=10)
    stand_in_line(tenants[1], Urgency.NEWS, work=50, minutes=10)
    stand_in_line(tenants[2], Urgency.PERSON)
    with tenant_scope(tenants[3].tenant_id):
        disconnect(tenants[3], actor=alice)
    served = []
    for _ in range(5):
        pass_a_minute(sandbox)
        assert queue.serve(URL)
        served.append((*(has_token(connection) for connection in tenants[:3]), ended()))
    assert served == [
        (False, False, True, 0),
        (False, False, True, 1),
        (False, False, True, 2),
        (False, True, True, 2),
        (True, True, True, 2),
    ]
    assert not queue.serve(URL)


def ended() -> int:
    with all_tenants("a look of a test"):
        return Suspension.objects.exclude(confirmed_at=None).count()


def test_t08_a_person_who_waits_gets_the_next_call_that_is_free(tenants):
    use_up_all_but(0)
    let_pass(55)
    stand_in_line(tenants[0], Urgency.NEWS)
    assert ask(tenants[1], Urgency.PERSON)
    assert not has_token(tenants[0])


def test_t08_whoever_waits_in_vain_is_told_and_keeps_the_place(tenants):
    use_up_all_but(0)
    with pytest.raises(TokenBusy) as busy:
        ask(tenants[0], Urgency.PERSON)
    assert 50 < busy.value.retry_after <= 61
    forget_calls()
    assert queue.serve(URL)
    assert has_token(tenants[0])


def test_a_request_of_a_tenant_that_left_is_not_served(tenants, alice):
    use_up_all_but(0)
    stand_in_line(tenants[0], Urgency.NEWS)
    with tenant_scope(tenants[0].tenant_id):
        disconnect(tenants[0], actor=alice)
        Suspension.objects.update(confirmed_at=timezone.now())
    forget_calls()
    assert not queue.serve(URL)


def test_the_page_counts_who_waits(tenants):
    use_up_all_but(0)
    stand_in_line(tenants[0], Urgency.NEWS, minutes=10)
    stand_in_line(tenants[1], Urgency.NEWS, minutes=3)
    stand_in_line(tenants[2], Urgency.PERSON)
    used = usage(URL, ["us", "eu", "au", "gov"])
    assert (used.used, used.of) == (5, 5)
    assert [(line.urgency, line.tenants) for line in used.lines] == [(Urgency.PERSON, 1), (Urgency.NEWS, 2)]
    assert used.minutes_of_backlog == 1
    assert used.oldest < timezone.now() - timedelta(minutes=9)


def test_a_token_that_arrives_wakes_the_work_that_waited_for_it(tenants):
    use_up_all_but(0)
    heard = []
    token_arrived.connect(heard.append, weak=False, dispatch_uid="heard")
    with tenant_scope(tenants[0].tenant_id):
        mark_stale("questionnaire", "65f1b2c3d4e5f6a7b8c9d0e1")
        drain_tenant(MIRRORS)
        mark = StaleMark.objects.get()
        assert (mark.last_error.startswith(IN_LINE), mark.attempts) == (True, 0)
        assert mark.due_at > timezone.now()
        request = TokenRequest.objects.get()
        assert (request.urgency, request.work) == (Urgency.NEWS, 1)
        resume()
        assert StaleMark.objects.get().due_at <= timezone.now()
    token_arrived.disconnect(dispatch_uid="heard")


def test_t02_an_unconfirmed_or_ended_grant_takes_no_lease(connected, scoped):
    for state in (State.UNCONFIRMED, State.NEEDS_RECONNECTION, State.DISCONNECTED):
        Connection.objects.update(state=state)
        assert take_lease(Connection.objects.get()) is None


def test_t11_a_lease_of_a_clock_that_was_ahead_is_none(connected, scoped):
    Connection.objects.update(lease_owner="another", lease_until=timezone.now() + timedelta(hours=1))
    assert take_lease(Connection.objects.get())


def test_t11_a_clock_that_was_set_back_costs_one_401_and_one_mint(connected, scoped, sandbox):
    # The portal's clock was an hour ahead when the token was stored: it believes it to live an hour longer than it does.
    Connection.objects.update(access_expires_at=timezone.now() + timedelta(hours=2))
    sandbox.advance(3700)
    stale = connected.open("access_token")
    calls = len(sandbox.token_calls())
    assert access_token(connected, Urgency.PERSON) == stale
    fresh = access_token(connected, Urgency.PERSON, stale=stale)
    assert fresh != stale
    assert access_token(connected, Urgency.PERSON) == fresh
    assert len(sandbox.token_calls()) == calls + 1


def test_t11_a_clock_that_was_set_forward_costs_one_mint(connected, scoped, sandbox):
    Connection.objects.update(access_expires_at=timezone.now() - timedelta(hours=1))
    calls = len(sandbox.token_calls())
    assert access_token(connected, Urgency.PERSON) == access_token(connected, Urgency.PERSON)
    assert len(sandbox.token_calls()) == calls + 1


def test_t05_a_database_that_lost_its_last_commits_refreshes_on(connected, scoped, sandbox):
    before = Connection.objects.values().get()
    for _ in range(2):
        Connection.objects.update(access_expires_at=None)
        access_token(connected, Urgency.PERSON)
    sandbox.advance(2 * 3600)
    # The dump of two hours ago is put back: its refresh token was used since, and is in its three hours.
    Connection.objects.update(**{name: value for name, value in before.items() if name not in ("id", "tenant_id")})
    Connection.objects.update(access_expires_at=None)
    forget_calls()
    assert access_token(connected, Urgency.PERSON)
    assert Connection.objects.get().state == State.ACTIVE


def test_the_operator_is_told_once_when_a_days_calls_are_nearly_used_up(db, caplog):
    hour = int(time.time()) // 3600
    TokenEndpoint.objects.create(url=URL, hours={str(hour - back): 285 for back in range(24)})
    for _ in range(2):
        keep_grants_alive()
    (told,) = [record for record in caplog.records if record.name == "portal.connections.services.alarms"]
    assert "96 %" in told.getMessage()
    TokenEndpoint.objects.update(hours={str(hour - back): 100 for back in range(24)}, busy_told_at=None)
    keep_grants_alive()
    assert TokenEndpoint.objects.get().busy_told_at is None


def test_t02_an_error_nobody_expected_keeps_its_lease_and_no_others_from_their_tokens(tenants, sandbox, monkeypatch):
    use_up_all_but(0)
    for connection in tenants[:2]:
        stand_in_line(connection, Urgency.NEWS)
    pass_a_minute(sandbox)
    began_at = timezone.now()
    with monkeypatch.context() as patched:
        patched.setattr(token_refresh, "store", fails_in(tenants[0].tenant, token_refresh.store))
        serve_token_queue()
    assert [has_token(connection) for connection in tenants[:2]] == [False, True]
    with all_tenants("who waits is of no tenant"):
        request = TokenRequest.objects.get()
        assert request.connection_id == tenants[0].pk
        assert request.due_at > began_at
        assert Connection.objects.get(pk=tenants[0].pk).is_leased(began_at)
        TokenRequest.objects.update(due_at=timezone.now())
        Connection.objects.filter(pk=tenants[0].pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    pass_a_minute(sandbox)
    serve_token_queue()
    assert has_token(tenants[0])


def test_t02_an_error_that_stays_spends_fewer_and_fewer_calls(tenants, sandbox, monkeypatch):
    monkeypatch.setattr(token_refresh, "store", fails_in(tenants[0].tenant, token_refresh.store))
    stand_in_line(tenants[0], Urgency.NEWS)
    waits = []
    for _ in range(5):
        with all_tenants("who waits is of no tenant"):
            TokenRequest.objects.update(due_at=timezone.now())
            Connection.objects.filter(pk=tenants[0].pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        pass_a_minute(sandbox)
        serve_token_queue()
        with all_tenants("who waits is of no tenant"):
            waits.append(TokenRequest.objects.get().due_at - timezone.now())
    assert waits[-1] > timedelta(minutes=1)


def test_without_a_database_nobody_in_the_queue_is_put_off(tenants, sandbox, monkeypatch):
    use_up_all_but(0)
    stand_in_line(tenants[0], Urgency.NEWS)
    pass_a_minute(sandbox)

    def fail(*args):
        raise OperationalError("gone")

    monkeypatch.setattr(queue, "refresh_tokens", fail)
    with pytest.raises(OperationalError):
        serve_token_queue()
    with all_tenants("who waits is of no tenant"):
        assert TokenRequest.objects.get().due_at <= timezone.now()
