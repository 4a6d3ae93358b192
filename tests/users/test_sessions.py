from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from portal.users.tasks import forget_sessions

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
