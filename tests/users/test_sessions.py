from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from portal.audit.chain import verify
from portal.audit.models import AccountEvent
from portal.users.tasks import forget_sessions
from tests.conftest import PASSWORD

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
