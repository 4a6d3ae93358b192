"""S16: second factors hold."""

import json
from datetime import timedelta
from urllib.parse import quote

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from portal.audit.models import AccountEvent, Entry
from portal.lib import keys
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.conftest import PASSWORD
from tests.support.factors import code_now
from tests.support.mails import mails_to
from tests.support.members import find_member, is_member
from tests.support.sessions import pass_minutes

pytestmark = pytest.mark.django_db
ACTIVATE = "/accounts/2fa/totp/activate/"
OTHER = "YW5vdGhlci1rZXktb2YtZXhhY3RseS0zMi1ieXRlcyE="


@pytest.fixture
def signed_in(alice, acme) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def add_app(client: Client) -> str:
    client.get(ACTIVATE)
    secret = client.session["mfa.totp.secret"]
    assert client.post(ACTIVATE, {"code": code_now(secret)}).status_code == 302
    return secret


def password_step(client: Client, email: str):
    return client.post("/accounts/login/", {"login": email, "password": PASSWORD})


@pytest.mark.parametrize(
    ("host", "is_name"),
    [
        ("trust.example.com", True),
        ("localhost:8000", True),
        ("127.0.0.1:8000", False),
        ("10.1.2.3", False),
        ("[::1]:8000", False),
    ],
)
def test_r2_passkeys_are_offered_where_browsers_allow_them(signed_in, acme, settings, host, is_name):
    settings.ALLOWED_HOSTS = ["*"]
    acme.requires_second_factor = True
    acme.save()
    for page in ("/accounts/2fa/", "/accounts/2fa/webauthn/", "/t/acme/"):
        shown = signed_in.get(page, HTTP_HOST=host).content.decode()
        assert ("Add a passkey" in shown) is is_name, page
    assert ("Sign in with a passkey" in Client().get("/accounts/login/", HTTP_HOST=host).content.decode()) is is_name


def test_s16_no_secret_of_a_factor_stands_in_the_database(signed_in, alice):
    secret = add_app(signed_in)
    seed_codes = RecoveryCodes(Authenticator.objects.get(user=alice, type="recovery_codes")).generate_codes()
    with connection.cursor() as cursor:
        cursor.execute("SELECT data FROM mfa_authenticator")
        stored = str(cursor.fetchall())
    assert secret not in stored
    assert TOTP(Authenticator.objects.get(user=alice, type="totp")).validate_code(code_now(secret))
    assert len(seed_codes) == 10


def test_s16_a_secret_that_is_being_set_up_is_sealed_in_the_session(signed_in):
    signed_in.get(ACTIVATE)
    secret = signed_in.session["mfa.totp.secret"]
    kept = Session.objects.get().session_data
    assert secret not in kept
    with pytest.raises((ValueError, UnicodeDecodeError)):
        json.loads(kept)


def test_s16_factors_are_sealed_anew_and_a_lost_key_skips_none(signed_in, alice, settings):
    secret = add_app(signed_in)
    before = list(settings.FIELD_ENCRYPTION_KEYS)
    try:
        settings.FIELD_ENCRYPTION_KEYS = [OTHER, *before]
        keys.ring.cache_clear()
        call_command("reseal", verbosity=0)
        settings.FIELD_ENCRYPTION_KEYS = [OTHER]
        keys.ring.cache_clear()
        app = Authenticator.objects.get(user=alice, type="totp")
        assert TOTP(app).validate_code(code_now(secret))
        settings.FIELD_ENCRYPTION_KEYS = before
        keys.ring.cache_clear()
        person = Client()
        assert password_step(person, alice.email)["Location"].startswith("/accounts/2fa/authenticate/")
        assert person.post("/accounts/2fa/authenticate/", {"code": code_now(secret)}).status_code == 200
        assert person.get("/notifications/").status_code == 302
    finally:
        settings.FIELD_ENCRYPTION_KEYS = before
        keys.ring.cache_clear()


@pytest.mark.django_db(transaction=True)
def test_s16_a_new_factor_ends_the_sessions_elsewhere_and_is_told_by_mail(signed_in, alice, mailoutbox):
    elsewhere = Client()
    password_step(elsewhere, alice.email)
    assert elsewhere.get("/notifications/").status_code == 200
    add_app(signed_in)
    assert signed_in.get("/notifications/").status_code == 200
    assert elsewhere.get("/notifications/").status_code == 302
    told = {message.subject for message in mails_to(alice.email, mailoutbox)}
    assert "Authenticator app added" in told
    assert AccountEvent.objects.filter(user=alice, action="factor.add").exists()


