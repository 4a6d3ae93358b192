from io import BytesIO

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client

from portal.users.models import User
from tests.conftest import PASSWORD
from tests.support.mails import code_in, path_in
from tests.support.sessions import pass_minutes

pytestmark = pytest.mark.django_db


def sign_up(client, email="new@acme.example"):
    return client.post("/accounts/signup/", {"email": email, "name": "New Person", "password1": PASSWORD})


def test_whoever_signs_up_has_to_prove_the_address_first(client):
    sign_up(client)
    assert client.get("/notifications/").status_code == 302
    client.post("/accounts/confirm-email/", {"code": code_in(mail.outbox[0])})
    assert client.get("/notifications/").status_code == 200


def test_s16_whoever_has_just_signed_up_is_not_asked_again_for_ten_minutes(client):
    sign_up(client)
    client.post("/accounts/confirm-email/", {"code": code_in(mail.outbox[0])})
    client.post("/tenants/new/", {"name": "New Co"})
    page = "/t/new-co/first-hour/webhooks/"
    assert client.post(page, {"secret": ""}).status_code == 422
    pass_minutes(client, 11)
    assert client.post(page, {"secret": ""})["Location"].startswith("/accounts/reauthenticate/")


def test_signing_up_with_a_known_address_tells_nobody_that_it_is_known(client, alice):
    known, new = sign_up(client, alice.email), sign_up(client)
    assert (known.status_code, known["Location"]) == (new.status_code, new["Location"])
    assert User.objects.filter(email=alice.email).count() == 1


def test_a_short_password_is_refused(client):
    answer = client.post("/accounts/signup/", {"email": "new@acme.example", "name": "New Person", "password1": "tooshort"})
    assert "at least 12 characters" in answer.content.decode()
    assert not User.objects.filter(email="new@acme.example").exists()


def test_s10_a_reset_link_works_once(client, alice):
    client.post("/accounts/password/reset/", {"email": alice.email})
    path = path_in(mail.outbox[0])
    form = client.get(path, follow=True).request["PATH_INFO"]
    new = "a different long password"
    client.post(form, {"password1": new, "password2": new})
    assert client.login(email=alice.email, password=new)
    client.logout()
    assert "password1" not in client.get(path, follow=True).content.decode()


def test_s7_a_session_from_before_the_sign_in_is_worth_nothing_after_it(client, alice):
    """Somebody has put a session of their own into the person's browser."""
    planted = client.session
    planted["planted"] = True
    planted.save()
    client.post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    assert cookie.value != planted.session_key
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["domain"]) == (True, "Lax", "/", "")
    assert client.get("/notifications/").status_code == 200
    attacker = Client()
    attacker.cookies[settings.SESSION_COOKIE_NAME] = planted.session_key
    assert attacker.get("/notifications/")["Location"].startswith("/accounts/login/")


def test_s10_next_leads_to_our_own_pages_only(client, alice):
    for hostile in ("https://evil.example/", "//evil.example/", "javascript:alert(1)"):
        answer = client.post(f"/accounts/login/?next={hostile}", {"login": alice.email, "password": PASSWORD, "next": hostile})
        assert answer["Location"] == "/"
        client.logout()


def test_s10_guessing_passwords_is_slowed_down(client, alice):
    for _ in range(12):
        answer = client.post("/accounts/login/", {"login": alice.email, "password": "wrong password"})
    assert "Too many failed login attempts" in answer.content.decode()


def test_a_second_factor_can_be_switched_on(client, alice):
    client.post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    path = "/accounts/2fa/totp/activate/"
    assert client.get(path).status_code == 200, "a sign-in a moment ago has said who this is"
    pass_minutes(client, 11)
    assert client.get(path)["Location"].startswith("/accounts/reauthenticate/"), "an open session alone is not enough"
    client.post(f"/accounts/reauthenticate/?next={path}", {"password": PASSWORD})
    assert "Authenticator" in client.get(path).content.decode()
    wrong = client.post(path, {"code": "000000"})
    assert "Incorrect code" in wrong.content.decode()


def test_the_profile_keeps_name_and_timezone(client, alice):
    client.force_login(alice)
    client.post("/accounts/profile/", {"name": "Alice <b>Ames</b>", "timezone": "Europe/Berlin", "dates": "day-24"})
    alice.refresh_from_db()
    assert (alice.name, alice.timezone) == ("Alice <b>Ames</b>", "Europe/Berlin")
    assert "Alice &lt;b&gt;Ames&lt;/b&gt;" in client.get("/accounts/profile/").content.decode()
    client.post("/accounts/profile/", {"name": "Alice", "timezone": "Mars/Olympus", "dates": "day-24"})
    alice.refresh_from_db()
    assert alice.timezone == "Europe/Berlin"


def test_s20_nobody_who_is_not_signed_in_leaves_a_file_on_the_disk(client, monkeypatch):
    """Forms of people who are not signed in have no file: small ones are passed over, and a large body is refused unread."""
    made = []
    monkeypatch.setattr("django.core.files.uploadhandler.TemporaryUploadedFile", lambda *args: made.append(args))
    page = "/accounts/login/"
    small = client.post(page, {"login": "x@acme.example", "password": "x", "file": BytesIO(b"x" * 1000)})
    assert small.status_code == 200
    assert small.wsgi_request.FILES == {}
    assert client.post(page, {"file": BytesIO(b"x" * 3_000_000)}).status_code == 400
    assert made == []


def test_every_page_says_what_it_may_ask_of_the_browser(client):
    policy = client.get("/accounts/login/").headers["Permissions-Policy"]
    assert "camera=()" in policy
    assert "publickey-credentials-get=(self)" in policy


def test_s9_a_name_brings_no_paragraph_of_its_own_into_mails_to_others(client, alice):
    """It stands in invitations: strangers would be written to in the portal's name."""
    spread = "  New\r\n\r\nPay here:  https://evil.example\u2028now "
    client.post("/accounts/signup/", {"email": "new@acme.example", "name": spread, "password1": PASSWORD})
    assert User.objects.get(email="new@acme.example").name == "New Pay here: https://evil.example now"
    client.force_login(alice)
    client.post("/accounts/profile/", {"name": spread, "timezone": "UTC", "dates": "month-12"})
    alice.refresh_from_db()
    assert alice.name == "New Pay here: https://evil.example now"
