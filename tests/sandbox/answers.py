"""Every answer that a test gets is checked against what the endpoint declares: a status it names, a shape it promises."""

from urllib.parse import unquote

from jsonschema import Draft202012Validator
from werkzeug.test import TestResponse

from portal.sandbox.api.openapi import ERROR, statuses_of
from portal.sandbox.api.routing import Routing
from portal.sandbox.api.schemas import FORMATS
from portal.sandbox.api.table import ROUTES

ROUTING = Routing(ROUTES)


def check_answer(method: str, path: str, answer: TestResponse) -> None:
    found = ROUTING.find(method, tuple(map(unquote, path.split("?", maxsplit=1)[0].removeprefix("/").split("/"))))
    if found is None or answer.mimetype == "text/html":
        return
    route, _ = found
    assert answer.status_code in statuses_of(route), f"{method} {path} does not declare {answer.status_code}"
    if answer.status_code >= 400:
        Draft202012Validator(ERROR).validate(answer.json)
    elif answer.status_code == 204 or (answer.status_code == 202 and route.answers is None):
        assert not answer.data
    elif not route.gives_media:
        assert route.answers is not None, f"{method} {path} does not say what it answers"
        Draft202012Validator(route.answers, format_checker=FORMATS).validate(answer.json)
