"""Guarantee H7 through the view: whatever comes in, the answer is 204 or 400, never an error."""

import base64
import hmac
import json
from hashlib import sha256
from time import time

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.inbox import services
from portal.inbox.models import Delivery
from portal.inbox.routes import ROUTES
from portal.inbox.services import limits
from portal.tenants.scope import tenant_scope
from tests.conftest import SECRET
from tests.inbox.conftest import path_of, post, sign

pytestmark = pytest.mark.once

BODY = b'{"questionnaire": {"id": "q1"}}'
KEY = base64.b64decode(SECRET.removeprefix("whsec_"))


def signature(hook_id: bytes, timestamp: bytes, body: bytes) -> str:
    digest = hmac.digest(KEY, b".".join([hook_id, timestamp, body]), sha256)
    return "v1," + base64.b64encode(digest).decode()


def deliver(endpoint, body: bytes = BODY, **headers: str) -> int:
    """Post with a good signature, except for what is given."""
    hook_id, timestamp = headers.get("id", "msg_1"), headers.get("timestamp", str(int(time())))
    good = signature(hook_id.encode("utf-8", "surrogateescape"), timestamp.encode("utf-8", "surrogateescape"), body)
    values = {"HTTP_HOOK_ID": hook_id, "HTTP_HOOK_TIMESTAMP": timestamp, "HTTP_HOOK_SIGNATURE": headers.get("signature", good)}
    return Client().post(path_of(endpoint), data=body, content_type="application/json", **values).status_code


GOOD = "{good}"
SIGNATURES = {
    "": 400,
    "garbage": 400,
    "v1": 400,
    "v1,": 400,
    "v1,abc": 400,
    "v1,!!!!": 400,
    "v1,é": 400,
    ",": 400,
    " ": 400,
    "v1a," + "A" * 44: 400,
    "v2,{signature}": 400,
    "v1, {signature}": 400,
    "V1,{signature}": 400,
    "{signature}": 400,
    GOOD: 204,
    f"garbage {GOOD}": 204,
    f"v1,{'A' * 43}= {GOOD}": 204,
    f"v9,x {GOOD} v1,": 204,
    f" {GOOD} ": 204,
    f"{GOOD} {GOOD}": 204,
    f"{GOOD},x": 400,
    " ".join(["v1," + "A" * 43 + "="] * 40) + f" {GOOD}": 400,
}


@pytest.mark.parametrize(("spelling", "status"), SIGNATURES.items(), ids=repr)
def test_h7_signature_headers(catch_all, spelling, status):
    timestamp = str(int(time()))
    good = signature(b"msg_1", timestamp.encode(), BODY)
    header = spelling.replace(GOOD, good).replace("{signature}", good.removeprefix("v1,"))
    assert deliver(catch_all, timestamp=timestamp, signature=header) == status


def test_h7_base64_that_is_not_canonical_is_refused(catch_all):
    timestamp = str(int(time()))
    good = signature(b"msg_1", timestamp.encode(), BODY)
    twin = good[:-2] + chr(ord(good[-2]) + 1) + "="
    assert base64.b64decode(twin[3:]) == base64.b64decode(good[3:]) or good[-2] in "9Zz+/"
    assert deliver(catch_all, timestamp=timestamp, signature=twin) == 400


@pytest.mark.parametrize("spelling", ["{}.9", "{}e0", "+{}", " {}x", "0x{}", "{}_0", "-{}", "", "nan", "inf", "٣", "{}" * 3])
def test_h8_odd_timestamps_are_refused(catch_all, spelling):
    assert deliver(catch_all, timestamp=spelling.replace("{}", str(int(time())))) == 400


@pytest.mark.parametrize(
    ("hook_id", "status"),
    [
        ("msg_1", 204),
        ("a.b.c", 204),
        ("x" * 204, 204),
        ("x" * 512, 204),
        ("x" * 513, 400),
        ("a b", 400),
        ("", 400),
        ("é", 400),
        ("a\tb", 400),
    ],
)
def test_h7_hook_ids(catch_all, hook_id, status):
    assert deliver(catch_all, id=hook_id) == status


def test_h7_a_dot_moved_between_id_and_timestamp_is_refused(catch_all):
    now = str(int(time()))
    good = signature(b"msg", f"1.{now}".encode(), BODY)
    assert deliver(catch_all, id="msg.1", timestamp=now, signature=good) == 204
    # The signed text is the same for both ways to cut it, so the timestamp's form decides.
    assert deliver(catch_all, id="msg", timestamp=f"1.{now}", signature=good) == 400


