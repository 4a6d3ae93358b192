"""What a bad answer becomes: the tree of errors, and words that say enough and nothing too much."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
import responses
from hypothesis import given
from hypothesis import strategies as st
from requests.structures import CaseInsensitiveDict

from portal.platform_api import Platform, errors
from portal.platform_api.answers import (
    MAX_MESSAGE_LENGTH,
    MAX_TEXT_LENGTH,
    MAX_WAIT,
    check,
    read_fields,
    read_message,
    retry_after,
)
from portal.platform_api.http import Answer
from tests.platform_api.world import BASE_URL, Tokens

SECRET = "token-0123456789-abcdefghij"
HTML = "<!doctype html><html><head><title>Oops</title><style>p{}</style></head><body><p>Bad  gateway</p></body></html>"


@pytest.fixture
def api() -> Platform:
    return Platform(BASE_URL, tokens=Tokens(lambda: SECRET))


def refusal(status: int, body: bytes | str = b"", **headers: str) -> errors.PlatformError:
    content = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with pytest.raises(errors.PlatformError) as caught:
        check(Answer(status, CaseInsensitiveDict(named), content), "GET", "/x/{}", secrets=[SECRET])
    return caught.value


@pytest.mark.parametrize(
    ("family", "members"),
    [
        (
            errors.TemporaryError,
            {
                errors.RateLimited,
                errors.CallLimitReached,
                errors.Unavailable,
                errors.NotAnApiAnswer,
                errors.StorageUnavailable,
            },
        ),
        (
            errors.OAuthError,
            {
                errors.InvalidGrant,
                errors.InvalidClient,
                errors.InvalidScope,
                errors.InvalidRequest,
                errors.TokenNotOurs,
            },
        ),
    ],
)
def test_the_families_of_errors(family: type[Exception], members: set[type[Exception]]) -> None:
    defined = {each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, family)}
    assert defined - {family} == members
    assert issubclass(family, errors.PlatformError)


@pytest.mark.parametrize("status", range(300, 400))
def test_s4_every_3xx_is_a_refused_redirect(status: int) -> None:
    assert type(refusal(status, Location="http://evil.test/")) is errors.RedirectRefused


@pytest.mark.parametrize("status", [500, 501, 502, 503, 504, 520, 599])
def test_every_5xx_may_have_done_what_was_asked(status: int) -> None:
    error = refusal(status, HTML)
    assert isinstance(error, errors.Unavailable)
    assert error.sent
    assert (error.message, error.party) == ("", errors.Party.UNREACHABLE)


PAGES = [
    HTML.encode(),
    b"<HTML><BODY>Oops",
    b"\n <html lang='en'>Oops</html>",
    b"<h1>Oops</h1>",
    b"<pre>Cannot GET /v1/Oops</pre>",
    "<!DOCTYPE html><p>Oops \u2028".encode(),
]


@pytest.mark.parametrize("body", PAGES)
@pytest.mark.parametrize("status", [400, 403, 404, 405, 409, 413, 422, 451])
def test_r5_a_page_with_a_4xx_is_nobodys_word_on_the_object(status: int, body: bytes, caplog: pytest.LogCaptureFixture) -> None:
    error = refusal(status, body)
    assert type(error) is errors.NotAnApiAnswer
    assert (error.sent, error.status, error.party) == (False, status, errors.Party.UNREADABLE)
    assert "Oops" not in str(error) + error.reason


@pytest.mark.parametrize("content_type", ["text/html", "text/html; charset=utf-8", "application/xhtml+xml"])
def test_r5_a_page_is_known_by_its_type_too(content_type: str) -> None:
    assert type(refusal(404, "Oops", content_type=content_type)) is errors.NotAnApiAnswer
    # What can be read is read, whatever it calls itself.
    assert type(refusal(404, '{"message": "Not here"}', content_type=content_type)) is errors.NotFound


@pytest.mark.parametrize("status", [401, 429])
def test_r5_a_page_that_says_come_again_is_understood_and_not_shown(status: int) -> None:
    error = refusal(status, HTML)
    assert isinstance(error, errors.AuthenticationFailed | errors.RateLimited)
    assert error.message == ""


@pytest.mark.parametrize("body", [HTML, json.dumps({"message": HTML}), json.dumps({"errors": {"a": {"message": HTML}}})])
@pytest.mark.parametrize("status", [400, 404, 409, 422, 500, 503])
def test_r5_no_word_of_a_page_is_anybodys_reason(status: int, body: str) -> None:
    error = refusal(status, body)
    assert "Oops" not in str(error) + error.reason + error.message + repr(vars(error))


def test_r5_a_page_is_logged_at_debug_only_short_and_without_secrets(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", logger="portal.platform_api")
    refusal(404, f"<html>{SECRET} of kim@buyer.example {'x' * 5000}</html>")
    (record,) = caplog.records
    assert record.levelname == "DEBUG"
    assert len(record.getMessage()) < 2 * MAX_MESSAGE_LENGTH
    assert SECRET not in record.getMessage()
    assert "buyer.example" not in record.getMessage()


def test_r5_every_error_says_who_is_behind_it() -> None:
    def party(kind: type[errors.PlatformError], **facts: object) -> errors.Party:
        return kind("GET", "/x", **facts).party  # type: ignore[arg-type]

    assert party(errors.ValidationFailed, status=422) == errors.Party.PLATFORM
    assert party(errors.ValidationFailed) == errors.Party.PORTAL
    assert party(errors.RateLimited) == errors.Party.PLATFORM_LIMIT
    assert party(errors.CallLimitReached) == errors.Party.CALL_LIMIT
    assert party(errors.RefreshTooSoon, retry_after=1) == errors.Party.TOKEN_RULE
    assert party(errors.PermissionRefused) == errors.Party.AREA
    assert party(errors.Unavailable) == errors.Party.UNREACHABLE
    assert party(errors.UnexpectedAnswer) == errors.Party.UNREADABLE
    assert party(errors.StorageRefused) == party(errors.LinkExpired) == errors.Party.STORAGE
    assert party(errors.StorageUnavailable) == errors.Party.UNREACHABLE
    assert party(errors.RedirectRefused) == errors.Party.PORTAL
    assert party(errors.Conflict) == party(errors.InvalidGrant) == errors.Party.PLATFORM


@pytest.mark.parametrize("body", [b"", b"rate limit exceeded", b"{", b"[]", b"null", b"\xff\xfe", HTML.encode()])
@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 429, 451, 500, 503, 504])
def test_no_shape_of_an_error_is_taken_for_granted(status: int, body: bytes) -> None:
    assert refusal(status, body).status == status


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"message": "Not here", "error": "x"}, "Not here"),
        ({"error": "invalid_grant", "error_description": "It is used."}, "It is used."),
        ({"error": "It is broken."}, "It is broken."),
        ({"error": {"code": 7, "message": "It is broken."}}, "It is broken."),
        ({"title": "Broken", "detail": "It is broken.", "status": 500}, "It is broken."),
        ({"message": "", "error": "It is broken."}, "It is broken."),
        ({"message": {"deep": 1}, "errors": {"body.a": {"message": "is wrong"}, "b": "is missing"}}, "is wrong; is missing"),
        ({"errors": {"body.a": {}}}, "Validation error"),
        ({"errors": ["x"]}, "Validation error"),
        ({"other": 1}, ""),
        (["x"], '["x"]'),
        ("unauthorized", '"unauthorized"'),
        ({"message": "two\nlines\x00 and\ta \u202e trick"}, "two lines and a trick"),
        ({"message": "x" * 5000}, "x" * MAX_MESSAGE_LENGTH),
    ],
)
def test_the_words_of_an_error_are_found(body: object, words: str) -> None:
    assert read_message(json.dumps(body).encode()) == words


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode) | st.text(max_size=99).map(lambda t: f"<{t}>".encode()))
def test_words_are_one_short_printable_line_whatever_comes(content: bytes) -> None:
    words = read_message(content)
    assert len(words) <= MAX_MESSAGE_LENGTH
    assert words.isprintable()


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
)


@given(st.fixed_dictionaries({}, optional={"message": JSON, "error": JSON, "error_description": JSON, "errors": JSON}))
def test_any_json_error_can_be_read(body: object) -> None:
    content = json.dumps(body).encode()
    assert read_message(content).isprintable()
    assert all(path.isprintable() and words.isprintable() for path, words in read_fields(content).items())
    assert isinstance(refusal(400, content), errors.ValidationFailed)


def test_validation_names_each_field_and_no_value() -> None:
    body = {
        "message": "Validation error",
        "errors": {
            "patch.name.last": {"message": "'last' is required"},
            "body.wrong": {"message": '"wrong" is an excess property', "value": "kim@buyer.example"},
            "body.odd": {"message": 7, "value": "secret deal"},
        },
    }
    error = refusal(400, json.dumps(body))
    assert isinstance(error, errors.ValidationFailed)
    assert error.fields == {
        "patch.name.last": "'last' is required",
        "body.wrong": '"wrong" is an excess property',
        "body.odd": "",
    }
    assert "kim@" not in str(error) + repr(vars(error))
    assert "secret deal" not in repr(vars(error))


def test_s6_an_error_shows_no_address_of_a_person() -> None:
    error = refusal(409, json.dumps({"message": "kim.o'hara+x@buyer.example exists already"}))
    assert "buyer.example" not in str(error) + repr(error)


@pytest.mark.parametrize("body", ['{{"message": "{}"}}', "<p>{}</p>", "{}", '{{"errors": {{"body.x": "{}"}}}}'])
@pytest.mark.parametrize("padding", [0, 150, 180, MAX_MESSAGE_LENGTH - 5, 4990])
def test_s6_a_token_that_comes_back_is_cut_out_wherever_it_stands(body: str, padding: int) -> None:
    error = refusal(400, body.format("<b></b>" * (padding // 7 if "<p>" in body else 0) + "x" * padding + SECRET))
    assert "token-" not in repr(vars(error)) + str(error)


@pytest.mark.parametrize("key", ["message", "error"])
@pytest.mark.parametrize("gap", range(MAX_TEXT_LENGTH - 25, MAX_TEXT_LENGTH))
def test_s6_no_half_of_a_token_is_left_behind_a_long_gap(key: str, gap: int) -> None:
    error = refusal(400, json.dumps({key: " " * gap + SECRET}))
    assert error.message in "<secret>"


AT = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("7", 7),
        ("1.5", 1.5),
        ("-4", 0),
        ("999999999", MAX_WAIT),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("Wed, 99 Nov 2031 07:00:00 GMT", None),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0),
        ("Wed, 21 Oct 9999 07:28:00 GMT", MAX_WAIT),
        ("Wed, 21 Oct 2015 07:28:00 -0000", None),
    ],
)
def test_the_forms_of_retry_after(value: str, seconds: float | None) -> None:
    headers = CaseInsensitiveDict({"retry-after": value})
    assert retry_after(headers) == seconds
    limited, unavailable = refusal(429, retry_after=value), refusal(503, retry_after=value)
    assert isinstance(limited, errors.RateLimited)
    assert isinstance(unavailable, errors.Unavailable)
    assert limited.retry_after == (errors.WAIT_WITHOUT_HINT if seconds is None else seconds)
    assert unavailable.retry_after == seconds


def test_retry_after_as_a_date_is_the_time_until_then() -> None:
    value = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    assert 85 < (retry_after({"Retry-After": value}) or 0) <= 90


@given(st.text(max_size=60) | st.from_regex(r"[A-Z][a-z]{2}, ?\d+ [A-Z][a-z]{2} \d+ [\d:]* ?[-+A-Z0-9]*", fullmatch=True))
def test_no_retry_after_is_too_odd(value: str) -> None:
    seconds = retry_after({"Retry-After": value})
    assert seconds is None or 0 <= seconds <= MAX_WAIT


def test_a_429_without_a_hint_waits_out_the_minute() -> None:
    error = refusal(429, "rate limit exceeded")
    assert isinstance(error, errors.RateLimited)
    assert error.retry_after == 60


UNREADABLE = [
    HTML.encode(),
    b"",
    b"null",
    b"[]",
    b"{",
    b'"text"',
    b"\xff",
    b"[" * 100_000,
    b'{"id": NaN}',
    b'{"id": "a", "x": 1e999}',
    b'{"results": {"data": {}}}',
    b"9" * 5000,
]


@pytest.mark.parametrize("content", UNREADABLE, ids=lambda content: content[:20])
def test_an_answer_of_success_that_cannot_be_read(api: Platform, wire: responses.RequestsMock, content: bytes) -> None:
    for path in ("users", "customer-trust/questionnaires/65a0", "customer-trust/questionnaires/assignable-users"):
        wire.get(f"{BASE_URL}/v1/{path}", body=content)
    for call in (api.users.all.page, lambda: api.questionnaires.get("65a0"), api.questionnaires.assignable_users):
        with pytest.raises(errors.UnexpectedAnswer):
            call()  # type: ignore[operator]


def test_the_request_id_of_an_answer_is_kept() -> None:
    assert refusal(500, X_Request_Id="req-1" + "x" * 500).request_id.startswith("req-1")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"bytes"])
def test_a_body_that_cannot_be_written_is_refused_here(api: Platform, wire: responses.RequestsMock, value: object) -> None:
    with pytest.raises(errors.ValidationFailed) as caught:
        api.questionnaires.responses.update("65a0", "65b0", {"part": value})
    assert caught.value.status is None
    assert not wire.calls


OWN_404 = [
    {"message": "User with id: 65a0 not found"},
    {"error": "not_found"},
    {"errors": {"id": {"message": "unknown"}}},
    # The specification leaves the shape open: as RFC 9457 has it, with a code alone, with an object for the error.
    {"type": "about:blank", "title": "Not Found", "status": 404, "detail": "There is none."},
    {"code": "unknown_object"},
    {"error": {"code": 404, "message": "none"}},
]
OTHER_404 = [HTML.encode(), b"", b"not found", b"[]", b"{}", b'{"message": ""}', b'{"path": "/v1/x"}', b"<Error/>", b"null"]


@pytest.mark.parametrize("body", OWN_404, ids=repr)
def test_q15_a_404_in_the_words_of_the_platform_is_not_found(body: object) -> None:
    assert type(refusal(404, json.dumps(body).encode())) is errors.NotFound


@pytest.mark.parametrize("body", OTHER_404, ids=repr)
def test_q15_any_other_404_is_no_answer_about_the_object(body: bytes) -> None:
    assert type(refusal(404, body)) is errors.NotAnApiAnswer


UNREADABLE_ITEMS = [1, None, "text", [], {}, {"id": None}, {"id": ""}, {"id": ".."}, {"id": "x" * 513}, {"id": "a\x00"}]


@pytest.mark.parametrize("item", UNREADABLE_ITEMS, ids=lambda item: ascii(item)[:20])
@pytest.mark.parametrize("place", [0, 3, 6])
def test_q14_an_item_that_cannot_be_read_does_not_keep_out_the_others(
    api: Platform, wire: responses.RequestsMock, item: object, place: int
) -> None:
    data: list[object] = [{"id": str(number)} for number in range(6)]
    data.insert(place, item)
    wire.get(f"{BASE_URL}/v1/users", json={"results": {"data": data, "pageInfo": {"hasNextPage": True, "endCursor": "c"}}})
    path = f"{BASE_URL}/v1/customer-trust/questionnaires/assignable-users"
    wire.get(path, json={"results": {"data": data}})
    page, listed = api.users.all.page(), api.questionnaires.assignable_users()
    assert [each.id for each in page.items] == [each.id for each in listed] == list("012345")
    assert page.next_cursor == "c"
    for unread in (page.unread, listed.unread):  # type: ignore[attr-defined]
        assert [(each.id, bool(each.problem)) for each in unread] == [("", True)]


def test_q14_an_item_out_of_all_proportion_is_named_by_its_id(api: Platform, wire: responses.RequestsMock) -> None:
    huge = {"id": "huge", "displayName": "ü" * 5_000_000}
    wire.get(f"{BASE_URL}/v1/users", json={"results": {"data": [{"id": "a"}, huge], "pageInfo": {}}})
    wire.get(f"{BASE_URL}/v1/customer-trust/questionnaires/huge", json=huge)
    page = api.users.all.page()
    assert [each.id for each in page.items] == ["a"]
    assert [(each.id, "1 MB" in each.problem) for each in page.unread] == [("huge", True)]
    with pytest.raises(errors.UnexpectedAnswer):
        api.questionnaires.get("huge")
