"""S8: owners see what happened to the accounts of their members, and nothing of anybody else."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from portal.audit.accounts import OF_ACCOUNT, OF_FACTOR, OF_PERSON
from portal.audit.models import AccountEvent
from portal.tenant_settings.account_events import WORDS, describe_event
from portal.tenants.models import Role
from tests.conftest import PASSWORD

PAGE = "/t/acme/settings/sign-in/activity/"


def sign_in(email: str, password: str = PASSWORD) -> None:
    Client().post(reverse("account_login"), {"login": email, "password": password}, REMOTE_ADDR="192.0.2.7")


def test_s8_sign_ins_and_failures_of_members_are_shown(client, alice, bob, mallory, globex, acme):
    sign_in(bob.email, "wrong and long enough")
    sign_in(bob.email)
    sign_in(mallory.email)
    client.force_login(alice)
    page = client.get(PAGE)
    shown = [(event.user.email, words.label, event.client) for event, words in page.context["rows"]]
    assert shown[1:] == [(bob.email, "Signed in", "192.0.2.7"), (bob.email, "Sign-in failed", "192.0.2.7")]
    assert mallory.email not in page.content.decode()
    assert f'href="{PAGE}"' in client.get("/t/acme/settings/sign-in/").content.decode()
    assert 'href="/t/acme/settings/sign-in/" aria-current' in page.content.decode(), "one of the pages of the settings"


def test_s7_only_owners_see_it(client, member):
    client.force_login(member(Role.ADMIN))
    assert client.get(PAGE).status_code == 403


@pytest.mark.usefixtures("within_a_minute")
def test_many_events_cost_what_few_do(client, alice, acme, django_assert_max_num_queries):
    client.force_login(alice)
    client.get(PAGE)
    with CaptureQueriesContext(connection) as few:
        client.get(PAGE)
    for _ in range(120):
        AccountEvent.objects.create(action="account.sign_in", user=alice)
    with django_assert_max_num_queries(len(few)):
        page = client.get(PAGE)
    assert len(page.context["rows"]) < 120
    assert "cursor=" in page.content.decode()


def test_every_event_has_its_words():
    written = {*OF_ACCOUNT, *OF_PERSON, *OF_FACTOR, "account.fail_sign_in"}
    assert written == WORDS.keys()
    assert describe_event(AccountEvent(action="account.of_a_later_release")).label == "account.of_a_later_release"