BODIES = {
    "empty": b"",
    "not utf-8": b"\xff\xfe",
    "no object": b"[]",
    "null": b"null",
    "number": b"1e999",
    "text": b'"questionnaire"',
    "nul": b'{"questionnaire": {"id": "\\u0000"}}',
    "half a surrogate pair": b'{"questionnaire": {"id": "\\ud800"}}',
    "half a surrogate pair as status": b'{"questionnaire": {"id": "q1", "status": "\\ud800"}}',
    "double key": b'{"questionnaire": {"id": "q1"}, "questionnaire": {"id": "q2"}}',
    "id is a list": b'{"questionnaire": {"id": ["q1"]}}',
    "id is empty": b'{"questionnaire": {"id": ""}}',
    "id is long": b'{"questionnaire": {"id": "' + b"x" * 5000 + b'"}}',
    "status is long": b'{"questionnaire": {"id": "q1", "status": "' + b"X" * 190 + b'"}}',
    "status is odd": b'{"questionnaire": {"id": "q1", "status": {"a": 1}}}',
    "deep": b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
    "deep list": b"[" * 100_000 + b"]" * 100_000,
    "huge number": b'{"questionnaire": {"id": ' + b"9" * 10_000 + b"}}",
    "not a number": b'{"questionnaire": {"id": NaN}}',
    "markup": b'{"questionnaire": {"id": "<script>alert(1)</script>"}}',
    "unknown event": b'{"type": "v9.unheard-of", "data": {"x": 1}}',
    "envelope": b'{"type": "v1.questionnaire.created", "data": {"questionnaire": {"id": "q1"}}}',
    "path": b'{"questionnaire": {"id": "../../oauth/token"}}',
    "equal statuses": b'{"evidence": {"id": "e", "auditId": "a", "oldStatus": "FLAGGED", "newStatus": "FLAGGED"}}',
    "whitespace": b" \n\t ",
}


@pytest.mark.parametrize("name", BODIES)
def test_h13_odd_bodies_are_kept_classified_and_shown(catch_all, acme, alice, client, name):
    assert deliver(catch_all, BODIES[name]) == 204
    with tenant_scope(acme.pk):
        services.process(ROUTES)
        row = Delivery.objects.get()
    assert (row.state, row.error) in (("done", ""), ("ignored", ""))
    client.force_login(alice)
    page = client.get(f"/t/acme/settings/webhooks/deliveries/{row.pk}/")
    assert page.status_code == 200
    assert b"<script>alert" not in page.content
    assert client.get("/t/acme/settings/webhooks/").status_code == 200


@pytest.fixture
def without_limits(monkeypatch):
    """However many examples are tried, each is told why it was refused."""
    monkeypatch.setattr(limits, "MAX_OF_AN_ENDPOINT", 10_000)
    monkeypatch.setattr(limits, "MAX_OF_AN_ADDRESS", 10_000)


@given(
    hook_id=st.text(max_size=30),
    timestamp=st.one_of(st.text(max_size=15), st.integers(0, 10**12).map(str)),
    header=st.text(max_size=120),
    body=st.binary(max_size=200),
)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_h7_random_deliveries_are_refused_and_never_fail(catch_all, without_limits, hook_id, timestamp, header, body):
    values = {"HTTP_HOOK_ID": hook_id, "HTTP_HOOK_TIMESTAMP": timestamp, "HTTP_HOOK_SIGNATURE": header}
    response = Client().post(path_of(catch_all), data=body, content_type="application/json", **values)
    assert response.status_code == 400


@given(position=st.integers(0, 10_000), replacement=st.characters(min_codepoint=32, max_codepoint=126), part=st.integers(0, 3))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_h7_a_good_delivery_with_one_character_changed_is_refused(catch_all, without_limits, position, replacement, part):
    timestamp = str(int(time()))
    good = ["msg_1", timestamp, signature(b"msg_1", timestamp.encode(), BODY), BODY.decode()]
    changed = list(good)
    place = position % len(changed[part])
    changed[part] = changed[part][:place] + replacement + changed[part][place + 1 :]
    # Blanks around a header's value are the transport's, not the sender's.
    same = [text.strip() for text in changed[:3]] == good[:3] and changed[3] == good[3]
    status = deliver(catch_all, changed[3].encode(), id=changed[0], timestamp=changed[1], signature=changed[2])
    assert status == (204 if same else 400)


def test_the_body_is_kept_byte_for_byte(catch_all, acme):
    body = b'{ "b":1,\t"a": "\xc3\xa9" }'
    assert deliver(catch_all, body) == 204
    with tenant_scope(acme.pk):
        assert bytes(Delivery.objects.get().body) == body


def test_the_vector_of_the_platform_s_own_rules(catch_all):
    """The signed content is `{id}.{timestamp}.{body}`, with the decoded secret as the key (specification 6.1.5)."""
    timestamp = str(int(time()))
    expected = hmac.new(KEY, f"msg_7.{timestamp}.".encode() + BODY, sha256).digest()
    header = "v1," + base64.b64encode(expected).decode()
    assert deliver(catch_all, id="msg_7", timestamp=timestamp, signature=header) == 204
    assert json.loads(BODY)["questionnaire"]["id"] == "q1"


def test_h11_a_body_that_is_too_large_is_refused_before_it_is_read(catch_all, rows):
    body = json.dumps({"questionnaire": {"id": "q1"}, "filling": "x" * 256 * 1024})
    assert post(path_of(catch_all), body, sign(body)).status_code == 413
    assert rows() == []


def test_h11_a_senseless_length_is_refused(catch_all):
    body = BODY.decode()
    response = Client().post(
        path_of(catch_all), data=body, content_type="application/json", headers=sign(body), CONTENT_LENGTH="many"
    )
    assert response.status_code == 400
