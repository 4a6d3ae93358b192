"""R5: whoever refused a write is named, whichever write it was; nothing of a web page is shown or kept."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from django.apps import apps
from django.conf import settings
from django.utils import timezone
from urllib3.exceptions import ConnectTimeoutError, MaxRetryError

from portal.connections import http
from portal.connections.models import CallWindow, Connection
from portal.connections.services import Urgency, tokens
from portal.connections.services.budget import take_call
from portal.platform_api.buckets import CALLS_A_MINUTE, CONTRACTS
from portal.platform_api.reference import DEFINITIONS
from portal.tenants.models import Role
from tests import portal_calls
from tests.access_requests import test_refusers as access_requests
from tests.audits_desk import test_refusers as audits_desk
from tests.compliance_documents import test_refusers as compliance_documents
from tests.customers import test_refusers as customers
from tests.flows.writes import CALLS, WRITES, World
from tests.house.addresses import addresses
from tests.people import test_refusers as people
from tests.questionnaires import test_refusers as questionnaires
from tests.risks import test_refusers as risks
from tests.support.budget import forget_calls
from tests.support.calls import use_up
from tests.support.members import find_member
from tests.support.refusers import LIMIT, PLATFORM, SAYS, UNREADABLE, calls_of, words
from tests.support.wsgi_adapter import make_response
from tests.tags import test_refusers as tags
from tests.trust_center import test_refusers as trust_center
from tests.vendors import test_refusers as vendors

pytestmark = pytest.mark.once

MARK = "Zebra crossing closed"
PAGE = f"<!doctype html><html><head><title>{MARK}</title></head><body><h1>{MARK}</h1></body></html>"
LONG_LIFE = timedelta(hours=1)


class Wire(requests.adapters.BaseAdapter):
    """Stands before the sandbox and answers in its place, where it is told to."""

    def __init__(self, behind: requests.adapters.BaseAdapter) -> None:
        super().__init__()
        self._behind = behind
        self.answer: Answer | None = None
        self.is_token = False
        """Whether it answers for the token endpoint, or for all that is written."""
        self.refused: set[str] = set()
        """The calls that it has answered in place of the sandbox."""

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        is_token = "/oauth/token" in (request.url or "")
        is_meant = is_token if self.is_token else not is_token and request.method != "GET"
        if self.answer is None or not is_meant:
            return self._behind.send(request, *args, **options)
        self.refused |= calls_of(request.method or "", urlsplit(request.url or "").path)
        return self.answer.make(request)

    def close(self) -> None:
        self._behind.close()


@dataclass(frozen=True)
class Answer:
    status: int
    body: str = '{"message": "It is the wrong moment."}'
    kind: str = "application/json"

    def make(self, request: requests.PreparedRequest) -> requests.Response:
        if not self.status:
            # Nothing was sent: there was no connection.
            reason = ConnectTimeoutError(None, "no connection")
            raise requests.ConnectTimeout(MaxRetryError(None, "/", reason), request=request)  # type: ignore[arg-type]
        return make_response(request, f"{self.status} X", [("Content-Type", self.kind)], self.body.encode())


@pytest.fixture
def wire(connected, sandbox) -> Wire:
    made = Wire(http.MOUNTS[settings.PLATFORM_API_URL])
    http.MOUNTS[settings.PLATFORM_API_URL] = made
    return made


@pytest.fixture
def world(connected, scoped, wire, sandbox, platform_tenant, client, alice, tmp_path, settings) -> World:
    settings.MEDIA_ROOT = tmp_path
    client.force_login(alice)
    return World(client, find_member(user=alice), sandbox, platform_tenant["tenant_id"])


def expire() -> None:
    Connection.objects.update(access_expires_at=timezone.now() - timedelta(seconds=1))


KINDS: dict[str, tuple[Answer | None, str]] = {
    "refused": (Answer(422), "The platform rejected this: It is the wrong moment"),
    "refused, a page": (Answer(400, PAGE, "text/html"), "The platform answered with a web page instead of its API (400)"),
    "not found, a page": (Answer(404, PAGE, "text/html"), "The platform answered with a web page instead of its API (404)"),
    "forbidden, a page": (Answer(403, PAGE, "text/html"), "The platform answered with a web page instead of its API (403)"),
    "failing": (Answer(503, PAGE, "text/html"), "The platform failed (503)"),
    "unreachable": (Answer(0), "The platform did not answer"),
    "limited": (Answer(429, PAGE, "text/html"), "The platform asks us to wait: its rate limit is reached"),
    "area": (Answer(403), "onnection does not cover"),
    "token refused": (Answer(401), "The platform refuses this connection's token (401)"),
    "own call limit": (None, "The portal has reached its own call limit"),
    "own token rule": (None, "Queued for a token. The platform issues five a minute to all tenants of this portal"),
    "unreadable token": (Answer(200, PAGE, "text/html"), "answer to the request for a token could not be read"),
    "unreadable": (Answer(200, PAGE, "text/html"), "answer could not be read (the answer is not JSON)"),
}
UNCERTAIN = ("We could not confirm it", "we could not confirm it", "It may have arrived", "Being checked", "Not confirmed")
"""What may be said instead where the platform may have done it: looking is under way, and nobody is blamed."""
MAY_HAVE_ARRIVED = {"failing", "unreadable"}


@contextmanager
def trouble(kind: str, wire: Wire) -> Iterator[None]:
    wire.answer, wire.is_token = KINDS[kind][0], kind == "unreadable token"
    match kind:
        case "own call limit":
            use_up(Urgency.PERSON)
            calls = CALLS_A_MINUTE[CONTRACTS]
            CallWindow.objects.update_or_create(bucket=CONTRACTS, defaults={"started_at": timezone.now(), "calls": calls})
        case "own token rule":
            expire()
            for _ in range(5):
                take_call(settings.PLATFORM_API_URL, Urgency.CODE)
        case "unreadable token":
            expire()
    try:
        yield
    finally:
        wire.answer = None
        CallWindow.objects.all().delete()
        forget_calls()
        Connection.objects.update(
            access_expires_at=timezone.now() + LONG_LIFE,
            refreshed_at=timezone.now(),
            refused_at=None,
            last_error="",
            failures=0,
        )


def wrong_in(said: str, kind: str) -> str:
    """Say what is wrong with the words for a kind of trouble; empty when the right one is named, and nobody else."""
    expected = KINDS[kind][1]
    if MARK in said or "refused this" in said:
        return "the page's words, or a refusal that was none"
    others = {sentence for other, (_, sentence) in KINDS.items() if sentence != expected}
    if blamed := [sentence for sentence in others if sentence in said]:
        return f"blames {blamed}"
    if expected in said or (kind in MAY_HAVE_ARRIVED and any(each in said for each in UNCERTAIN)):
        return ""
    return f"does not say it: {said[:400]} … {said[-200:]}"


@pytest.mark.parametrize("write", WRITES)
def test_r5_whoever_refused_a_write_is_named(world, wire, monkeypatch, write):
    monkeypatch.setattr(tokens, "PATIENCE_SECONDS", 0.0)
    wrong = {}
    for kind in KINDS:
        steps = WRITES[write](world)
        next(steps)
        with trouble(kind, wire):
            said = next(steps)
        next(steps, None)
        wrong[kind] = wrong_in(said, kind)
    if any(wrong.values()):
        pytest.fail("\n".join(f"{kind}: {words}" for kind, words in wrong.items() if words), pytrace=False)
    assert CALLS[write] in wire.refused
    assert kept_with(MARK) == []


def kept_with(mark: str) -> list[str]:
    """Return the rows of the database that hold a text."""
    found = []
    for model in apps.get_models():
        if model.__module__.startswith("portal."):
            found += [str(model) for values in model._base_manager.values_list() if mark in str(values)]
    return found


ROOMS = (
    *(access_requests, audits_desk, compliance_documents, customers, people, questionnaires, risks, tags, trust_center),
    vendors,
)
READ_OUT_OF_OTHERS = {"controls.create", "controls.update"}
"""Ends of the names of calls about the controls of audits and risk scenarios: nobody makes these (`tests/portal_calls.py`)."""


def test_r5_every_write_that_the_portal_makes_meets_its_refusers():
    made = {each.name for each in DEFINITIONS if each.method != "GET" and portal_calls.rooms_of(each.name)}
    tried = {*CALLS.values()} | {write.call for room in ROOMS for write in room.WRITES.values()}
    assert CALLS.keys() == WRITES.keys()
    assert tried == made - READ_OUT_OF_OTHERS


def test_r5_a_missing_role_is_named(client, bob, acme):
    """Wherever somebody with a higher role can send something; the role is asked for before all else."""
    client.force_login(bob)
    wrong, asked = [], 0
    for address in addresses():
        role = getattr(address.view, "role", Role.VIEWER)
        if not address.is_of_a_tenant or role <= Role.VIEWER:
            continue
        answer = client.post(address.path)
        if answer.status_code == 405:
            continue
        asked += 1
        said = words(answer)
        blamed = [refuser for refuser in (PLATFORM, UNREADABLE, LIMIT) if SAYS[refuser] in said]
        if answer.status_code != 403 or f"You need the {role.label} role" not in said or blamed:
            wrong.append((address.path, answer.status_code, blamed, said[:200]))
    assert wrong == []
    assert asked > 100


def test_w1_an_accepted_write_is_read_back_with_the_calls_that_are_kept_for_it(world, wire, sandbox):
    """Everybody else has used the minute up: the write takes the last call, and reading it back is no stranger's turn."""
    steps = WRITES["answer"](world)
    next(steps)
    CallWindow.objects.all().delete()
    # A look at the answer as it is, and the write.
    use_up(Urgency.PERSON, but=2)
    said = next(steps)
    assert "could not confirm" not in said
    assert "Saved" in said


def test_w1_without_any_call_the_words_say_that_the_platform_accepted_it(world, wire, monkeypatch):
    monkeypatch.setattr("portal.connections.services.calls.CALLS_A_MINUTE", {"management": 48})
    monkeypatch.setattr("portal.connections.services.calls.SHARES", dict.fromkeys(Urgency, 1.0))
    steps = WRITES["status"](world)
    next(steps)
    CallWindow.objects.all().delete()
    use_up(Urgency.PERSON, but=1)
    said = next(steps)
    assert "The platform accepted it, but it could not be read back yet" in said
    assert "The portal has reached its own call limit" in said
