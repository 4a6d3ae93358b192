"""S6: each secret of a tenant's life, through good hours and bad ones, is in no line, row, message, page and error page.

`tests/house/test_secrets.py` looks at the grant alone, in front of the sandbox; here is all that the portal does for a tenant,
in front of a platform that sends back in its errors whatever it was sent.
"""

import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.core import mail
from django.http import HttpRequest, HttpResponse
from django.test import Client

from portal.connections.models import Connection, State
from portal.lib.logs import HideSecrets
from portal.questionnaires.models import Response
from tests.conftest import SECRET
from tests.contrary.deeds import DEEDS, desk, nth
from tests.contrary.house import House, body_of, expect_none
from tests.contrary.page_content import places
from tests.contrary.platform import Mood
from tests.contrary.platform.moods import REFUSES
from tests.contrary.platform.tokens import PIECE
from tests.contrary.platform.wire import Answer, Request
from tests.contrary.test_writes import act_in
from tests.support.tables import dump

pytestmark = pytest.mark.once

LINK = re.compile(
    r"/(answer|status|erasure|invitation|calendar|calendar/contracts|accounts/password/reset/key)/([\w:-]{20,})(?:/|\.ics)"
)
KINDS = 7


def repeat(platform: Any, request: Request, proceed: Callable[[], Answer]) -> Answer:
    """Refuse, and tell in the error all that came: as a gateway does that is set up to be of help."""
    told = f"{request.headers['authorization']} {request.content.decode(errors='replace')}"
    errors = {"body": {"message": told}}
    return Answer(500, {"code": "E_1", "error": "server_error", "error_description": told, "detail": told, "errors": errors})


REPEATS = Mood("an error that repeats everything", REFUSES, repeat)
REPEATS_TOKENS = Mood("tokens: an error that repeats everything", REFUSES, repeat, of_tokens=True)


