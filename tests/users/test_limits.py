"""S14: failed sign-ins are limited per client and per account, and those of one never shut out another."""

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.test import Client, RequestFactory

from portal.lib.clients import client_address, client_group
from tests.conftest import PASSWORD
from tests.support.databases import database_url
from tests.support.factors import code_now, give_app, wrong_code

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parent.parent.parent
PROXY, ATTACKER, ELSEWHERE = "10.0.0.2", "203.0.113.7", "198.51.100.9"
LIMITED = "Too many failed login attempts"
WRONG = "a wrong password"
FACTOR = "/accounts/2fa/authenticate/"


def try_to_sign_in(email: str, password: str = WRONG, *, at: str = ATTACKER, **headers: str) -> str:
    """Try from an address; return where it leads, or what the page says."""
    form = {"login": email, "password": password}
    answer = Client(REMOTE_ADDR=at).post("/accounts/login/", form, headers=headers)
    if answer.status_code == 429:
        return LIMITED
    return answer["Location"] if answer.status_code == 302 else answer.content.decode()


def through_proxy(email: str, password: str = WRONG, *, client: str = ATTACKER, said: str = "") -> str:
    forwarded = f"{said}, {client}" if said else client
    return try_to_sign_in(email, password, at=PROXY, **{"X-Forwarded-For": forwarded})


def test_s14_a_hundred_wrong_passwords_of_one_client_shut_out_nobody_elsewhere(alice):
    answers = [try_to_sign_in(f"account-{number}@acme.example") for number in range(99)] + [try_to_sign_in(alice.email)]
    assert LIMITED not in answers[9]
    assert all(LIMITED in answer for answer in answers[10:])
    assert LIMITED in try_to_sign_in(alice.email, PASSWORD), "the client itself waits"
    assert try_to_sign_in(alice.email, PASSWORD, at=ELSEWHERE) == "/"


def test_s14_through_a_proxy_each_client_is_one(alice, settings):
    settings.TRUSTED_PROXIES = 1
    answers = [through_proxy(f"account-{number}@acme.example", said=f"192.0.2.{number}") for number in range(100)]
    assert all(LIMITED in answer for answer in answers[10:]), "what a sender says of itself gives no new limit"
    assert through_proxy(alice.email, PASSWORD, client=ELSEWHERE) == "/"


def test_s14_a_made_up_header_is_ignored_where_there_is_no_proxy(alice):
    said = [{"X-Forwarded-For": f"192.0.2.{number}"} for number in range(12)]
    answers = [try_to_sign_in(f"account-{number}@acme.example", **header) for number, header in enumerate(said)]
    assert LIMITED in answers[10]
    assert try_to_sign_in(alice.email, PASSWORD, at=ELSEWHERE, **{"X-Forwarded-For": ATTACKER}) == "/"


def test_s14_whoever_guesses_at_an_account_does_not_lock_its_owner_out(alice):
    answers = [try_to_sign_in(alice.email) for _ in range(7)]
    assert [LIMITED in answer for answer in answers] == [False] * 5 + [True] * 2
    assert try_to_sign_in(alice.email, PASSWORD, at=ELSEWHERE) == "/"


def test_s14_guesses_at_one_account_from_everywhere_are_limited_too(alice):
    answers = [try_to_sign_in(alice.email, at=f"192.0.2.{number}") for number in range(32)]
    assert [LIMITED in answer for answer in answers] == [False] * 30 + [True] * 2


def test_s14_signing_in_costs_nothing_of_a_limit(alice):
    assert [try_to_sign_in(alice.email, PASSWORD, at=ELSEWHERE) for _ in range(12)] == ["/"] * 12


def after_password(email: str, *, at: str = ATTACKER) -> Client:
    """A browser of whoever knows the password."""
    client = Client(REMOTE_ADDR=at)
    assert client.post("/accounts/login/", {"login": email, "password": PASSWORD})["Location"].startswith(FACTOR)
    return client


def enter(client: Client, path: str = FACTOR, **given: str) -> str:
    """Try a factor; return where it leads, or what the page says."""
    answer = client.post(path, given)
    return answer["Location"] if answer.status_code == 302 else answer.content.decode()


def made_up_passkey() -> str:
    """A passkey's answer in the right form, which no passkey has given."""

    def encoded(content: bytes) -> str:
        return base64.urlsafe_b64encode(content).decode().rstrip("=")

    client = json.dumps({"type": "webauthn.get", "challenge": "AAAA", "origin": "http://127.0.0.1:8000"}).encode()
    response = {"clientDataJSON": encoded(client), "authenticatorData": encoded(bytes(37)), "signature": "AAAA"}
    return json.dumps({"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": response, "clientExtensionResults": {}})


def test_s14_whoever_knows_a_password_and_guesses_codes_does_not_lock_its_owner_out(alice):
    secret = give_app(alice)
    attacker = after_password(alice.email)
    answers = [enter(attacker, code=wrong_code(secret)) for _ in range(7)]
    assert [LIMITED in answer for answer in answers] == [False] * 5 + [True] * 2
    assert LIMITED in enter(attacker, code=code_now(secret)), "the client itself waits"
    assert enter(after_password(alice.email, at=ELSEWHERE), code=code_now(secret)) == "/"


