"""Auditor-api 4.3: the words of refusals, what nothing means in a query, and bodies that were left out."""

from collections.abc import Iterator
from typing import Any

import pytest

from portal.sandbox.api.table import ROUTES
from tests.sandbox.platform import Platform
from tests.sandbox.test_conventions import address

PEOPLE, VENDORS, CONTROLS = "/people/mark-as-people", "/vendors", "/controls"
CONTROL = {"externalId": "C", "name": None, "description": "", "effectiveDate": "2026-01-01", "domain": "PRIVACY"}
OURS = ("None", "True", "False", "is not of type", "is not valid under", "does not match")
STATUSES = "should be one of the following; ['MANAGED','ARCHIVED','IN_PROCUREMENT']"
UNION = (
    "Could not match the union against any of the items. Issues: "
    '[{"body.description": {"message": "invalid string value", "value": 1}}, '
    '{"body.description": {"message": "should be one of the following; [null]", "value": 1}}]'
)
WORDS: dict[str, tuple[str, Any, str, str]] = {
    "text": (VENDORS, {"name": 1}, "body.name", "invalid string value"),
    "boolean": (VENDORS, {"name": "x", "isVisibleToAuditors": "no"}, "body.isVisibleToAuditors", "invalid boolean value"),
    "number": (
        VENDORS,
        {"name": "x", "authDetails": {"passwordMinimumLength": "9"}},
        "body.authDetails.passwordMinimumLength",
        "invalid float number",
    ),
    "whole number": (
        "/risk-scenarios",
        {"description": "x", "riskRegister": "r", "likelihood": 1.5},
        "body.likelihood",
        "invalid integer number",
    ),
    "union": ("/groups", {"name": "x", "description": 1}, "body.description", UNION),
    "list": (PEOPLE, {"updates": {}}, "body.updates", "invalid array"),
    "object": (PEOPLE, [], "body", "invalid object"),
    "place": (PEOPLE, {"updates": [{"id": "x"}, {"id": 1}]}, "body.updates.$1.id", "invalid string value"),
    "enum": (VENDORS, {"name": "x", "status": "GONE"}, "body.status", STATUSES),
    "moment": (
        CONTROLS,
        CONTROL | {"effectiveDate": "soon"},
        "body.effectiveDate",
        "invalid ISO 8601 datetime format, i.e. YYYY-MM-DDTHH:mm:ss",
    ),
    "short text": (VENDORS, {"name": ""}, "body.name", "minLength 1"),
    "long text": (VENDORS, {"name": "x" * 2001}, "body.name", "maxLength 2000"),
    "few": (PEOPLE, {"updates": []}, "body.updates", "minItems 1"),
    "many": (PEOPLE, {"updates": [{"id": "x"}] * 101}, "body.updates", "maxItems 100"),
    "unknown": (VENDORS, {"name": "x", "more": 1}, "body.more", '"more" is an excess property and therefore is not allowed'),
    "missing": (VENDORS, {}, "body.name", "'name' is required"),
}  # fmt: skip


@pytest.mark.parametrize("case", WORDS)
def test_a_refusal_says_why_in_the_platforms_words(platform: Platform, case: str) -> None:
    path, body, at, words = WORDS[case]
    answer = platform.call("POST", path, json=body)
    assert answer.status_code == 400
    assert answer.json["errors"][at]["message"] == words


def test_no_refusal_speaks_our_language(platform: Platform) -> None:
    odd = [None, True, 1.5, "x", [None], {"a": None}]
    for route in ROUTES:
        if route.body is None or not route.body["properties"]:
            continue
        names = [*route.body["properties"]]
        for value in odd:
            body = dict.fromkeys(names, value)
            answer = platform.call(route.method, address(route.path, platform), json=body)
            said = " ".join(str(each["message"]) for each in (answer.json or {}).get("errors", {}).values())
            assert not {"None", "True", "False", "is not of type", "is not valid under", "does not match"} & {
                word
                for word in ("None", "True", "False", "is not of type", "is not valid under", "does not match")
                if word in said
            }, f"{route.method} {route.path}: {said}"


def closed_parameters() -> Iterator[tuple[str, str]]:
    """Walk the paths that need no id, with their parameters that are moments, booleans or enums."""
    for route in ROUTES:
        if "<" not in route.path:
            for parameter in route.parameters:
                schema = parameter.schema.get("items", parameter.schema)
                if schema.get("format") == "date-time" or schema["type"] == "boolean" or "enum" in schema:
                    yield route.path, parameter.name


@pytest.mark.parametrize(("path", "name"), [*closed_parameters()])
def test_nothing_is_no_moment_no_boolean_and_no_word_of_a_closed_list(platform: Platform, path: str, name: str) -> None:
    answer = platform.call("GET", path, query_string={name: ""})
    assert (answer.status_code, [*answer.json["errors"]]) == (400, [name])


def test_nothing_is_no_text_either_but_asks_for_nothing(platform: Platform) -> None:
    assert platform.data("/vendors", name="") == platform.data("/vendors")


@pytest.mark.parametrize("verb", ["approve", "complete"])
def test_a_body_that_was_left_out_is_named(platform: Platform, verb: str) -> None:
    path = f"/customer-trust/questionnaires/{platform.data('/customer-trust/questionnaires')[0]['id']}/{verb}"
    answer = platform.call("POST", path)
    assert (answer.status_code, answer.json["errors"]["body"]["message"]) == (400, "'body' is required")
    assert (
        platform.call("POST", path, data="{", content_type="application/json").json["errors"]["body"]["message"]
        == "invalid JSON"
    )
    assert platform.call("POST", path, json={}).status_code == 200
