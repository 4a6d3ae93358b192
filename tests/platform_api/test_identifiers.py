"""S5: an id is part of one path and nothing more, whoever wrote it."""

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.platform_api import Platform, errors
from portal.platform_api.identifiers import MAX_ID_LENGTH, check_identifier
from portal.platform_api.request import Request as ApiRequest
from tests.platform_api.world import World

HOSTILE = [
    "",
    ".",
    "..",
    "a\nb",
    "a\x00",
    "a\x7fb",
    "a\x9fb",
    "a\ud800",
    "x" * (MAX_ID_LENGTH + 1),
    "x" * 10_000_000,
]
KNOWN = [
    "65a000000000000000000001",
    "usr_1234567890",
    "iso27001_2022",
    "acceptable-use-policy",
    "YXJyYXk6MQ==",
    "Ü 1",
    "a.b",
    "...",
    "../../oauth/token",
    "..\\..\\oauth",
    "%2e%2e",
    "%2e%2e%2foauth%2ftoken",
    "a/approve",
    "/",
    " ",
    "a?x=1",
    "a#x",
    "~user",
    "a;b=c",
    "a\u2028b",
    "a\u202eb",
    "x" * MAX_ID_LENGTH,
    "\U0001f4c4" * MAX_ID_LENGTH,
]


def calls_with(api: Platform, identifier: str) -> list:
    return [
        lambda: api.questionnaires.get(identifier),
        lambda: api.questionnaires.responses.get("65a0", identifier),
        lambda: api.questionnaires.responses.all.page(None, identifier),
        lambda: api.questionnaires.exports.get(identifier),
        lambda: api.accounts.delete(identifier),
        lambda: api.contracts.get(identifier),
        lambda: api.trust_center(identifier).get(),
        lambda: api.trust_center("slug").access_requests.approve(identifier),
        lambda: api.trust_center("slug").viewers.delete(identifier),
    ]


@pytest.mark.parametrize("identifier", HOSTILE, ids=lambda identifier: ascii(identifier[:30]))
def test_s5_a_hostile_id_is_refused_before_any_call(world: World, identifier: str) -> None:
    for call in calls_with(world.api, identifier):
        with pytest.raises(errors.InvalidIdentifier) as caught:
            call()
        assert len(identifier) < 2 or identifier not in str(caught.value)
    assert world.requests() == []
    assert world.calls == []


@pytest.mark.parametrize("identifier", KNOWN, ids=lambda identifier: ascii(identifier[:30]))
def test_s5_an_id_with_every_legal_character_reaches_its_object_and_no_other(world: World, identifier: str) -> None:
    with pytest.raises(errors.NotFound):
        world.api.contracts.get(identifier)
    world.keep("contracts", identifier, name="Ours", creationDate="2026-01-01T00:00:00.000Z")
    assert world.api.contracts.get(identifier).id == identifier


@given(st.text(max_size=40) | st.text("./%\\?#a", max_size=12))
def test_s5_whatever_passes_stays_one_part_of_the_path(identifier: str) -> None:
    request = ApiRequest(
        area="",
        endpoint="",
        method="GET",
        template="/a/{one}/b",
        bucket="",
        integration_bucket="",
        is_idempotent=True,
        ids={"one": identifier},
    )
    try:
        path = request.path()
    except errors.InvalidIdentifier:
        with pytest.raises(errors.InvalidIdentifier):
            check_identifier(identifier)
        return
    assert path.isascii() and path.isprintable() and " " not in path
    parts = urlsplit(f"http://platform.test/v1{path}").path.split("/")
    assert [*parts[:3], parts[-1]] == ["", "v1", "a", "b"]
    assert len(parts) == 5
    assert unquote(parts[3]) == identifier


def test_s6_a_request_shows_neither_its_ids_nor_its_body() -> None:
    request = ApiRequest(
        area="users",
        endpoint="list",
        method="GET",
        template="/a/{one}",
        bucket="",
        integration_bucket="",
        is_idempotent=True,
        ids={"one": "id-of-somebody"},
        params={"q": "secret deal"},
        json={"email": "kim@buyer.example"},
        form={"name": "kim"},
    )
    for word in ("id-of-somebody", "secret deal", "kim"):
        assert word not in repr(request)
