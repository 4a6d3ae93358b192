"""Guarantee H10: a flood of forged posts leaves nothing behind, and shuts nobody out."""

import json
import logging
import statistics
import time
from collections import Counter
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from prometheus_client import REGISTRY

from portal.inbox import views
from portal.inbox.models import Delivery
from portal.inbox.services import floods, limits
from portal.tenants.scope import tenant_scope
from tests.inbox.conftest import path_of, post, send, sign

pytestmark = pytest.mark.once

FORGED = 10_000
WRONG = "whsec_" + "QUFB" * 11
BODY = json.dumps({"questionnaire": {"id": "canary-of-a-forger"}})
FEW = limits.MAX_OF_AN_ENDPOINT


def forge(endpoint, count: int, *, address: str = "192.0.2.7", **headers: str) -> Counter[int]:
    """Post forged deliveries, with all that a sender can know but the secret; return how they were answered."""
    forged = sign(BODY, secret=WRONG) | headers
    return Counter(
        Client(REMOTE_ADDR=address)
        .post(path_of(endpoint), data=BODY, content_type="application/json", headers=forged)
        .status_code
        for _ in range(count)
    )


def refused(reason: str = "signature or form") -> float:
    return REGISTRY.get_sample_value("portal_deliveries_rejected_total", {"reason": reason}) or 0.0


@pytest.fixture
def clock(monkeypatch) -> Callable[[float], None]:
    """Stop the clock of the limits; it goes on when told, and no timer sums up in between."""
    now = [time.monotonic()]
    monkeypatch.setattr(limits.Floods, "_sum_up_later", lambda self: None)
    monkeypatch.setattr(limits, "monotonic", lambda: now[0])
    return lambda seconds: now.__setitem__(0, now[0] + seconds)


def test_h10_ten_thousand_forged_posts_leave_nothing_behind_and_shut_nobody_out(catch_all, clock, rows, caplog):
    """Straight into the view: what the middleware adds is the same for every request of the site."""
    counted, seconds = refused(), list[float]()
    headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in sign(BODY, secret=WRONG).items()}
    forged = RequestFactory().post(path_of(catch_all), data=BODY, content_type="application/json", **headers)
    answers: Counter[int] = Counter()
    for number in range(FORGED):
        answers[views.receive(forged, catch_all.public_id).status_code] += 1
        if number % 1000 == 999:
            started = time.perf_counter()
            assert send(catch_all, {"questionnaire": {"id": f"q{number}"}}).status_code == 204
            seconds.append(time.perf_counter() - started)
    assert answers == {400: FEW, 429: FORGED - FEW}
    assert statistics.median(seconds) < 1
    assert len(rows()) == FORGED / 1000
    assert refused() - counted == FORGED
    floods.sum_up()
    assert len(caplog.records) == limits.LINES + 1
    assert f"{FORGED - limits.LINES} x a delivery was refused: no signature fits" in caplog.records[-1].getMessage()
    assert "canary" not in caplog.text


def test_h10_a_flood_is_told_to_wait_and_whoever_can_sign_is_not(catch_all, rows):
    assert forge(catch_all, FEW + 5) == {400: FEW, 429: 5}
    # The same endpoint and the same address as the forger's.
    good = Client(REMOTE_ADDR="192.0.2.7").post(
        path_of(catch_all), data=BODY, content_type="application/json", headers=sign(BODY)
    )
    assert good.status_code == 204
    assert len(rows()) == 1


def test_h10_the_answer_says_when_to_come_back_and_then_it_is_over(catch_all, clock):
    forge(catch_all, FEW)
    answer = post(path_of(catch_all), BODY, sign(BODY, secret=WRONG))
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")
    clock(60)
    assert forge(catch_all, 1) == {400: 1}


def test_h10_one_forger_at_many_addresses_is_one_flood(endpoints):
    each = [*endpoints.values()]
    answers = sum((forge(each[number % len(each)], 1) for number in range(limits.MAX_OF_AN_ADDRESS + 3)), Counter())
    assert answers == {400: limits.MAX_OF_AN_ADDRESS, 429: 3}
    assert forge(each[0], 1, address="198.51.100.9") == {400: 1}


