"""H7: a delivery is the platform's or it is refused; nothing that comes in fails in any other way."""

import base64
import hmac
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook

from portal.platform_api.webhooks import InvalidSignature, Verified, is_signing_secret, signature, verify
from portal.sandbox.webhooks import signing

NOW = 1767225600
BODY = b'{"questionnaire":{"id":"65a000000000000000000001","status":"IN_REVIEW"}}'
SECRET = "whsec_c2FuZGJveC1zaWduaW5nLWtleS0wMTIzNDU2Nzg5YWI="
HOOK_ID = "msg_0000000001"
ENTRY = "v1,Lr5DiuLtxxE7ptUU4/0KCPJOU65IWr1LFCodHdrXwbM="
HEADERS = {"hook-id": HOOK_ID, "hook-timestamp": str(NOW), "hook-signature": ENTRY}
OTHER = "whsec_" + base64.b64encode(b"another key of the same endpoint").decode()


def entry(body: bytes = BODY, *, secret: str = SECRET, hook_id: str = HOOK_ID, timestamp: object = NOW) -> str:
    """Sign by the rule of the specification, with nothing of the portal."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{hook_id}.{timestamp}.".encode() + body, sha256)
    return "v1," + base64.b64encode(digest).decode()


def is_accepted(headers: Mapping[str, str], body: bytes = BODY, secrets: tuple[str, ...] = (SECRET,), now: float = NOW) -> bool:
    try:
        verify(body, headers, secrets, now=now)
    except InvalidSignature:
        return False
    return True


def test_the_vector_of_the_specification() -> None:
    assert verify(BODY, HEADERS, [SECRET], now=NOW) == Verified(HOOK_ID, NOW, 0)
    assert entry() == ENTRY


def test_the_vector_of_the_standard() -> None:
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    body = b'{"test": 2432232314}'
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    assert verify(body, headers, [secret], now=1614265330, prefix="webhook-").hook_id == headers["webhook-id"]


@given(st.binary(min_size=1, max_size=64), st.from_regex(r"[\x21-\x7e]{1,40}", fullmatch=True), st.text(max_size=60))
def test_what_the_official_library_and_the_sandbox_sign_is_accepted(key: bytes, hook_id: str, text: str) -> None:
    secret = "whsec_" + base64.b64encode(key).decode()
    signed = Webhook(secret).sign(hook_id, datetime.fromtimestamp(NOW, UTC), text)
    headers = {"hook-id": hook_id, "hook-timestamp": str(NOW), "hook-signature": signed}
    assert is_accepted(headers, text.encode(), (secret,))
    sent = signing.headers(text.encode(), signing_secrets=[OTHER, secret], hook_id=hook_id, timestamp=NOW)
    assert is_accepted(sent, text.encode(), (secret,))


@pytest.mark.parametrize("body", [b"", b"\xff\xfe\x00", b"not json", b"{" * 5000, "ü\u2028".encode(), b"a.b.c"])
def test_the_signature_is_of_bytes_whatever_they_are(body: bytes) -> None:
    assert is_accepted(HEADERS | {"hook-signature": entry(body)}, body)
    assert not is_accepted(HEADERS | {"hook-signature": entry(body)}, body + b" ")


def test_the_secret_that_signed_is_named() -> None:
    assert verify(BODY, HEADERS, [OTHER, SECRET], now=NOW).secret_index == 1
    both = HEADERS | {"hook-signature": f"{entry(secret=OTHER)} {ENTRY}"}
    assert verify(BODY, both, [SECRET, OTHER], now=NOW).secret_index == 0


@pytest.mark.parametrize(
    "secrets", [[], [OTHER], [""], ["whsec_"], ["whsec_not base64"], ["whsec_ü"], ["\ud800"], ["whsec_YQ"]]
)
def test_a_secret_that_did_not_sign_or_is_none_accepts_nothing(secrets: list[str]) -> None:
    assert not is_accepted(HEADERS, secrets=tuple(secrets))
    assert is_accepted(HEADERS, secrets=(*secrets, SECRET)), "a broken secret does not get in the way of a good one"


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_ü", "whsec_!", "\ud800"])
def test_the_signature_of_an_empty_key_is_never_accepted(secret: str) -> None:
    empty = "v1," + base64.b64encode(hmac.digest(b"", f"{HOOK_ID}.{NOW}.".encode() + BODY, sha256)).decode()
    assert not is_accepted(HEADERS | {"hook-signature": empty}, secrets=(secret,))


@pytest.mark.parametrize(
    "header",
    [
        f"v1a,{ENTRY[3:]} {ENTRY}",
        f"v2,{ENTRY[3:]} {ENTRY}",
        f"garbage {ENTRY}",
        f", {ENTRY}",
        f"  {ENTRY}  ",
        f"v1,%%% {ENTRY}",
        f"v1,{'A' * 100_000} {ENTRY}",
        f"ü {ENTRY}",
        f"\ud800 {ENTRY}",
        f"{entry(b'another body')} {ENTRY}",
        " ".join([entry(b"x")] * 15 + [ENTRY]),
    ],
    ids=lambda header: ascii(header[:30]),
)
def test_what_is_not_ours_among_the_signatures_is_skipped(header: str) -> None:
    assert is_accepted(HEADERS | {"hook-signature": header})


@pytest.mark.parametrize(
    ("late", "accepted"), [(0, True), (300, True), (-300, True), (300.5, False), (301, False), (-301, False)]
)
def test_h8_five_minutes_are_the_tolerance_both_ways(late: float, accepted: bool) -> None:
    assert is_accepted(HEADERS, now=NOW + late) is accepted


def test_a_dot_in_an_id_does_not_move_the_border_to_the_timestamp() -> None:
    signed = entry(hook_id=f"msg.{NOW}", body=BODY)
    assert is_accepted(HEADERS | {"hook-id": f"msg.{NOW}", "hook-signature": signed})
    moved = HEADERS | {"hook-id": "msg", "hook-signature": signed}
    assert not is_accepted(moved)
    # The same signed bytes, read as another id and another body: the body would have to begin with a timestamp.
    assert is_accepted(moved, f"{NOW}.".encode() + BODY)


@pytest.mark.parametrize("missing", HEADERS)
def test_every_header_must_be_there(missing: str) -> None:
    assert not is_accepted({name: value for name, value in HEADERS.items() if name != missing})
    assert not is_accepted({})


def test_the_case_of_a_header_does_not_matter() -> None:
    assert is_accepted({name.title(): value for name, value in HEADERS.items()})
    assert verify(BODY, {f"X-{name}": value for name, value in HEADERS.items()}, [SECRET], now=NOW, prefix="X-Hook-")


def test_a_reason_repeats_nothing_of_the_request() -> None:
    for name in HEADERS:
        with pytest.raises(InvalidSignature) as caught:
            verify(BODY, HEADERS | {name: "from <outside>"}, [SECRET], now=NOW)
        assert "outside>" not in str(caught.value)


def test_every_secret_meets_every_signature_whichever_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(expected: bytes, given: bytes) -> bool:
        compared.append((expected, given))
        return hmac.compare_digest(expected, given)

    class Hmac:
        compare_digest = staticmethod(compare)
        digest = staticmethod(hmac.digest)

    monkeypatch.setattr(signature, "hmac", Hmac)
    for order in ([ENTRY, entry(b"x"), entry(b"y")], [entry(b"x"), entry(b"y"), ENTRY], [entry(b"x")] * 3):
        compared.clear()
        is_accepted(HEADERS | {"hook-signature": " ".join(order)}, secrets=(SECRET, OTHER))
        assert len(compared) == 6


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (SECRET, True),
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", True),
        ("whsec_YQ==", True),
        ("", False),
        ("whsec_", False),
        ("whsec_YQ", False),
        ("whsec_YQ==\n", False),
        ("whsec_ü", False),
        ("whsec_\ud800", False),
        ("YQ==", False),
        (SECRET.upper(), False),
    ],
)
def test_the_form_of_a_signing_secret(text: str, is_one: bool) -> None:
    assert is_signing_secret(text) is is_one
