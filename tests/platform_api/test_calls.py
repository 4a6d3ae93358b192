"""Every call against the sandbox: the good answer, and each way an answer can be bad."""

import re
from collections.abc import Iterator

import pytest

from portal.platform_api import errors
from portal.platform_api.models import Remote
from portal.platform_api.paging import Page
from portal.platform_api.reference import DEFINITIONS
from portal.sandbox.api.table import ROUTES
from portal.sandbox.applications import INTEGRATION_SCOPES
from tests.platform_api.calls import CALLS, MISSING
from tests.platform_api.world import World

DEFINED = {definition.name: definition for definition in DEFINITIONS}


def anonymous(path: str) -> str:
    """Leave the names of placeholders out: each side has its own."""
    return re.sub(r"<\w+>|{\w+}", "{}", path)


SERVED = {(route.method, anonymous(path)): route.bucket for route in ROUTES for path in (route.path, *route.aliases)}


def objects_of(answer: object) -> Iterator[Remote]:
    found = answer.items if isinstance(answer, Page) else answer if isinstance(answer, list) else [answer]
    return (each for each in found if isinstance(each, Remote))


@pytest.mark.parametrize("name", CALLS)
def test_it_reads_the_good_answer(world: World, name: str) -> None:
    answer = CALLS[name](world)
    assert f"{world.calls[-1].area}.{world.calls[-1].endpoint}" == name
    assert 200 <= (world.calls[-1].status or 0) < 300
    for remote in objects_of(answer):
        assert remote.raw
        assert not remote.model_extra, "the sandbox knows a field that the model does not name"


def test_every_definition_is_called_by_these_tests() -> None:
    assert CALLS.keys() == DEFINED.keys()


@pytest.mark.parametrize("name", DEFINED)
def test_every_definition_is_an_endpoint_of_the_platform_with_its_bucket(name: str) -> None:
    definition = DEFINED[name]
    assert SERVED[definition.method, anonymous(definition.path)] == definition.endpoint.bucket


def test_the_calls_of_an_integration_that_count_apart_are_those_its_scopes_open() -> None:
    opened = {
        (route.method, anonymous(path))
        for route in ROUTES
        for path in (route.path, *route.aliases)
        if set(route.scopes) & set(INTEGRATION_SCOPES)
    }
    declared = {(each.method, anonymous(each.path)) for each in DEFINED.values() if each.endpoint.is_for_integrations}
    assert declared == opened


@pytest.mark.parametrize(("is_integration", "bucket"), [(True, "integration"), (False, "management")])
def test_a_document_counts_in_the_bucket_of_who_asks(world: World, is_integration: bool, bucket: str) -> None:
    asked: list[str] = []
    world.api = world.client(gate=asked.append, is_integration=is_integration)
    CALLS["documents.all"](world)
    CALLS["vendors.all"](world)
    assert asked == [bucket, "management"]
    assert [call.bucket for call in world.calls[-2:]] == asked


@pytest.mark.parametrize("path", ["/contracts", "/customer-trust/contracts"])
def test_contracts_are_created_at_the_configured_path_and_counted_in_their_own_bucket(world: World, path: str) -> None:
    world.api = world.client(contracts_path=path)
    CALLS["contracts.create"](world)
    assert world.requests()[-1]["path"] == f"/v1{path}"
    assert world.calls[-1].bucket == "contracts"


@pytest.mark.parametrize("name", MISSING)
def test_404_is_not_found(world: World, name: str) -> None:
    with pytest.raises(errors.NotFound) as caught:
        MISSING[name](world)
    assert caught.value.status == 404


@pytest.mark.parametrize("name", CALLS)
def test_t7_a_401_is_answered_with_another_token_once(world: World, name: str) -> None:
    first = world.tokens.current()
    world.fail("status", value=401, times=1)
    CALLS[name](world)
    assert world.tokens.refused == [first]
    assert [call.attempt for call in world.calls[:2]] == [1, 2]


