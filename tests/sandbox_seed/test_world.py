"""The made-up world: the same each time, in the platform's shapes, believable, and nobody's real name in it."""

import re
import time
from datetime import timedelta

import pytest
from jsonschema import Draft7Validator

from portal.sandbox.seed import World
from tests.sandbox_seed.shapes import PERSON, SHAPES
from tests.sandbox_seed.worlds import NOW, as_text, objects, parse, world

REAL_NAMES = re.compile(
    r"\b(microsoft|google|gmail|amazon|aws|azure|okta|github|gitlab|oracle|ibm|sap|salesforce inc|cisco|apple|facebook|"
    r"siemens|deutsche bank|allianz|hsbc|barclays|jpmorgan|openai|anthropic|slack|zoom|dropbox|stripe|docusign inc)\b"
)


def test_the_same_arguments_make_the_same_world(made: World) -> None:
    assert as_text(made) == as_text(world())


def test_another_seed_makes_another_world(made: World) -> None:
    assert [q["displayName"] for q in made.questionnaires] != [q["displayName"] for q in world(seed=8).questionnaires]


def test_two_tenants_of_one_seed_share_content_but_no_identifier(made: World) -> None:
    other = world(name="Globex")
    assert [q["displayName"] for q in made.questionnaires] == [q["displayName"] for q in other.questionnaires]
    assert made.slug_id != other.slug_id
    assert not {item["id"] for _, item in objects(made)} & {item["id"] for _, item in objects(other)}


def test_identifiers_are_unique(made: World) -> None:
    identifiers = [item["id"] for _, item in objects(made)]
    assert len(identifiers) == len(set(identifiers))


@pytest.mark.parametrize("kind", SHAPES)
def test_every_object_has_the_shape_of_the_api(made: World, kind: str) -> None:
    validator = Draft7Validator(SHAPES[kind], format_checker=Draft7Validator.FORMAT_CHECKER)
    found = [item for item_kind, item in objects(made) if item_kind == kind]
    assert found
    for item in found:
        assert [error.message for error in validator.iter_errors(item)] == []


def test_counts_are_exact() -> None:
    made = world(questionnaires=9, responses_per_questionnaire=4, access_requests=5, viewers=11, contracts=3)
    sizes = (len(made.questionnaires), len(made.access_requests), len(made.viewers), len(made.contracts))
    assert sizes == (9, 5, 11, 3)
    assert [len(responses) for responses in made.responses.values()] == [4] * 9


def test_an_empty_world_is_possible() -> None:
    made = world(questionnaires=0, access_requests=0, viewers=0, contracts=0)
    assert not made.questionnaires and not made.viewers and not made.activity and not made.responses
    assert made.users and made.resources


def test_access_requests_hold_the_awkward_cases(made: World) -> None:
    requests = made.access_requests
    domains = [request["email"].split("@")[1] for request in requests]
    assert any(domains.count(domain) > 1 for domain in domains)
    assert any(domain.startswith(("freemail", "postbox")) for domain in domains)
    assert any(len(request["name"]) > 60 for request in requests)
    assert any(request["companyName"] == "<b>Acme & Söhne</b>" for request in requests)
    assert {request["outcome"] for request in made.historical_access_requests} == {"APPROVED", "DENIED"}


def test_viewers_hold_every_state_of_access(made: World) -> None:
    expiries = [viewer["expirationDate"] for viewer in made.viewers]
    assert None in expiries
    assert any(parse(expiry) < NOW for expiry in expiries if expiry)
    assert any(NOW < parse(expiry) < NOW + timedelta(days=14) for expiry in expiries if expiry)
    assert any(viewer["ndaInfo"] is None for viewer in made.viewers)
    assert any(viewer["ndaInfo"] and viewer["ndaInfo"]["satisfiedDate"] is None for viewer in made.viewers)
    assert len({viewer["email"] for viewer in made.viewers}) == len(made.viewers)


def test_references_lead_somewhere(made: World) -> None:
    accounts = {account["id"] for account in made.accounts}
    resources = {resource["id"] for resource in made.resources}
    users = {user["id"] for user in made.users}
    assert {item["customerTrustAccountId"] for item in made.contracts + made.viewers} <= accounts | {None}
    for questionnaire in made.questionnaires:
        assert questionnaire.get("customerTrustAccountId") in accounts | {None}
        owner = questionnaire.get("ownerAssignment", {"type": "Team"})
        assert owner["type"] == "Team" or owner["id"] in users
    for item in made.access_requests + made.historical_access_requests:
        assert set(item["requestedResources"] or []) <= resources
    for viewer in made.viewers:
        assert set(viewer["resourceIds"] or []) <= resources


def test_no_real_company_and_no_reachable_address_occurs(made: World) -> None:
    text = as_text(made)
    assert REAL_NAMES.search(text.lower()) is None
    domains = re.findall(r"[\w.+-]+@([\w.-]+)", text) + re.findall(r"https://([\w.-]+)/", text)
    assert domains and all(domain.endswith(".example") for domain in domains)


def test_ten_thousand_questionnaires_are_made_in_seconds() -> None:
    started = time.perf_counter()
    made = world(questionnaires=10_000, viewers=2000, access_requests=500)
    last = made.questionnaires[-1]
    assert len(made.questionnaires) == 10_000 and made.responses[last["id"]] is not None
    assert time.perf_counter() - started < 15


def test_people_are_named_the_same_way_everywhere(made: World) -> None:
    validator = Draft7Validator(PERSON)
    names = {user["id"]: user["displayName"] for user in made.users}
    for kind, response in objects(made):
        if kind == "responses" and response["approvedBy"]:
            validator.validate(response["approvedBy"])
            assert names[response["approvedBy"]["id"]].startswith(response["approvedBy"]["givenName"])
