"""What a delivery says: every documented event, with and without its type, and anything else without a fall."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from portal.platform_api import webhooks
from portal.platform_api.identifiers import is_identifier
from portal.platform_api.webhooks import EVENT_TYPES, Event, Unrecognised, events, parse
from portal.sandbox.webhooks import catalogue
from tests.platform_api.deliveries import AT, BODIES, EXPORT, QUESTIONNAIRE

SHAPES_THAT_NAME_THE_TYPE = {
    "v1.questionnaire.status-changed",
    "v1.questionnaire.export-completed",
    "v1.questionnaire.export-failed",
    "v1.trust-center.access-request.approved",
    "v1.vendor.decision.created",
    "v1.information-request.status-changed",
    "v1.evidence.status-changed",
}
EACH = pytest.mark.parametrize("event_type", BODIES)


def raw(payload: object) -> bytes:
    return json.dumps(payload).encode()


def test_every_documented_event_is_here() -> None:
    assert BODIES.keys() == set(catalogue.EVENT_TYPES)
    comments = {name for name in BODIES if ".comment." in name and "information" not in name}
    assert set(EVENT_TYPES) == BODIES.keys() - comments, "a receiver of its own for every event of the specification"


@EACH
def test_an_event_with_its_type_in_the_address(event_type: str) -> None:
    payload, kind, facts = BODIES[event_type]
    assert parse(raw(payload), event_type=event_type) == kind(type=event_type, **facts)


@EACH
def test_an_event_whose_shape_is_all_there_is(event_type: str) -> None:
    payload, kind, facts = BODIES[event_type]
    known = event_type if event_type in SHAPES_THAT_NAME_THE_TYPE else None
    assert parse(raw(payload)) == kind(type=known, **facts)


@EACH
@pytest.mark.parametrize("name", ["type", "eventType"])
@pytest.mark.parametrize("inner", ["data", "payload"])
def test_an_event_in_an_envelope(event_type: str, name: str, inner: str) -> None:
    payload, kind, facts = BODIES[event_type]
    envelope = {name: event_type, inner: payload, "timestamp": AT}
    assert parse(raw(envelope)) == kind(type=event_type, **facts)


@EACH
def test_what_the_platform_adds_does_not_matter(event_type: str) -> None:
    payload, kind, facts = BODIES[event_type]
    more = {key: value | {"new": [1]} for key, value in payload.items()} | {"new": {"deep": None}, "version": 2}
    assert parse(raw(more), event_type=event_type) == kind(type=event_type, **facts)


@pytest.mark.parametrize("event_type", catalogue.EXAMPLES)
def test_the_placeholders_of_the_dashboard_are_events(event_type: str) -> None:
    found = parse(raw(catalogue.EXAMPLES[event_type]), event_type=event_type)
    assert type(found) is BODIES[event_type][1]


@EACH
def test_the_signed_body_decides_and_not_the_address(event_type: str) -> None:
    payload, kind, _ = BODIES["v1.vendor.decision.created"]
    assert isinstance(parse(raw(payload), event_type=event_type), kind)


def test_an_export_that_does_not_say_how_it_ended_is_what_its_type_says() -> None:
    payload = QUESTIONNAIRE | {"export": EXPORT}
    assert isinstance(parse(raw(payload), event_type="v1.questionnaire.export-failed"), events.ExportFailed)
    assert isinstance(parse(raw(payload)), events.ExportCompleted)


@pytest.mark.parametrize(
    "at", [None, 7, "", "soon", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00", "2026-13-01", [], "1e9"]
)
def test_a_time_that_is_none_is_left_out(at: object) -> None:
    found = parse(raw(QUESTIONNAIRE | {"export": EXPORT | {"completedAt": AT, "requestedAt": at, "format": 7}}))
    assert isinstance(found, events.ExportCompleted)
    assert (found.requested_at, found.format) == (None, "")


@pytest.mark.parametrize("status", ["APPROVED", "SOMETHING_NEW", "in review"])
def test_a_status_that_nobody_knows_is_stated_as_it_came(status: str) -> None:
    found = parse(raw({"questionnaire": {"id": "65a0", "status": status}}))
    assert isinstance(found, events.QuestionnaireStatusChanged)
    assert found.status == status


@pytest.mark.parametrize("status", ["", None, 7, {}, "x" * 201, "a\x00", "\ud800"])
def test_a_status_that_cannot_be_used_leaves_a_hint_to_fetch(status: object) -> None:
    assert parse(raw({"questionnaire": {"id": "65a0", "status": status}})) == events.QuestionnaireChanged(
        questionnaire_id="65a0"
    )


@pytest.mark.parametrize("reason", ["", None, 7, [], "a\x00b\ud800c", "x" * 5000, "two\nlines"])
def test_the_reason_of_a_failure_is_fit_for_a_page(reason: object) -> None:
    found = parse(raw(QUESTIONNAIRE | {"export": EXPORT | {"failedAt": AT, "reason": reason}}))
    assert isinstance(found, events.ExportFailed)
    assert len(found.reason) <= 500
    assert found.reason.isprintable()


UNKNOWN: list[bytes] = [
    b"",
    b" ",
    b"null",
    b"7",
    b"[]",
    b'"text"',
    b"{",
    b"{}",
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    b"NaN",
    b"[" * 200_000,
    b'{"a":' * 5000,
    b"9" * 10_000,
    raw({"new": {"id": "65a0"}}),
    raw({"questionnaire": None}),
    raw({"questionnaire": "65a0"}),
    raw({"questionnaire": ["65a0"]}),
    raw({"questionnaire": {}}),
    *(raw({"questionnaire": {"id": bad}}) for bad in ("", ".", "..", 7, None, {}, "x" * 513, "a\nb", "\x00", "\ud800")),
    raw({"trustCenter": {"slugId": "abc"}}),
    raw({"accessRequest": {"id": "65b0"}}),
    raw({"vendor": {"id": "65f0"}}),
    raw({"evidence": {"id": "65e1"}}),
    raw({"type": "v1.new", "data": []}),
    raw({"type": 7, "data": {}}),
]


@pytest.mark.parametrize("body", UNKNOWN, ids=lambda body: ascii(body[:40]))
@pytest.mark.parametrize("event_type", [None, "v1.questionnaire.created", "v9.unheard-of"])
def test_c3_what_nobody_knows_is_unrecognised_and_no_error(body: bytes, event_type: str | None) -> None:
    assert parse(body, event_type=event_type) == Unrecognised(type=event_type)


def test_an_unknown_type_in_an_envelope_is_kept() -> None:
    assert parse(raw({"type": "v9.unheard-of", "data": {"thing": {"id": "1"}}})) == Unrecognised(type="v9.unheard-of")


def test_envelopes_in_envelopes_end() -> None:
    payload: dict[str, Any] = QUESTIONNAIRE
    for number in range(50):
        payload = {"type": f"v{number}", "data": payload}
    assert isinstance(parse(raw(payload)), Unrecognised)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9) | st.sampled_from(["65a0", "\ud800", "\x00"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "auditId", "slugId", "status", "newStatus", "decision", "data"]), inner)
    ),
    max_leaves=9,
)
KEYS = sorted({key for payload, _, _ in BODIES.values() for key in payload} | {"type", "eventType", "data", "payload"})


@given(st.dictionaries(st.sampled_from(KEYS), JSON), st.none() | st.sampled_from(EVENT_TYPES))
@example({"questionnaire": {"id": "\ud7c7"}}, None)
def test_any_json_is_an_event_whose_texts_can_be_stored(payload: object, event_type: str | None) -> None:
    found = parse(raw(payload), event_type=event_type)
    assert isinstance(found, Event)
    for text in vars(found).values():
        # An id may have any character that can be written, also one that nothing shows.
        assert not text or text.isprintable() or is_identifier(text)


@given(st.binary(max_size=200))
@example(raw({"type": "v1", "data": {}}))
def test_any_bytes_are_an_event(body: bytes) -> None:
    assert isinstance(parse(body), Event)


def test_the_room_offers_every_kind_of_event() -> None:
    kinds = {name for name, each in vars(events).items() if isinstance(each, type) and issubclass(each, Event)}
    assert kinds <= set(webhooks.__all__)
