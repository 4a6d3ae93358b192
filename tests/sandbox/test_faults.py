"""Design 4: faults that tests switch on."""

import time
from typing import Any

import pytest

from tests.sandbox.platform import Platform

PATH = "/customer-trust/questionnaires"


def fault(platform: Platform, kind: str, **body: Any) -> None:
    platform.control("POST", "/faults", kind=kind, **body)


def statuses(platform: Platform, count: int, method: str = "GET", path: str = "/users") -> list[int]:
    return [platform.call(method, path).status_code for _ in range(count)]


def test_a_status_so_many_times(platform: Platform) -> None:
    platform.call("GET", "/users")
    fault(platform, "status", value=503, times=2)
    assert statuses(platform, 3) == [503, 503, 200]


def test_a_429_says_when_to_come_again(platform: Platform) -> None:
    platform.call("GET", "/users")
    fault(platform, "status", value=429, times=1)
    assert platform.call("GET", "/users").headers["Retry-After"]


def test_a_fault_without_times_lasts_until_it_is_cleared(platform: Platform) -> None:
    platform.call("GET", "/users")
    fault(platform, "status", value=500)
    assert statuses(platform, 3) == [500] * 3
    platform.control("DELETE", "/faults")
    assert statuses(platform, 1) == [200]


@pytest.mark.parametrize(
    ("match", "hit"),
    [
        ({"path": "/customer-trust"}, True),
        ({"path": "/v1/customer-trust/questionnaires"}, True),
        ({"path": "/customer-trust/*aires"}, True),
        ({"path": "/users"}, False),
        ({"method": "get"}, True),
        ({"method": "POST"}, False),
        ({"method": "GET", "path": "/trust-centers/*"}, False),
    ],
)
def test_a_fault_hits_its_method_and_path_only(platform: Platform, match: dict[str, str], hit: bool) -> None:
    platform.call("GET", "/users")
    fault(platform, "status", value=500, **match)
    assert statuses(platform, 1, path=PATH) == [500 if hit else 200]


def test_latency_slows_down_and_answers(platform: Platform) -> None:
    platform.call("GET", "/users")
    fault(platform, "latency", value=0.2, times=1)
    started = time.monotonic()
    assert statuses(platform, 1) == [200]
    assert time.monotonic() - started >= 0.2


def test_html_and_redirect(platform: Platform) -> None:
    platform.call("GET", "/users")
    fault(platform, "html", times=1)
    page = platform.call("GET", "/users")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    fault(platform, "redirect", value="https://elsewhere.test/v1/users", times=1)
    moved = platform.call("GET", "/users")
    assert (moved.status_code, moved.location) == (308, "https://elsewhere.test/v1/users")


def test_a_dropped_answer_does_the_work_first(platform: Platform) -> None:
    one = f"{PATH}/{platform.data(PATH)[0]['id']}"
    fault(platform, "drop_answer", method="DELETE", times=1)
    with pytest.raises(ConnectionError):
        platform.call("DELETE", one)
    assert platform.call("GET", one).status_code == 404
    assert [(r["method"], r["status"]) for r in platform.control("GET", "/requests")][-2] == ("DELETE", 204)


def test_a_status_after_the_work_hides_that_it_was_done(platform: Platform) -> None:
    one = f"{PATH}/{platform.data(PATH)[0]['id']}"
    fault(platform, "status_after_work", method="DELETE", value=500, times=1)
    assert statuses(platform, 2, method="DELETE", path=one) == [500, 404]


def test_a_refused_connection_does_nothing(platform: Platform) -> None:
    one = f"{PATH}/{platform.data(PATH)[0]['id']}"
    fault(platform, "refuse_connection", method="DELETE", times=1)
    with pytest.raises(ConnectionError):
        platform.call("DELETE", one)
    assert platform.call("GET", one).status_code == 200
    assert [(r["method"], r["status"]) for r in platform.control("GET", "/requests")][-2] == ("DELETE", None)


def test_faults_reach_the_token_endpoint_but_not_the_control(platform: Platform) -> None:
    fault(platform, "status", value=500)
    assert platform.suspend("x").status_code == 500
    assert platform.http.get("/_control/faults").status_code == 200
    assert platform.http.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"kind": "explode"},
        {"kind": "status"},
        {"kind": "status", "value": 99},
        {"kind": "status_after_work"},
        {"kind": "latency", "value": "x"},
        {"kind": "redirect"},
        {"kind": "html", "times": 0},
    ],
)
def test_a_fault_that_makes_no_sense_is_400(platform: Platform, body: dict[str, Any]) -> None:
    assert platform.http.post("/_control/faults", json=body).status_code == 400
