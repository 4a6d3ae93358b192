"""A sandbox in process with one typical tenant, and a person who clicks through its console."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
import responses as receivers
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from portal.sandbox.sandbox import Sandbox
from portal.sandbox.seed import World
from portal.sandbox.tenants import Tenant
from tests.sandbox_seed.worlds import world
from tests.support.sandboxes import fresh

TENANT = {
    "name": "Northgate <Cloud>",
    "region": "eu",
    "questionnaires": 60,
    "responses_per_questionnaire": 3,
    "access_requests": 6,
    "viewers": 4,
    "contracts": 2,
}
RECEIVER = "https://receiver.example/hooks/1/"


class Forms(HTMLParser):
    """Reads the forms of a page: where each goes, what it sends, and the words on its buttons."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, Any]] = []
        self._select = self._word = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append({"action": given.get("action"), "fields": {}, "words": ""})
        elif tag == "input" and self.forms and given.get("type") not in {"checkbox", "radio"}:
            self.forms[-1]["fields"][given["name"]] = given.get("value", "")
        elif tag == "select" and self.forms:
            self._select = given["name"]
        elif tag == "option" and self._select:
            self._word = "option selected" if "selected" in given else "option"
        elif tag == "button":
            self._word = "button"

    def handle_data(self, data: str) -> None:
        if self._word == "button":
            self.forms[-1]["words"] += data.strip()
        elif self._word == "option selected" or (self._word == "option" and self._select not in self.forms[-1]["fields"]):
            self.forms[-1]["fields"][self._select] = data.strip()
        self._word = self._word if self._word == "button" else ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        if tag == "button":
            self._word = ""


class Person:
    """Opens pages and presses the buttons that stand on them, as a browser without scripts would."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client
        self._address = ""
        self.page = ""

    def open(self, address: str) -> str:
        answer = self._client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
        self._address, self.page = address, answer.get_data(as_text=True)
        return self.page

    def press(self, words: str, /, **typed: Any) -> str:
        """Fill in the form that carries a button and press it; ends on the page the answer leads to."""
        reader = Forms()
        reader.feed(self.page)
        form = next(form for form in reader.forms if form["words"] == words)
        assert typed.keys() <= form["fields"].keys() | {"event_types"}, (typed, form)
        answer = self.post(form["action"] or self._address, **(form["fields"] | typed))
        assert answer.status_code == 303, (words, answer.status_code)
        return self.open(answer.headers["Location"])

    def post(self, address: str, /, **fields: Any) -> TestResponse:
        return self._client.post(address, data=fields)

    def follow(self, words: str) -> str:
        """Follow the link with these words."""
        found = re.search(rf'<a[^>]*href="([^"]+)"[^>]*>(?:<[^>]+>)*{re.escape(words)}', self.page)
        assert found, words
        return self.open(found[1].replace("&amp;", "&"))


@pytest.fixture(scope="session")
def made() -> World:
    """One typical made-up world."""
    return world()


@pytest.fixture
def sandbox_app(request: pytest.FixtureRequest) -> Any:
    """The whole sandbox in memory, with the tenant if the test wants it."""
    app, _ = fresh(tenant=TENANT if "tenant" in request.fixturenames else None, unlimited=())
    return app


@pytest.fixture
def sandbox(sandbox_app: Any) -> Sandbox:
    running: Sandbox = sandbox_app.extensions["sandbox"]
    return running


@pytest.fixture
def tenant(sandbox: Sandbox) -> Tenant:
    """A tenant with a little of everything."""
    return sandbox.tenants.all()[0]


@pytest.fixture
def person(sandbox_app: Any) -> Person:
    """Somebody with a browser."""
    return Person(sandbox_app.test_client())


@pytest.fixture
def receiver() -> Iterator[receivers.RequestsMock]:
    """The address events are delivered to: it accepts everything."""
    with receivers.RequestsMock(assert_all_requests_are_fired=False) as mock:
        mock.post(RECEIVER, status=204)
        yield mock


@pytest.fixture
def listening(sandbox: Sandbox, tenant: Tenant, receiver: receivers.RequestsMock) -> str:
    """An endpoint that gets all events of the tenant."""
    return sandbox.endpoints.create(tenant.id, url=RECEIVER).id


def delivered(sandbox: Sandbox, receiver: receivers.RequestsMock) -> list[dict[str, Any]]:
    """Deliver what is due and return the bodies of all deliveries so far."""
    sandbox.deliver_due()
    return [json.loads(call.request.body or b"null") for call in receiver.calls]
