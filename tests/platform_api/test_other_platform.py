"""A platform that decides otherwise in everything the specification leaves open must not break a single call."""

import io
import json
from typing import Any

import pytest
import requests
from urllib3 import HTTPResponse

from portal.platform_api import errors
from portal.platform_api.models import Remote
from portal.platform_api.paging import Page
from tests.platform_api.calls import CALLS
from tests.platform_api.test_calls import objects_of
from tests.platform_api.world import BASE_URL, World
from tests.support.wsgi_adapter import WsgiAdapter

SHOUTED = {"status", "type", "accessLevel", "eventType", "role", "visibilityType", "reviewStatus", "format", "source"}
"""Fields whose values are of an open set."""


class Otherwise(WsgiAdapter):
    """Stands before the sandbox: more fields everywhere, new values, no cursors at the end, refusals as HTML."""

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        response = super().send(request, *args, **options)
        if response.headers.get("Content-Type", "").startswith("application/json"):
            self.rewrite(response)
        return response

    def rewrite(self, response: requests.Response) -> None:
        if response.status_code < 400:
            body = json.dumps(changed(response.json())).encode()
        else:
            body = b"<!doctype html><h1>Something</h1><p>went otherwise.</p>"
            response.headers["Content-Type"] = "text/html"
            response.headers.pop("Retry-After", None)
        response.headers["X-RateLimit-Remaining"] = "many"
        response.raw = HTTPResponse(body=io.BytesIO(body), status=response.status_code, preload_content=False)


def changed(value: Any) -> Any:
    """Add a field to every object, change the values of open sets, and leave cursors out where nothing follows."""
    if isinstance(value, list):
        return [changed(each) for each in value]
    if not isinstance(value, dict):
        return value
    if set(value) >= {"hasNextPage", "endCursor"} and not value["hasNextPage"]:
        return {"hasNextPage": False, "totalCount": 3}
    return {
        name: f"{inner}_NEW" if name in SHOUTED and isinstance(inner, str) else changed(inner) for name, inner in value.items()
    } | {"addedLater": {"deep": [1, None]}}


@pytest.fixture
def otherwise(world: World) -> World:
    world.session = requests.Session()
    world.session.mount(BASE_URL, Otherwise(world.app))
    world.api = world.client(session=world.session)
    world.trust_center = world.api.trust_center(world.tenant.slug_id)
    return world


@pytest.mark.parametrize("name", CALLS)
def test_every_answer_is_read_and_what_is_new_is_kept(otherwise: World, name: str) -> None:
    answer = CALLS[name](otherwise)
    for remote in objects_of(answer):
        assert isinstance(remote, Remote)
        assert remote.raw["addedLater"] == {"deep": [1, None]}
    if isinstance(answer, Page):
        assert answer.next_cursor is None or answer.items


@pytest.mark.parametrize(
    ("status", "error"),
    [
        # A page is nobody's word on an object, an area or an input (R5).
        *((status, errors.NotAnApiAnswer) for status in (400, 403, 404, 409, 422)),
        (429, errors.RateLimited),
        (500, errors.Unavailable),
    ],
)
def test_r5_a_refusal_in_html_is_not_taken_for_the_platform_s(
    otherwise: World, status: int, error: type[errors.PlatformError]
) -> None:
    otherwise.fail("status", value=status, times=1)
    with pytest.raises(error) as caught:
        otherwise.api.users.all.page()
    assert "<" not in caught.value.message


def test_a_new_status_is_a_status(otherwise: World) -> None:
    questionnaire = next(otherwise.api.questionnaires.all())
    assert questionnaire.status.endswith("_NEW")
    assert next(otherwise.trust_center.viewers.all()).access_level.endswith("_NEW")
