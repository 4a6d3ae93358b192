"""S14: guesses at an account from everywhere do not shut its owner out of a browser that the account was signed in with."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core import signing
from django.test import Client

from portal.users.known_browsers import COOKIE, MAX_AGE_SECONDS, SALT
from tests.conftest import PASSWORD
from tests.users.test_limits import ELSEWHERE, LIMITED, WRONG, try_to_sign_in

pytestmark = pytest.mark.django_db


def browser_of(email: str, *, at: str = ELSEWHERE) -> Client:
    """A browser in which somebody has signed in, and out again."""
    client = Client(REMOTE_ADDR=at)
    assert sign_in(client, email) == "/"
    assert client.post("/accounts/logout/").status_code == 302
    return client


def sign_in(client: Client, email: str, password: str = PASSWORD, **extra: str) -> str:
    answer = client.post("/accounts/login/", {"login": email, "password": password}, **extra)
    return answer["Location"] if answer.status_code == 302 else answer.content.decode()


def guess_from_everywhere(email: str) -> None:
    answers = [try_to_sign_in(email, at=f"192.0.2.{number}") for number in range(32)]
    assert LIMITED in answers[-1]


@pytest.mark.both
def test_s14_guesses_from_everywhere_leave_the_owner_s_own_browser_open(alice):
    own = browser_of(alice.email)
    guess_from_everywhere(alice.email)
    assert LIMITED in try_to_sign_in(alice.email, PASSWORD, at=ELSEWHERE), "another browser waits"
    assert sign_in(own, alice.email) == "/"


def test_s14_a_known_browser_guesses_no_more_than_others_wherever_it_is(alice):
    own = browser_of(alice.email)
    tries = [sign_in(own, alice.email, WRONG, REMOTE_ADDR=f"198.51.100.{number}") for number in range(12)]
    assert [LIMITED in answer for answer in tries] == [False] * 10 + [True] * 2
    assert LIMITED in sign_in(own, alice.email, REMOTE_ADDR="198.51.100.99")


def test_s14_a_browser_knows_who_signed_in_there_and_nobody_else(alice, mallory):
    theirs = browser_of(mallory.email)
    guess_from_everywhere(alice.email)
    assert LIMITED in sign_in(theirs, alice.email, REMOTE_ADDR="198.51.100.10")
    assert sign_in(theirs, mallory.email) == "/"


@pytest.mark.parametrize("value", ["", "made-up", "Nw:1xWdtO:se1bteCV7Ai6M9l5ak3A_UiRxfNJ_XmOzDR6QxJ73WM", "of another"])
def test_s14_a_made_up_cookie_is_none(alice, value):
    guess_from_everywhere(alice.email)
    client = Client(REMOTE_ADDR=ELSEWHERE)
    client.cookies[COOKIE] = signing.dumps(["token"], salt="another") if value == "of another" else value
    assert LIMITED in sign_in(client, alice.email)


def test_s14_a_browser_is_forgotten_after_half_a_year(alice):
    own = browser_of(alice.email)
    value = own.cookies[COOKIE].value
    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=MAX_AGE_SECONDS + 60)):
        guess_from_everywhere(alice.email)
        # As whoever kept the cookie for longer than browsers do.
        own.cookies[COOKIE] = value
        assert LIMITED in sign_in(own, alice.email)


def test_the_cookie_names_no_address_and_lasts(alice):
    client = browser_of(alice.email)
    cookie = client.cookies[COOKIE]
    assert alice.email not in str(signing.loads(cookie.value, salt=SALT))
    assert (bool(cookie["httponly"]), cookie["samesite"], cookie["max-age"] > 100 * 24 * 3600) == (True, "Lax", True)
    token = signing.loads(cookie.value, salt=SALT)[0]
    assert sign_in(client, alice.email) == "/"
    assert signing.loads(client.cookies[COOKIE].value, salt=SALT)[0] == token