class Lines(logging.Handler):
    """Keeps what a handler of ours would write."""

    def __init__(self) -> None:
        super().__init__()
        self.addFilter(HideSecrets())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def written(filled: House, caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """What is logged once the tenant is filled, as with LOG_LEVEL=DEBUG. Filling it sets the logs up anew."""
    for name in ("", "django"):
        caplog.set_level(logging.DEBUG, logger=name)
    kept = Lines()
    logging.getLogger().addHandler(kept)
    yield kept.lines
    logging.getLogger().removeHandler(kept)


def keep_answers(client: Client, kept: list[tuple[int, str]]) -> None:
    """Note the status of each answer of a client, and all that is in it."""
    ask = client.request

    def request(**asked: Any) -> HttpResponse:
        answer = ask(**asked)
        content = b"" if answer.streaming else answer.content
        kept.append((answer.status_code, f"{answer.headers}{content.decode(errors='replace')}"))
        return answer

    client.request = request  # type: ignore[method-assign]


def keep_messages(house: House, kept: list[tuple[int, str]]) -> None:
    """Note what the next page would have told: it is read before that is opened."""
    read = house.told

    def told() -> list[tuple[str, str]]:
        found = read()
        kept.append((200, repr(found)))
        return found

    house.told = told  # type: ignore[method-assign]


def give_out_links(house: House) -> dict[str, str]:
    """Give a link of each kind to somebody who does not sign in; return the links and what is secret in each."""
    page = desk(house, 0).partition("?")[0]
    with house.scoped():
        questions = Response.objects.filter(questionnaire__platform_id=nth("questionnaires", 0)(house))
        chosen = [questions.order_by("position")[1].pk]
    sent = [
        house.send(f"{house.root}settings/members/", "/invite/", email="guest@northwind.example", role="20"),
        house.send(f"{house.root}deletion-requests/settings/", "/link/"),
        house.send(f"{house.root}contracts/calendar/", "/feed/"),
        house.send(f"{house.root}questionnaires/clocks/", "/feed/"),
        house.send(f"{page}details/", "/status-link/"),
        asked := house.send(page, "/ask/", chosen=chosen),
    ]
    expert = {"how": "expert", "email": "expert@northwind.example", "note": "Please look.", "days": "14"}
    sent.append(house.post_form(*house.go_on(asked, "/ask/", chosen=chosen, **expert)))
    sent.append(Client().post("/accounts/password/reset/", {"email": house.owner.email}))
    assert [answer.status_code for answer in sent if answer.status_code >= 400] == []
    house.crew.work()
    shown = ("deletion-requests/settings/", "contracts/calendar/", "questionnaires/clocks/")
    texts = [str(message.body) for message in mail.outbox]
    texts += [body_of(house.get(each)).decode() for each in (f"{page}details/", *(house.root + each for each in shown))]
    found = {match[1]: (match[0], match[2]) for text in texts for match in LINK.finditer(text)}
    assert len(found) == KINDS, sorted(found)
    return dict(found.values())


def try_links(links: dict[str, str], kept: list[tuple[int, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Open each link in each way that makes a framework speak; the last one fails in our own code."""
    stranger = Client(enforce_csrf_checks=True, raise_request_exception=False)
    keep_answers(stranger, kept)

    def fail(self: object, request: HttpRequest) -> None:
        raise RuntimeError(f"no luck with {request.get_full_path()}")

    for link in links:
        assert stranger.get(link).status_code < 400, link
        assert {stranger.post(link).status_code, stranger.delete(link).status_code} <= {403, 405}, link
        assert stranger.get(f"{link}x/").status_code < 500, link
        with monkeypatch.context() as patch:
            patch.setattr(SessionMiddleware, "process_request", fail)
            assert stranger.get(link).status_code == 500


def bad_hours(house: House) -> None:
    """Do everything while each write is refused with what was sent, then while no token is to be had."""
    act_in(house, {deed: deed.form(house) for deed in DEEDS}, REPEATS, only_writes=True)
    house.platform.feel(REPEATS)
    house.platform.feel(REPEATS_TOKENS)
    house.look()
    house.clocks.pass_time(3700)
    house.look()
    house.client.force_login(house.owner)
    for address in places(house.read(house.root), house.root):
        house.get(address)
    house.platform.calm()
    house.pass_time(125)
    house.look()


def test_s6_no_secret_of_good_and_bad_hours_is_shown_or_written_down(
    written: list[str], filled: House, deliver: Callable[..., HttpResponse], monkeypatch: pytest.MonkeyPatch
):
    kept: list[tuple[int, str]] = []
    keep_answers(filled.client, kept)
    keep_messages(filled, kept)
    filled.client.force_login(filled.owner)
    links = give_out_links(filled)
    try_links(links, kept, monkeypatch)
    assert deliver({"questionnaireId": nth("questionnaires", 0)(filled)}).status_code == 204
    assert deliver({"forged": True}, secret="whsec_" + "A" * 44).status_code == 400
    bad_hours(filled)
    with filled.scoped():
        assert Connection.objects.get().state == State.ACTIVE
    ended = filled.send(f"{filled.root}settings/connection/", "/disconnect/", name=filled.tenant.name)
    assert ended.status_code == 302
    filled.pass_time(300)
    filled.read(f"{filled.root}settings/connection/")

    platform, pages = filled.platform.tokens, "\n".join(text for _, text in kept)
    assert platform.suspended
    hidden = [*(each[PIECE] for each in platform.issued), settings.PLATFORM_CLIENT_SECRET, settings.FIELD_ENCRYPTION_KEYS[0]]
    hidden.append(SECRET.removeprefix("whsec_"))
    places_to_look = {
        "a line": ("\n".join(written), [*hidden, *links.values()]),
        "a row": (dump(), [*hidden, *links.values()]),
        "a message": ("\n".join(filled.crew.messages), [*hidden, *links.values()]),
        "a page": (pages, hidden),
        # A page may lead to itself, and whoever made a link sees it.
        "an error page": ("\n".join(text for status, text in kept if status >= 400), links.values()),
    }
    expect_none(
        [
            f"{place}: …{text[max(0, at - 120) : at]}"
            for place, (text, secrets) in places_to_look.items()
            for secret in secrets
            if (at := text.find(secret)) >= 0
        ]
    )
    assert "no luck with" in "\n".join(written)