@pytest.mark.django_db(transaction=True)
def test_s16_each_changed_credential_is_told_by_mail(signed_in, alice, mailoutbox):
    add_app(signed_in)
    signed_in.post("/accounts/2fa/recovery-codes/generate/")
    signed_in.post("/accounts/2fa/totp/deactivate/")
    new = "quite another long password"
    signed_in.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    told = [message.subject for message in mails_to(alice.email, mailoutbox)]
    assert {"New recovery codes", "Authenticator app removed", "Password changed"} <= set(told)
    for message in mails_to(alice.email, mailoutbox):
        assert "testserver" not in message.body + message.subject
        assert f"{settings.PUBLIC_URL}/accounts/password/reset/" in message.body
        assert "Hello" not in message.body


def test_s16_who_has_no_factor_sees_only_the_way_to_one(signed_in, alice, acme, bob):
    acme.requires_second_factor = True
    acme.save()
    reader = Client()
    reader.force_login(bob)
    for path in ("/t/acme/", "/t/acme/questionnaires/", "/t/acme/settings/members/", "/t/acme/settings/"):
        answer = reader.get(path)
        assert (answer.status_code, "Set up a second factor" in answer.content.decode()) == (403, True)
        assert "/t/acme/settings/members/leave/" in answer.content.decode()
        assert "Alice" not in answer.content.decode()
    assert reader.get("/notifications/").status_code == 200
    add_app(reader)
    assert reader.get("/t/acme/settings/members/").status_code == 200
    reader.post("/accounts/2fa/totp/deactivate/")
    assert reader.get("/t/acme/").status_code == 403


def test_s16_an_owner_requires_it_once_they_have_one_and_it_is_written_down(signed_in, alice, acme):
    page = "/t/acme/settings/sign-in/"
    assert "your own second factor first" in signed_in.post(page, {"second_factor": "required"}, follow=True).content.decode()
    add_app(signed_in)
    signed_in.post(page, {"second_factor": "required"})
    acme.refresh_from_db()
    assert acme.requires_second_factor
    signed_in.post(page, {"second_factor": "optional"})
    acme.refresh_from_db()
    assert not acme.requires_second_factor
    with tenant_scope(acme.pk):
        actions = list(Entry.objects.filter(action__startswith="tenant.").order_by("pk").values_list("action", flat=True))
    assert actions == ["tenant.require_factor", "tenant.allow_password"]


def test_s16_an_open_session_alone_removes_nobody(alice, acme, bob):
    client = Client()
    password_step(client, alice.email)
    pass_minutes(client, 11)
    key = find_member(user=bob).pk
    path = f"/t/acme/settings/members/{key}/remove/"
    answer = client.post(path)
    assert answer["Location"] == f"/accounts/reauthenticate/?next={quote(path, safe='')}"
    assert is_member(user=bob)
    client.post(answer["Location"], {"password": "not the password"})
    assert is_member(user=bob)
    client.post(answer["Location"], {"password": PASSWORD})
    assert not is_member(user=bob), "what was asked for is done then"


def test_s16_nobody_is_asked_twice_within_minutes(alice, acme, bob):
    client = Client()
    password_step(client, alice.email)
    key = find_member(user=bob).pk
    client.post(f"/t/acme/settings/members/{key}/remove/")
    assert not is_member(user=bob)


def test_s16_what_changes_who_has_access_asks_again():
    from tests.house.addresses import addresses

    asking = {
        address.path.removeprefix("/t/acme/settings/") for address in addresses() if getattr(address.view, "asks_again", 0)
    }
    number = "987654321"
    assert asking == {
        "sign-in/",
        f"members/{number}/role/",
        f"members/{number}/remove/",
        "members/invite/",
        f"members/invitations/{number}/resend/",
        "connection/own-application/",
        "connection/secret/",
        "connection/export/",
        "connection/disconnect/",
        "connection/delete-tenant/",
        "single-sign-on/domains/",
        f"single-sign-on/domains/{number}/check/",
        f"single-sign-on/domains/{number}/mail/",
        f"single-sign-on/domains/{number}/remove/",
        "single-sign-on/provider/",
        "single-sign-on/saml/",
        "single-sign-on/provider/remove/",
        "single-sign-on/require/",
        f"single-sign-on/people/{number}/unlink/",
        "notifications/team/acme/",
        "notifications/team/acme/secret/",
        "notifications/team/slack/app/",
        f"webhooks/endpoints/{number}/secret/",
        f"webhooks/endpoints/{number}/end-old-secret/",
        "/t/acme/first-hour/webhooks/",
        "/t/acme/first-hour/invite/",
    }