def test_s14_made_up_passkeys_do_not_lock_an_owner_out_either(alice):
    secret = give_app(alice)
    attacker = after_password(alice.email)
    attacker.get(FACTOR)
    answers = [enter(attacker, credential=made_up_passkey()) for _ in range(6)]
    assert [LIMITED in answer for answer in answers] == [False] * 5 + [True]
    assert enter(after_password(alice.email, at=ELSEWHERE), code=code_now(secret)) == "/"


def test_s14_one_client_tries_the_codes_of_few_accounts(alice, bob, mallory):
    people = [(person, give_app(person)) for person in (alice, bob, mallory)]
    answers = []
    for person, secret in people:
        attacker = after_password(person.email)
        answers += [enter(attacker, code=wrong_code(secret)) for _ in range(4)]
    assert [LIMITED in answer for answer in answers] == [False] * 10 + [True] * 2
    person, secret = people[-1]
    assert enter(after_password(person.email, at=ELSEWHERE), code=code_now(secret)) == "/"


def test_s14_codes_for_one_account_from_everywhere_are_limited_too(alice):
    secret = give_app(alice)
    answers = []
    for number in range(8):
        attacker = after_password(alice.email, at=f"192.0.2.{number}")
        answers += [enter(attacker, code=wrong_code(secret)) for _ in range(4)]
    assert [LIMITED in answer for answer in answers] == [False] * 30 + [True] * 2


def test_s14_a_right_code_gives_its_client_no_new_guesses(alice, mallory):
    secret = give_app(mallory)
    for number in range(9):
        assert LIMITED not in try_to_sign_in(f"account-{number}@acme.example")
    own = after_password(mallory.email)
    assert LIMITED not in enter(own, code=wrong_code(secret))
    assert enter(own, code=code_now(secret)) == "/"
    assert [LIMITED in try_to_sign_in(alice.email) for _ in range(2)] == [False, True]


@pytest.mark.parametrize(
    ("path", "has_app"), [("/accounts/2fa/reauthenticate/", True), ("/accounts/2fa/totp/activate/", False)]
)
def test_s14_codes_of_somebody_who_is_signed_in_are_counted_as_well(alice, path, has_app):
    secret = give_app(alice) if has_app else ""
    client = Client(REMOTE_ADDR=ATTACKER)
    client.force_login(alice)
    client.get(path)
    code = wrong_code(secret or client.session["mfa.totp.secret"])
    answers = [enter(client, path, code=code) for _ in range(6)]
    assert [LIMITED in answer for answer in answers] == [False] * 5 + [True]


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_s14_all_processes_count_together(alice):
    for _ in range(5):
        try_to_sign_in(alice.email)
    script = (
        "from portal.wsgi import application\n"
        "from django.test import Client\n"
        f"form = {{'login': {alice.email!r}, 'password': 'wrong'}}\n"
        f"answer = Client(REMOTE_ADDR={ATTACKER!r}, HTTP_HOST='127.0.0.1').post('/accounts/login/', form)\n"
        f"print({LIMITED!r} in answer.content.decode())"
    )
    environment = {**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "portal.settings"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "True", done.stderr


def test_s14_the_counts_of_the_stock_settings_are_shared():
    assert "locmem" not in django_settings.CACHES["default"]["BACKEND"]


@pytest.mark.parametrize(
    ("proxies", "said", "found"),
    [
        (0, "198.51.100.9", PROXY),
        (1, "", PROXY),
        (1, "198.51.100.9", "198.51.100.9"),
        (1, "made up, 1.2.3.4, 198.51.100.9", "198.51.100.9"),
        (2, "1.2.3.4, 198.51.100.9, 10.0.0.1", "198.51.100.9"),
        (2, "198.51.100.9", PROXY),
        (1, "198.51.100.9:4711", "198.51.100.9"),
        (1, "[2001:db8::7]:4711", "2001:db8::7"),
        (1, "<script>", PROXY),
        (1, "::ffff:198.51.100.9", "198.51.100.9"),
    ],
)
def test_s14_the_client_is_found_behind_the_stated_number_of_proxies(settings, proxies, said, found):
    settings.TRUSTED_PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR=PROXY, headers={"X-Forwarded-For": said} if said else None)
    assert client_address(request) == found


def test_s14_ipv4_addresses_that_are_written_as_ipv6_ones_are_many_clients():
    groups = {client_group(RequestFactory().get("/", REMOTE_ADDR=f"::ffff:192.0.2.{number}")) for number in range(1, 5)}
    assert groups == {f"192.0.2.{number}" for number in range(1, 5)}


def test_s14_the_addresses_of_one_ipv6_network_count_as_one():
    groups = {client_group(RequestFactory().get("/", REMOTE_ADDR=f"2001:db8:0:1::{number}")) for number in range(1, 5)}
    assert groups == {"2001:db8:0:1::"}
