"""S19: neither an answer, nor how long it took, nor what was mailed meanwhile tells who is registered."""

from datetime import timedelta
from typing import ClassVar

import pytest
import time_machine
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client
from django.utils import timezone

from tests.conftest import PASSWORD
from tests.support.mails import mails_to, path_in
from tests.support.sessions import pass_minutes

pytestmark = pytest.mark.django_db

UNKNOWN = "nobody@acme.example"
SET_PASSWORD = "/accounts/password/set/"
WAYS = {
    "signup": {"email": "{}", "name": "New Person", "password1": "another long password"},
    "login": {"login": "{}", "password": "another long password"},
    "password/reset": {"email": "{}"},
}


class CountingHasher(MD5PasswordHasher):
    """Counts the passwords that are hashed: each takes a large part of a second with the real one."""

    algorithm = "counting"
    hashed: ClassVar[list[str]] = []

    def encode(self, password: str, salt: str) -> str:
        self.hashed.append(password)
        return super().encode(password, salt)


@pytest.fixture
def hashed(settings) -> list[str]:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    CountingHasher.hashed.clear()
    return CountingHasher.hashed


@pytest.mark.parametrize("way", WAYS)
def test_s19_an_answer_takes_as_much_hashing_and_as_many_mails_for_any_address(way, alice, hashed, mailoutbox):
    alice.set_password(PASSWORD)
    alice.save()
    seen = []
    for email in (alice.email, UNKNOWN):
        hashed.clear()
        form = {name: value.format(email) for name, value in WAYS[way].items()}
        answer = Client().post(f"/accounts/{way}/", form)
        seen.append((answer.status_code, answer.get("Location"), len(hashed), len(mails_to(email, mailoutbox))))
    assert seen[0] == seen[1]


def test_s10_a_reset_link_is_good_for_an_hour(client, alice, mailoutbox):
    client.post("/accounts/password/reset/", {"email": alice.email})
    path = path_in(mailoutbox[0])
    with time_machine.travel(timezone.now() + timedelta(minutes=61)):
        assert "password1" not in Client().get(path, follow=True).content.decode()
    assert "password1" in Client().get(path, follow=True).content.decode()


def test_s16_an_open_session_alone_sets_no_first_password(bob):
    bob.set_unusable_password()
    bob.save()
    session = Client()
    session.force_login(bob)
    pass_minutes(session, 11)
    form = {"password1": PASSWORD, "password2": PASSWORD}
    assert "?next=" in session.post(SET_PASSWORD, form)["Location"], "who this is has to be shown first"
    bob.refresh_from_db()
    assert not bob.has_usable_password()