def test_s16_sessions_are_listed_and_ended_one_by_one_and_together(signed_in, alice, mallory):
    clients = [Client(headers={"user-agent": f"Mozilla/5.0 (X11; Linux) Firefox/{number}"}) for number in range(3)]
    for client in clients:
        password_step(client, alice.email)
    stranger = Client()
    password_step(stranger, mallory.email)
    page = signed_in.get("/accounts/sessions/")
    assert page.content.decode().count("Firefox on Linux") == 3
    sessions = {session.session_key: session.pk for session in page.context["sessions"]}
    first = sessions[clients[0].session.session_key]
    assert stranger.post(f"/accounts/sessions/{first}/end/").status_code == 404
    assert clients[0].get("/notifications/").status_code == 200
    signed_in.post(f"/accounts/sessions/{first}/end/")
    assert clients[0].get("/notifications/").status_code == 302
    assert clients[1].get("/notifications/").status_code == 200
    signed_in.post("/accounts/sessions/")
    assert [client.get("/notifications/").status_code for client in clients] == [302, 302, 302]
    assert signed_in.get("/notifications/").status_code == 200
    assert stranger.get("/notifications/").status_code == 200
    assert AccountEvent.objects.filter(action="session.end", user=alice).count() == 3


def test_s16_a_session_that_nobody_uses_ends(signed_in, settings):
    settings.SESSION_IDLE_HOURS = 2
    now = timezone.now()
    with time_machine.travel(now + timedelta(minutes=110), tick=False):
        assert signed_in.get("/notifications/").status_code == 200
    with time_machine.travel(now + timedelta(minutes=200), tick=False):
        assert signed_in.get("/notifications/", headers={"Seen": "7"}).status_code == 200, "an open page asks for news"
    with time_machine.travel(now + timedelta(minutes=231), tick=False):
        answer = signed_in.get("/portfolio/", follow=True)
    assert "of inactivity" in answer.content.decode()


def test_s16_no_session_lasts_longer_than_its_limit(signed_in, settings):
    settings.SESSION_IDLE_HOURS, settings.SESSION_COOKIE_AGE = 12, 48 * 3600
    now = timezone.now()
    for hours in range(6, 48, 6):
        with time_machine.travel(now + timedelta(hours=hours), tick=False):
            assert signed_in.get("/notifications/").status_code == 200
    with time_machine.travel(now + timedelta(seconds=settings.SESSION_COOKIE_AGE + 1), tick=False):
        assert signed_in.get("/notifications/").status_code == 302


@pytest.mark.parametrize(
    "password", ["aaaaaaaaaaaa", "abababababab", "abcdefghijkl", "123456789012", "qwertyuiop12", "abcabcabcabc", "zyxwvutsrqpo"]
)
def test_a_password_of_repetitions_and_rows_is_refused(client, password):
    answer = client.post("/accounts/signup/", {"email": "new@acme.example", "name": "New", "password1": password})
    assert answer.status_code == 200
    assert "form" in answer.context
    assert not AccountEvent.objects.filter(action="account.sign_up").exists()


def test_a_long_password_of_words_is_taken(client):
    client.post("/accounts/signup/", {"email": "new@acme.example", "name": "New", "password1": PASSWORD})
    assert AccountEvent.objects.filter(action="account.sign_up").exists()


def test_a_reset_mail_names_the_site_and_not_the_host_of_the_request(alice, mailoutbox):
    Client().post("/accounts/password/reset/", {"email": alice.email}, headers={"host": "localhost:6666"})
    body = mail.outbox[0].body
    assert f"{settings.PUBLIC_URL}/accounts/password/reset/key/" in body
    assert "6666" not in body


def test_roles_are_asked_from_the_page_of_the_tenant(member, acme):
    for role in (Role.VIEWER, Role.ADMIN):
        client = Client()
        client.force_login(member(role))
        assert client.post("/t/acme/settings/sign-in/", {"second_factor": "required"}).status_code == 403