STATUSES = {
    400: errors.ValidationFailed,
    403: errors.PermissionRefused,
    404: errors.NotFound,
    409: errors.Conflict,
    422: errors.ValidationFailed,
    418: errors.PlatformError,
    429: errors.RateLimited,
    500: errors.Unavailable,
    503: errors.Unavailable,
    504: errors.Unavailable,
}


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("name", ["questionnaires.get", "trust_center.access_requests.approve", "contracts.create"])
def test_each_status_becomes_its_error(world: World, name: str, status: int) -> None:
    world.fail("status", value=status)
    with pytest.raises(STATUSES[status]) as caught:
        CALLS[name](world)
    assert type(caught.value) is STATUSES[status]
    assert caught.value.status == status
    assert caught.value.path_template == world.calls[-1].path_template


def test_t7_a_second_401_is_the_end(world: World) -> None:
    world.fail("status", value=401)
    with pytest.raises(errors.AuthenticationFailed):
        world.api.users.all.page()
    assert len(world.tokens.refused) == 1
    assert len(world.requests()) == 2


def test_a_wait_that_the_platform_names_is_kept(world: World) -> None:
    world.fail("status", value=429)
    with pytest.raises(errors.RateLimited) as caught:
        world.api.users.all.page()
    assert caught.value.retry_after == 1.0


def test_html_with_200_is_unexpected(world: World) -> None:
    world.fail("html")
    with pytest.raises(errors.UnexpectedAnswer):
        world.api.questionnaires.all.page()


def test_s4_a_redirect_is_refused_and_not_followed(world: World) -> None:
    world.fail("redirect", value="http://elsewhere.test/v1/users")
    with pytest.raises(errors.RedirectRefused):
        world.api.users.all.page()
    assert len(world.requests()) == 1


def test_w1_a_lost_answer_is_an_uncertain_outcome(world: World) -> None:
    request_id = world.id_of("access-requests")
    world.fail("drop_answer", path="/trust-centers/*")
    with pytest.raises(errors.Unavailable) as caught:
        world.trust_center.access_requests.deny(request_id)
    assert caught.value.sent
    assert not caught.value.is_idempotent
    assert request_id not in world.ids("access-requests")


def test_a_lost_answer_of_a_call_that_may_be_repeated_says_so(world: World) -> None:
    world.fail("drop_answer")
    with pytest.raises(errors.Unavailable) as caught:
        world.api.questionnaires.update(world.id_of("questionnaires"), display_name="New")
    assert caught.value.is_idempotent


def test_what_the_platform_rejects_is_named_by_field_without_the_value(world: World) -> None:
    with pytest.raises(errors.ValidationFailed) as caught:
        world.api.questionnaires.create_from_website(display_name="secret deal", url="https://b.example", wrong=1)  # type: ignore[call-arg]
    assert caught.value.message == "Validation error"
    assert list(caught.value.fields) == ["body.wrong"]
    assert "excess property" in caught.value.fields["body.wrong"]


def test_an_upload_is_sent_whole_again_after_a_401(world: World) -> None:
    world.fail("status", value=401, times=1)
    contract = CALLS["contracts.create"](world)
    assert contract.external_id == "crm-1"
    with pytest.raises(errors.Conflict):
        CALLS["contracts.create"](world)


def test_it_changes_what_it_says(world: World) -> None:
    questionnaire_id = world.id_of("questionnaires")
    changed = world.api.questionnaires.update(questionnaire_id, display_name="Renamed", due_date=None)
    assert changed.display_name == "Renamed"
    assert changed.due_date is None
    assert world.api.questionnaires.get(questionnaire_id) == changed
    created = CALLS["questionnaires.create_from_file"](world)
    assert created.due_date and created.due_date.isoformat() == "2031-05-06T07:08:09+00:00"
    assert created.metadata == [{"key": "deal", "value": "D-42"}]


def test_array_filters_repeat_their_key(world: World) -> None:
    statuses = {each.status for each in world.api.questionnaires.all()}
    found = list(world.api.questionnaires.all(status_matches_any=sorted(statuses)))
    assert len(found) == len(world.ids("questionnaires"))
    assert list(world.api.questionnaires.all(status_matches_any=["ERROR", "ON_HOLD"])) == [
        each for each in found if each.status in {"ERROR", "ON_HOLD"}
    ]


def test_removed_viewers_are_listed_only_when_wanted(world: World) -> None:
    gone = world.id_of("viewers")
    world.trust_center.viewers.delete(gone)
    assert gone in [viewer.id for viewer in world.trust_center.viewers.all()]
    assert gone not in [viewer.id for viewer in world.trust_center.viewers.all(include_removed=False)]
