"""One id through a request, its tasks and their calls: ours, or the trusted proxy's."""

import re
import threading
from types import SimpleNamespace

import pytest
from celery import current_app
from django.http import HttpResponse
from django.test import RequestFactory

from portal.connections.http import WalledAdapter
from portal.lib import enqueue, request_ids
from portal.worker_monitoring import signals

GIVEN = "trace-0123456789.AB_c"
TASK = "portal.inbox.tasks.process_deliveries"
OURS = re.compile(r"[0-9a-f]{32}")


@pytest.fixture(autouse=True)
def nobody() -> None:
    """A test before this one may have taken a task without ending it."""
    request_ids.end()


def ask(*, proxies: int, settings, **headers: str) -> tuple[str, str]:
    """Return the id that the view works for and the one that the answer has."""
    settings.TRUSTED_PROXIES = proxies
    seen = []
    answer = request_ids.name_requests(lambda request: seen.append(request_ids.current_request_id()) or HttpResponse())
    response = answer(RequestFactory().get("/", headers=headers))
    assert request_ids.current_request_id() == ""
    return seen[0], response.headers["X-Request-ID"]


def test_each_request_has_an_id_of_its_own_and_says_it(settings):
    first, second = ask(proxies=0, settings=settings), ask(proxies=0, settings=settings)
    assert first[0] == first[1] != second[0] == second[1]
    assert OURS.fullmatch(first[0])


def test_the_trusted_proxy_names_it(settings):
    assert ask(proxies=1, settings=settings, x_forwarded_for="192.0.2.1", x_request_id=GIVEN) == (GIVEN, GIVEN)
    assert ask(proxies=2, settings=settings, x_forwarded_for="192.0.2.1, 192.0.2.2", x_request_id=GIVEN)[0] == GIVEN


@pytest.mark.parametrize(
    ("proxies", "forwarded"), [(0, "192.0.2.1"), (1, None), (2, "192.0.2.1")], ids=["no proxy", "around it", "one of two"]
)
def test_s15_nobody_else_names_it(settings, proxies, forwarded):
    headers = {"x_request_id": GIVEN} | ({"x_forwarded_for": forwarded} if forwarded else {})
    assert OURS.fullmatch(ask(proxies=proxies, settings=settings, **headers)[0])


@pytest.mark.parametrize(
    "name", ["short", "x" * 65, "with space 0123", 'quote"0123456', "line\nbreak0123", "-dash-first-01", "über-0123456"]
)
def test_s15_a_name_of_another_form_is_none(settings, name):
    assert OURS.fullmatch(ask(proxies=1, settings=settings, x_forwarded_for="192.0.2.1", x_request_id=name)[0])


@pytest.fixture
def sent(monkeypatch):
    options = []
    monkeypatch.setattr(current_app, "send_task", lambda name, **given: options.append(given))
    monkeypatch.setattr(enqueue, "_last_sent", {})
    monkeypatch.setattr(enqueue, "_silent_until", 0.0)
    return options


def test_a_task_carries_it_and_one_of_nobody_carries_none(sent):
    with request_ids.working_for(GIVEN):
        enqueue._send(TASK, (1,))
    enqueue._send(TASK, (1,))
    assert [options.get("headers") for options in sent] == [{"request_id": GIVEN}, None]


@pytest.mark.django_db(transaction=True)
def test_a_task_that_is_sent_a_moment_later_carries_it_too(sent, monkeypatch):
    is_sent = threading.Event()
    send, mine = enqueue._send, (987_654,)

    def send_mine(task: str, args: tuple[int, ...]) -> None:
        if args == mine:  # what another test has left for later is not ours, and may find no broker any more
            enqueue._silent_until = 0.0
            send(task, args)
            is_sent.set()

    monkeypatch.setattr(enqueue, "_send", send_mine)
    enqueue.enqueue_coalesced(TASK, *mine)
    is_sent.clear()
    with request_ids.working_for(GIVEN):
        enqueue.enqueue_coalesced(TASK, *mine)
    assert is_sent.wait(5)
    assert [options.get("headers") for options in sent] == [None, {"request_id": GIVEN}]


@pytest.mark.django_db
@pytest.mark.parametrize("given", [GIVEN, None, "no good", 7], ids=["named", "of the clock", "of another form", "a number"])
def test_a_worker_works_for_it_until_the_task_ends(given):
    task = SimpleNamespace(request=SimpleNamespace(request_id=given, is_eager=False, hostname="portal-1@test"))
    signals.on_task(task)
    found = request_ids.current_request_id()
    assert found == given if given == GIVEN else OURS.fullmatch(found)
    signals.after_task(task)
    assert request_ids.current_request_id() == ""


@pytest.mark.parametrize(("host", "is_told"), [("platform.example", True), ("files.example", False)])
def test_the_platform_is_told_and_no_other_host(settings, monkeypatch, host, is_told):
    settings.PLATFORM_API_URL = "https://platform.example"
    monkeypatch.setattr("requests.adapters.HTTPAdapter.send", lambda self, request, **_: request)
    request = SimpleNamespace(url=f"https://{host}/v1/x", headers={})
    with request_ids.working_for(GIVEN):
        WalledAdapter().send(request)
    assert request.headers == ({"X-Request-ID": GIVEN} if is_told else {})
