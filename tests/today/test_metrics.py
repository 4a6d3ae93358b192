"""/metrics: what operators watch, over all tenants together and without naming one."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.connections.models import Connection
from portal.connections.services import TokenBusy, Urgency, access_token
from portal.connections.services.budget import close
from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.tasks import process_deliveries
from portal.tenants.scope import tenant_scope


@pytest.fixture
def numbers(client):
    """The page as name → value."""

    def read() -> dict[str, float]:
        lines = client.get("/metrics").content.decode().splitlines()
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if not line.startswith("#"))}

    return read


def test_deliveries_are_counted_by_what_became_of_them(connected, acme, deliver, numbers):
    before = numbers()
    for hook_id in ("msg_m1", "msg_m1", "msg_m2"):
        deliver({"questionnaire": {"id": "q1"}}, hook_id=hook_id)
    assert numbers()["portal_deliveries_waiting"] == 2
    process_deliveries(acme.pk)
    deliver({"questionnaire": {"id": "q1"}}, hook_id="msg_m1")
    deliver({"questionnaire": {"id": "q1"}}, secret="whsec_d3Jvbmctc2VjcmV0LXdyb25n")
    after = numbers()

    def grown(name: str) -> float:
        return after[name] - before.get(name, 0.0)

    # The second came while the first waited: known, and work left.
    assert grown("portal_deliveries_accepted_total") == 3
    assert grown("portal_deliveries_duplicate_total") == 1
    assert grown('portal_deliveries_rejected_total{reason="signature or form"}') == 1
    assert grown("portal_drain_seconds_count") == 1
    assert after["portal_deliveries_waiting"] == 0


def test_lag_dead_rows_and_silence_are_read_when_asked(connected, acme, deliver, numbers):
    deliver({"questionnaire": {"id": "q1"}}, hook_id="msg_old")
    deliver({"questionnaire": {"id": "q2"}}, hook_id="msg_dead")
    with tenant_scope(acme.pk):
        Delivery.objects.filter(hook_id="msg_old").update(received_at=timezone.now() - timedelta(hours=2))
        Delivery.objects.filter(hook_id="msg_dead").update(state=DeliveryState.DEAD)
    read = numbers()
    assert read["portal_deliveries_dead"] == 1
    assert 7200 <= read["portal_deliveries_lag_seconds"] < 7260
    assert read["portal_feeds_silent"] == 0


def test_grants_and_the_budget_are_read_and_no_tenant_is_named(connected, acme, numbers, client):
    with tenant_scope(acme.pk):
        Connection.objects.update(access_expires_at=None, attempted_at=timezone.now() - timedelta(minutes=20))
        close("http://127.0.0.1:8001", seconds=300)
        with pytest.raises(TokenBusy):
            access_token(connected, Urgency.NEWS)
    read = numbers()
    assert read['portal_connections{state="active"}'] == 1
    assert read['portal_token_waiting{endpoint="http://127.0.0.1:8001",urgency="news"}'] == 1
    assert 1200 <= read["portal_oldest_attempt_seconds"] < 1260
    assert b"cme" not in client.get("/metrics").content


TOKEN = "a-token-of-the-collector-0123456789"


@pytest.mark.parametrize(
    ("shown", "status"),
    [(f"Bearer {TOKEN}", 200), ("", 401), (TOKEN, 401), (f"Bearer {TOKEN}x", 401), ("Bearer ", 401), ("Bearer ü", 401)],
)
@pytest.mark.django_db
def test_s6_with_a_token_only_who_shows_it_reads(client, settings, shown, status):
    settings.METRICS_TOKEN = TOKEN
    answer = client.get("/metrics", headers={"Authorization": shown} if shown else {})
    assert answer.status_code == status
    assert (b"portal_" in answer.content) == (status == 200)


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ({"REMOTE_ADDR": "127.0.0.1"}, 200),
        ({"REMOTE_ADDR": "::1"}, 200),
        ({"REMOTE_ADDR": "192.0.2.1"}, 403),
        ({"REMOTE_ADDR": ""}, 403),
        # A proxy on this machine stands for others.
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "127.0.0.1"}, 403),
    ],
)
@pytest.mark.django_db
def test_s6_without_a_token_only_this_machine_reads(client, origin, status):
    answer = client.get("/metrics", **origin)
    assert answer.status_code == status
    assert (b"portal_" in answer.content) == (status == 200)
