"""Guarantee R3: a figure stands only for what was looked at."""

import pytest
from django.utils import timezone

from portal.connections.models import Connection, State
from portal.sync import selectors
from portal.sync.models import Run, RunState
from portal.sync.readiness import readiness
from portal.tenants.scope import tenant_scope


@pytest.fixture
def looked_at(connected, scoped):
    """Both kinds were read to their end."""
    for kind in ("questionnaire", "access_request"):
        Run.objects.create(kind=kind, title=kind.title(), area="x", state=RunState.DONE, seen=3, finished_at=timezone.now())


def requests():
    return readiness("access_request", needs_trust_center=True)


def test_r3_a_complete_copy_needs_no_reservation(looked_at):
    assert requests().is_current
    assert requests().reservation == ""


def test_r3_before_the_first_look_nothing_is_known(connected, scoped):
    assert not requests().is_known
    assert requests().is_fetching
    assert requests().reservation == "Not checked yet"


def test_r3_a_tenant_that_was_never_connected_knows_nothing(scoped):
    assert not requests().is_known
    assert requests().reservation == "Not connected"


def test_r3_without_the_trust_center_id_requests_are_not_known_and_questionnaires_are(looked_at):
    Connection.objects.update(slug_id="")
    Run.objects.filter(kind="access_request").update(state=RunState.BLOCKED, finished_at=None, error="No id.")
    assert not requests().is_known
    assert "Trust Center id" in requests().reservation
    assert readiness("questionnaire").is_current


def test_r3_what_was_read_before_the_trust_center_id_was_lost_is_dated(looked_at):
    Connection.objects.update(slug_id="")
    assert requests().is_known
    assert not requests().is_current
    assert "Trust Center id" in requests().reservation


@pytest.mark.parametrize("state", [State.NEEDS_RECONNECTION, State.DISCONNECTED, State.UNCONFIRMED])
def test_r3_what_was_seen_before_the_connection_ended_is_dated(looked_at, state):
    Connection.objects.update(state=state)
    found = readiness("questionnaire", "access_request")
    assert found.is_known
    assert not found.is_current
    assert found.as_of == min(Run.objects.values_list("finished_at", flat=True))


def test_r3_one_kind_of_two_that_was_never_complete_is_not_known(looked_at):
    Run.objects.filter(kind="questionnaire").update(finished_at=None)
    assert not readiness("questionnaire", "access_request").is_known
    Run.objects.filter(kind="questionnaire").delete()
    assert not readiness("questionnaire", "access_request").is_known


def test_r3_a_comparison_that_fails_leaves_a_dated_figure(looked_at):
    Run.objects.filter(kind="access_request").update(state=RunState.FAILED, error="It broke.")
    assert requests().is_known
    assert not requests().is_current
    assert requests().problem == "It broke."


def test_r3_an_ended_connection_has_no_green_line(looked_at, acme):
    with tenant_scope(acme.pk):
        assert {line.tone for line in selectors.progress()} == {"good"}
        Run.objects.update(state=RunState.RUNNING)
        assert any(line.is_running for line in selectors.progress())
        Connection.objects.update(state=State.NEEDS_RECONNECTION)
        assert {line.tone for line in selectors.progress()} == {"muted"}
        assert not any(line.is_running for line in selectors.progress())
