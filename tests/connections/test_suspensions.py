"""Guarantee T10: tokens that were cut are suspended in the end, once each, whatever the platform answers meanwhile."""

from collections.abc import Iterator

import pytest

from portal.connections.models import Connection, ExitRecord, State, Suspension
from portal.connections.services import disconnect, queue
from tests.support.clocks import Clocks, clocks

pytestmark = pytest.mark.once

AN_HOUR, BETWEEN_SWEEPS = 3600, 45
MAX_WAIT = 3600
"""Seconds after which the next try comes at the latest."""


@pytest.fixture
def moved(connected, scoped, sandbox) -> Iterator[Clocks]:
    with clocks(sandbox.app.extensions["sandbox"].clock) as made:
        yield made


def sweep(moved: Clocks, seconds: int) -> None:
    """Let time pass, with a worker that looks at the queue now and then."""
    for _ in range(seconds // BETWEEN_SWEEPS):
        moved.pass_time(BETWEEN_SWEEPS)
        queue.serve_all()


@pytest.mark.parametrize(
    ("kind", "value"),
    [("status", 429), ("status", 500), ("refuse_connection", None), ("drop_answer", None), ("status_after_work", 500)],
    ids=["429", "500", "no answer", "a time-out after the work", "500 after the work"],
)
def test_t10_an_hour_of_failures_leaves_no_token_and_one_confirmation_each(connected, sandbox, alice, moved, kind, value):
    sandbox.fail(kind, path="/oauth/token/suspend", value=value)
    disconnect(connected, actor=alice)
    sweep(moved, AN_HOUR)
    tried = len(sandbox.requests("/oauth/token/suspend"))
    assert 2 < tried < 70, "it goes on trying, and not as fast as it can"
    assert Suspension.objects.filter(confirmed_at=None).count() == 2
    assert Connection.objects.get().state == State.DISCONNECTED
    sandbox.control("DELETE", "/faults")
    sweep(moved, MAX_WAIT)
    check_all_is_over(sandbox, connected, tried)


def check_all_is_over(sandbox, connection: Connection, tried: int) -> None:
    suspended = sandbox.requests("/oauth/token/suspend")[tried:]
    assert [call["status"] for call in suspended] == [200, 200], "each of the two tokens once"
    for suspension in Suspension.objects.all():
        assert suspension.confirmed_at
        assert (bytes(suspension.token), bytes(suspension.client_secret), suspension.last_error) == (b"", b"", "")
    row = Connection.objects.get()
    assert (bytes(row.access_token), bytes(row.refresh_token), bytes(row.previous_refresh_token)) == (b"", b"", b"")
    assert sandbox.app.extensions["sandbox"].grants.living(sandbox.control("GET", "/tenants")[0]["tenant_id"]) == []
    events = [str(event) for event in ExitRecord.objects.get().content["events"]]
    assert sum("confirmed that a token is suspended" in event for event in events) == 2
