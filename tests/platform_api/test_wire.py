"""How values are spelled on the wire, and which bodies are JSON."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.platform_api import errors
from portal.platform_api.wire import decode, spell_body, spell_form, spell_query, spell_time
from tests.platform_api.peers import answer, peer
from tests.platform_api.test_network import client

NOON = datetime(2031, 5, 6, 12, 0, 0, 123456, tzinfo=UTC)


@pytest.mark.parametrize("content", [b"NaN", b'{"a": Infinity}', b"[-Infinity]", b'{"a": 1e999}', b"[-1e400]", b"9" * 5000])
def test_numbers_that_json_cannot_say_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError):
        decode(content)


def test_a_number_that_no_database_takes_makes_an_answer_unexpected_even_in_an_unknown_field() -> None:
    contract = b'{"id": "65a0", "name": "x.pdf", "creationDate": "2026-01-01", "new": 1e999}'
    with peer(answer(contract)) as other, pytest.raises(errors.UnexpectedAnswer):
        client(other.url).contracts.get("65a0")


def test_a_mark_of_the_byte_order_does_not_matter() -> None:
    assert decode(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


@given(st.binary(max_size=99) | st.text(max_size=99).map(str.encode))
def test_any_bytes_are_json_or_a_value_error(content: bytes) -> None:
    try:
        decoded = decode(content)
    except ValueError:
        return
    assert json.loads(json.dumps(decoded, allow_nan=False)) == decoded


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (NOON, "2031-05-06T12:00:00.123Z"),
        (NOON.replace(microsecond=0), "2031-05-06T12:00:00.000Z"),
        (NOON.astimezone(timezone(timedelta(hours=-9, minutes=-30))), "2031-05-06T12:00:00.123Z"),
    ],
)
def test_a_time_is_spelled_in_utc(value: datetime, text: str) -> None:
    assert spell_time(value) == text


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="without a zone"):
        spell_body({"due_date": NOON.replace(tzinfo=None)})


VALUES: dict[str, Any] = {
    "display_name": "Ü",
    "due_date": NOON,
    "is_nda_required": False,
    "owner_assignment": None,
    "tag_and_category_ids": ["a", "b"],
}


def test_a_body_keeps_none_because_it_clears() -> None:
    assert spell_body(VALUES) == {
        "displayName": "Ü",
        "dueDate": "2031-05-06T12:00:00.123Z",
        "isNdaRequired": False,
        "ownerAssignment": None,
        "tagAndCategoryIds": ["a", "b"],
    }


def test_a_query_leaves_none_out() -> None:
    assert spell_query(VALUES) == {
        "displayName": "Ü",
        "dueDate": "2031-05-06T12:00:00.123Z",
        "isNdaRequired": "false",
        "tagAndCategoryIds": ["a", "b"],
    }


def test_the_parts_of_a_form_are_texts() -> None:
    assert spell_form(VALUES) == {
        "displayName": "Ü",
        "dueDate": "2031-05-06T12:00:00.123Z",
        "isNdaRequired": "false",
        "tagAndCategoryIds": "a,b",
    }
