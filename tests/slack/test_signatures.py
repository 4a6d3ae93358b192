"""Only what Slack has signed a moment ago is read; the rest finds nothing there (Slack, Verifying requests)."""

import json
import re
import time

import pytest
from django.db import transaction
from django.utils import timezone

from portal.slack.signatures import is_signed
from portal.tenants.models import Tenant
from tests.slack.conftest import ADDRESS, post

# The example of Slack's own documentation.
SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
TIMESTAMP = "1531420618"
BODY = (
    b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar"
    b"&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com"
    b"%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
)
SIGNATURE = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
OTHER = {"type": "view_closed"}


def check(body=BODY, *, signature=SIGNATURE, timestamp=TIMESTAMP, secret=SECRET, late=0):
    return is_signed(body, signature=signature, timestamp=timestamp, secret=secret, now=int(TIMESTAMP) + late)


def test_slacks_own_example_is_signed():
    assert check()
    assert check(late=299)
    assert check(late=-299)


@pytest.mark.parametrize(
    "changed",
    [
        {"body": BODY + b"&"},
        {"secret": "other"},
        {"late": 301},
        {"late": -301},
        {"timestamp": "1531420619"},
        {"timestamp": ""},
        {"timestamp": "1531420618.0"},
        {"timestamp": "١٥٣١٤٢٠٦١٨"},
        {"timestamp": "9" * 400},
        {"signature": ""},
        {"signature": SIGNATURE.removeprefix("v0=")},
        {"signature": SIGNATURE.replace("v0", "v1")},
        {"signature": SIGNATURE + "é"},
    ],
)
def test_nothing_else_is(changed):
    assert not check(**changed)


def test_what_is_signed_is_answered_and_anything_unheard_of_is_left_alone(client, app, slack):
    slack.calls.clear()
    assert post(client, OTHER).status_code == 200
    assert post(client, {"type": "shortcut_of_the_future", "user": 7}).status_code == 200
    for payload in ([], "x", None, {}):
        assert post(client, payload).status_code == 400, payload
    assert slack.calls == []


def test_who_is_not_slack_finds_what_strangers_find_where_there_is_no_tenant(client, app):
    def told(answer):
        return answer.status_code, re.sub(r"[\w-]{20,}", "", answer.content.decode())

    nobody = told(client.post("/slack/nobody/"))
    assert nobody[0] == 404
    assert told(client.post(ADDRESS)) == nobody
    assert told(post(client, OTHER, secret="f" * 32)) == nobody
    assert told(post(client, OTHER, at=time.time() - 301)) == nobody
    assert told(post(client, OTHER, **{"X-Slack-Signature": "v0=é"})) == nobody
    assert client.get(ADDRESS).status_code == 405


def test_a_tenant_without_an_app_or_that_has_closed_answers_nobody(client, app, acme):
    assert post(client, OTHER).status_code == 200
    with transaction.atomic():
        app.delete()
        assert post(client, OTHER).status_code == 404
        transaction.set_rollback(True)
    assert post(client, OTHER).status_code == 200
    Tenant.objects.filter(pk=acme.pk).update(closed_at=timezone.now())
    assert post(client, OTHER).status_code == 404


def test_s9_a_secret_whose_key_is_lost_lets_nobody_in(client, app, caplog):
    app.signing_secret = b"lost"
    app.save()
    assert post(client, OTHER).status_code == 404
    assert "signing secret" in caplog.text
    assert json.dumps(OTHER) not in caplog.text
