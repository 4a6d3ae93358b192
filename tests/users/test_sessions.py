from datetime import timedelta
from io import StringIO
from unittest.mock import Mock

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from portal.audit.chain import verify
from portal.audit.models import AccountEvent
from portal.users.tasks import forget_sessions
from tests.conftest import PASSWORD
from tests.support.factors import code_now, give_app
from tests.support.mails import mails_to, path_in

pytestmark = pytest.mark.django_db


def test_sessions_are_removed_when_their_time_is_over_and_not_before(alice, client):
    client.force_login(alice)
    assert Session.objects.count() == 1
    forget_sessions()
    assert Session.objects.count() == 1
    with time_machine.travel(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE + 1)):
        forget_sessions()
    assert not Session.objects.exists()


def test_messages_are_kept_in_the_session_not_in_a_cookie(alice, client):
    client.force_login(alice)
    answer = client.post("/accounts/logout/")
    assert "messages" not in answer.cookies
    assert b"You have signed out" in client.get(answer.url).content


def test_s16_an_operator_sees_and_ends_the_sessions_of_one_person(alice, bob):
    clients = [Client(headers={"user-agent": "Mozilla/5.0 (X11; Linux) Firefox/1"}) for _ in range(3)]
    for client, person in zip(clients, (alice, alice, bob), strict=True):
        client.post("/accounts/login/", {"login": person.email, "password": PASSWORD})
    shown = StringIO()
    call_command("end_sessions", alice.email, "--list", stdout=shown)
    assert shown.getvalue().count("Firefox") == 2
    assert [client.get("/notifications/").status_code for client in clients] == [200, 200, 200]
    done = StringIO()
    call_command("end_sessions", alice.email.upper(), stdout=done)
    assert done.getvalue() == f"2 sessions of {alice.email} ended.\n"
    assert [client.get("/notifications/").status_code for client in clients] == [302, 302, 200]
    assert list(AccountEvent.objects.filter(action="session.revoke").values_list("user", flat=True)) == [alice.pk] * 2
    assert verify(None).broken is None
    call_command("end_sessions", alice.email, stdout=done)
    assert "0 sessions" in done.getvalue()


def test_ending_the_sessions_of_nobody_says_so(db):
    with pytest.raises(CommandError, match="Nobody signs in as"):
        call_command("end_sessions", "nobody@acme.example")


def test_s16_an_operator_opens_the_way_back_for_somebody_who_lost_every_factor(alice, bob, mailoutbox):
    secrets, codes = {user: give_app(user) for user in (alice, bob)}, RecoveryCodes.activate(alice).get_unused_codes()
    open_one, waiting, thief, person = (Client() for _ in range(4))
    for client in (open_one, waiting):
        client.post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    open_one.post("/accounts/2fa/authenticate/", {"code": code_now(secrets[alice])})
    assert open_one.get("/notifications/").status_code == 200
    call_command("reset_second_factor", alice.email.upper(), stdout=(done := StringIO()))
    assert "1 second factor of" in done.getvalue()
    waiting.post("/accounts/2fa/authenticate/", {"code": codes[0]})
    thief.post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    assert [client.get("/notifications/").status_code for client in (open_one, waiting, thief)] == [302, 302, 302]
    assert not Authenticator.objects.filter(user=alice).exists()
    assert Authenticator.objects.filter(user=bob).exists()
    assert AccountEvent.objects.filter(user=alice, action="factor.revoke").count() == 1

    person.post(path_in(mails_to(alice.email, mailoutbox)[-1]), {"email": alice.email})
    form = person.get(path_in(mails_to(alice.email, mailoutbox)[-1]))["Location"]
    person.post(form, {"password1": "a different long password", "password2": "a different long password"})
    assert person.get("/notifications/").status_code == 200
    with pytest.raises(CommandError, match="Nobody signs in as"):
        call_command("reset_second_factor", "nobody@acme.example")


def test_a_mailer_that_refuses_is_told_to_the_operator(alice, monkeypatch):
    monkeypatch.setattr("django.core.mail.EmailMultiAlternatives.send", Mock(side_effect=ConnectionRefusedError))
    with pytest.raises(CommandError, match="was not sent"):
        call_command("reset_second_factor", alice.email)
    assert AccountEvent.objects.filter(user=alice, action="factor.revoke").exists()
