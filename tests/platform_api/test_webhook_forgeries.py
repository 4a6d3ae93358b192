"""H7: a corpus of hostile headers and bodies, and random ones: refused, and never in any other way."""

import base64
import hmac
import random
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.platform_api.webhooks import InvalidSignature, verify
from tests.platform_api.test_webhook_signature import BODY, ENTRY, HEADERS, HOOK_ID, NOW, SECRET, entry, is_accepted


@pytest.mark.parametrize(
    "header",
    [
        "",
        " ",
        "v1",
        "v1,",
        ENTRY[3:],
        f"v2,{ENTRY[3:]}",
        f"V1,{ENTRY[3:]}",
        f"v1 ,{ENTRY[3:]}",
        f"v1, {ENTRY[3:]}",
        f"v1;{ENTRY[3:]}",
        f"v1,{ENTRY[3:]},",
        f"{ENTRY}\n",
        f"{ENTRY}\t",
        f"{ENTRY}\x00",
        ENTRY.rstrip("="),
        f"{ENTRY}=",
        ENTRY.replace("M=", "N="),  # not canonical: the same bytes, spelled otherwise
        ENTRY.replace("/", "_"),
        ENTRY.replace("v1", "v\u0661"),
        ENTRY.swapcase(),
        ENTRY.replace(",", "\uff0c"),
        " ".join([entry(b"x")] * 16 + [ENTRY]),
        " ".join(["v9,x"] * 40 + [ENTRY]),
        "v1," + hmac.digest(b"", BODY, sha256).hex(),
    ],
    ids=lambda header: ascii(header[:60]),
)
def test_a_header_that_is_not_quite_a_signature_is_refused(header: str) -> None:
    assert not is_accepted(HEADERS | {"hook-signature": header})


ODD_TIMESTAMPS = [
    "",
    " ",
    f" {NOW}",
    f"{NOW} ",
    f"{NOW}\n",
    f"+{NOW}",
    f"-{NOW}",
    f"0{NOW}",
    f"{NOW}.0",
    f"{NOW}e0",
    "1_767_225_600",
    "0x69557780",
    "nan",
    "inf",
    "now",
    "".join(chr(0x0660 + int(digit)) for digit in str(NOW)),
    str(NOW).translate({ord("1"): "¹"}),
    "9" * 13,
    "9" * 5000,
]


@pytest.mark.parametrize("timestamp", ODD_TIMESTAMPS, ids=lambda timestamp: ascii(timestamp[:30]))
def test_a_timestamp_has_one_spelling_even_when_it_is_signed(timestamp: str) -> None:
    signed = entry(timestamp=timestamp)
    assert not is_accepted(HEADERS | {"hook-timestamp": timestamp, "hook-signature": signed})


ODD_IDS = ["", " ", "a b", "a\tb", "a\nb", "ü", "a\x7f", "a\x00", "\ud800", "x" * 513]


@pytest.mark.parametrize("hook_id", ODD_IDS, ids=ascii)
def test_an_id_is_printable_ascii_even_when_it_is_signed(hook_id: str) -> None:
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    content = f"{hook_id}.{NOW}.".encode("utf-8", "surrogatepass") + BODY
    signed = "v1," + base64.b64encode(hmac.digest(key, content, sha256)).decode()
    assert not is_accepted(HEADERS | {"hook-id": hook_id, "hook-signature": signed})


HEADER_TEXT = st.text(max_size=80) | st.sampled_from([*HEADERS.values(), *ODD_TIMESTAMPS, *ODD_IDS])
NAMES = st.sampled_from([*HEADERS, "Hook-Id", "HOOK-SIGNATURE", "x"]) | st.text(max_size=20)


@settings(max_examples=1000)
@given(
    st.dictionaries(NAMES, HEADER_TEXT), st.binary(max_size=99), st.lists(st.text(max_size=40) | st.just(SECRET), max_size=3)
)
def test_random_headers_are_refused_or_verified(headers: dict[str, str], body: bytes, secrets: list[str]) -> None:
    try:
        verified = verify(body, headers, secrets, now=NOW)
    except InvalidSignature:
        return
    assert body == BODY
    assert verified.hook_id == HOOK_ID


def mutated(text: str, chance: random.Random) -> str:
    """Change a text in one place: take out, put in, replace or double."""
    at = chance.randrange(len(text) + 1)
    new = chance.choice([chr(chance.randrange(0x110000)), chance.choice(" ,.=+/v1\n\x00-_"), ""])
    rest = at + chance.randrange(3)
    return text[:at] + new + (text[at:] if chance.random() < 0.2 else text[rest:])


def test_a_hundred_thousand_mutations_of_a_good_delivery_are_refused() -> None:
    chance = random.Random(7)
    for _ in range(100_000):
        headers, body = dict(HEADERS), BODY
        name = chance.choice([*HEADERS, "body"])
        if name == "body":
            body = mutated(BODY.decode(), chance).encode("utf-8", "surrogatepass")
        else:
            headers[name] = mutated(HEADERS[name], chance)
        is_same = body == BODY and headers["hook-signature"].strip(" ").split(" ").count(ENTRY) > 0
        is_same = is_same and (headers["hook-id"], headers["hook-timestamp"]) == (HOOK_ID, str(NOW))
        assert is_accepted(headers, body) is is_same, (headers, body)