def test_h10_nobody_gets_a_new_limit_by_saying_to_be_somebody_else(endpoints):
    each = [*endpoints.values()]
    answers: Counter[int] = Counter()
    for number in range(limits.MAX_OF_AN_ADDRESS + 3):
        said = {
            "X-Forwarded-For": f"203.0.113.{number}",
            "Forwarded": f"for=203.0.113.{number}",
            "X-Real-Ip": f"10.0.0.{number}",
        }
        answers += forge(each[number % len(each)], 1, **said)
    assert answers == {400: limits.MAX_OF_AN_ADDRESS, 429: 3}
    # Nor does anybody have somebody else limited.
    assert forge(each[0], 1, address="203.0.113.1") == {400: 1}


def test_h10_forgers_behind_the_same_proxy_are_counted_one_by_one(endpoints, settings):
    settings.TRUSTED_PROXIES = 1
    each, answers = [*endpoints.values()], Counter()
    for number in range(limits.MAX_OF_AN_ADDRESS + 3):
        forwarded = f"192.0.2.{number}, 203.0.113.7"
        answers += forge(each[number % len(each)], 1, address="10.0.0.2", **{"X-Forwarded-For": forwarded})
    assert answers == {400: limits.MAX_OF_AN_ADDRESS, 429: 3}
    assert forge(each[0], 1, address="10.0.0.2", **{"X-Forwarded-For": "203.0.113.8"}) == {400: 1}


def test_h10_an_address_that_does_not_exist_is_looked_up_once_in_a_while(db, clock):
    gone = "x" * 32
    with CaptureQueriesContext(connection) as queries:
        answers = Counter(post(f"/hooks/{gone}/", BODY, sign(BODY)).status_code for _ in range(FEW + 5))
    assert answers == {404: FEW, 429: 5}
    assert len(queries) == 1
    clock(limits.UNKNOWN_SECONDS + 1)
    with CaptureQueriesContext(connection) as queries:
        post(f"/hooks/{gone}/", BODY, sign(BODY))
    assert len(queries) == 1


def test_h10_what_is_remembered_of_a_flood_has_an_end(catch_all, monkeypatch):
    monkeypatch.setattr(limits, "MAX_REMEMBERED", 10)
    for number in range(200):
        floods.count(public_id=f"{number:032}", address=f"192.0.2.{number}")
        floods.note_unknown(f"{number:032}")
    assert len(floods._counts) <= 11
    assert len(floods._unknown) <= 10
    assert send(catch_all, {"questionnaire": {"id": "q1"}}).status_code == 204


def test_h10_a_good_delivery_asks_the_database_nothing_more_during_a_flood(catch_all, django_assert_num_queries):
    forge(catch_all, FEW + 5)
    with django_assert_num_queries(2):
        assert send(catch_all, {"questionnaire": {"id": "q1"}}).status_code == 204


def test_h10_gone_stays_gone_in_a_flood(catch_all, acme, monkeypatch):
    """410 is what tells the platform to stop; 429 would have it come back."""
    monkeypatch.setattr(limits, "MAX_OF_AN_ENDPOINT", 0)
    from tests.inbox.test_receiver import disconnect

    disconnect(acme, connected_at=catch_all.created_at)
    assert send(catch_all, {}).status_code == 410


@pytest.mark.parametrize("method", ["get", "put"])
def test_h10_what_is_no_delivery_is_counted_and_bounded_too(catch_all, method, caplog):
    counted = refused("method")
    answers = [getattr(Client(), method)(path_of(catch_all)) for _ in range(40)]
    assert {answer.status_code for answer in answers} == {405}
    assert answers[0]["Allow"] == "POST"
    assert refused("method") - counted == 40
    assert len(caplog.records) <= limits.LINES


def test_h10_a_foreign_host_header_is_not_repeated_in_the_log(catch_all, caplog):
    assert (
        Client().post(path_of(catch_all), data=BODY, content_type="text/plain", HTTP_HOST="canary.example").status_code == 400
    )
    assert "canary" not in caplog.text


def test_a_failure_of_ours_on_the_hook_is_still_logged():
    record = logging.makeLogRecord({"status_code": 500, "request": RequestFactory().post("/hooks/x/")})
    kept = logging.getLogger("django.request").filters
    assert all(each.filter(record) for each in kept)
    record.status_code = 400
    assert not all(each.filter(record) for each in kept)


def test_a_database_that_is_down_does_not_fill_the_log(catch_all, acme, caplog):
    from tests.inbox.test_receiver import failing

    with failing("inbox_endpoint"):
        assert {send(catch_all, {}).status_code for _ in range(40)} == {503}
    assert len(caplog.records) <= limits.LINES
    with tenant_scope(acme.pk):
        assert not Delivery.objects.exists()
