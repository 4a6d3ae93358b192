"""S16, S13, S10: what somebody has seen of a person's sign-in before is worth nothing once the person went on."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.conf import settings
from django.test import Client

from portal.users.models import User
from tests.conftest import PASSWORD, make_user
from tests.support.factors import code_now, give_app
from tests.support.mails import code_in, mails_to, path_in
from tests.support.sessions import pass_minutes

pytestmark = pytest.mark.django_db

NEW = "alice.new@acme.example"
OTHER = "quite another long password"
FACTOR = "/accounts/2fa/authenticate/"
CONFIRM = "/accounts/confirm-email/"
EMAIL = "/accounts/email/"


def enter_password(client: Client, user: User, password: str = PASSWORD):
    return client.post("/accounts/login/", {"login": user.email, "password": password})


def is_signed_in(client: Client) -> bool:
    return client.get("/accounts/signed-in/").status_code == 204


def with_key(key: str) -> Client:
    """Return a browser that somebody has given this session key."""
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = key
    return client


def key_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def planted() -> Client:
    """Return a browser with a session that began before anybody signed in, and that somebody else knows the key of."""
    client = Client()
    client.session.save()  # as an opened invitation makes one
    client.cookies[settings.SESSION_COOKIE_NAME] = client.session.session_key
    return client


def change_password(client: Client):
    return client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER})


def recovery_codes(user: User) -> list[str]:
    codes: list[str] = RecoveryCodes.activate(user).get_unused_codes()
    return codes


def reset_link(user: User, outbox) -> str:
    Client().post("/accounts/password/reset/", {"email": user.email})
    return path_in(mails_to(user.email, outbox)[-1])


def opens(link: str) -> bool:
    return "password1" in Client().get(link, follow=True).content.decode()


def test_s16_the_key_of_a_session_changes_with_each_step_that_makes_it_worth_more(alice, bob):
    secret, browser = give_app(bob), planted()
    keys = [key_of(browser)]
    enter_password(browser, bob)
    assert not is_signed_in(browser)
    keys.append(key_of(browser))
    browser.post(FACTOR, {"code": code_now(secret)})
    assert is_signed_in(browser)
    assert key_of(browser) not in keys
    assert not any(is_signed_in(with_key(key)) for key in keys)

    browser = planted()
    keys = [key_of(browser)]
    enter_password(browser, alice)
    keys.append(key_of(browser))
    change_password(browser)
    assert is_signed_in(browser)
    assert len({*keys, key_of(browser)}) == 3
    assert not any(is_signed_in(with_key(key)) for key in keys)


def test_s16_signing_in_as_somebody_else_takes_over_nothing_of_the_session_before(alice, bob):
    browser = Client()
    enter_password(browser, alice)
    before = key_of(browser)
    browser.post("/accounts/logout/")
    assert not is_signed_in(with_key(before))
    enter_password(browser, bob)
    assert key_of(browser) != before
    assert alice.email not in str(dict(browser.session))


def test_s16_a_recovery_code_works_once(alice):
    give_app(alice)
    first, second, *_ = recovery_codes(alice)
    for code, works in ((first, True), (first, False), (second, True)):
        browser = Client()
        enter_password(browser, alice)
        browser.post(FACTOR, {"code": code})
        assert is_signed_in(browser) is works


def test_s16_a_code_of_an_app_works_once(alice):
    secret = give_app(alice)
    code = code_now(secret)
    for works in (True, False):
        browser = Client()
        enter_password(browser, alice)
        browser.post(FACTOR, {"code": code})
        assert is_signed_in(browser) is works


def test_s10_a_reset_link_is_dead_after_any_change_of_what_it_was_made_for(alice, mailoutbox):
    def new_password():
        alice.set_password(OTHER)
        alice.save()

    def new_address():
        alice.email = NEW
        alice.save()
        EmailAddress.objects.filter(user=alice).update(email=NEW)

    def use():
        form = Client().get(link, follow=False)["Location"]
        browser = Client()
        browser.get(link)
        browser.post(form, {"password1": PASSWORD, "password2": PASSWORD})
        assert is_signed_in(browser)

    for change in (use, new_password, new_address):
        link = reset_link(alice, mailoutbox)
        assert opens(link)
        change()
        alice.refresh_from_db()
        assert not opens(link), change.__name__


def test_s16_a_reset_skips_no_second_factor(alice, mailoutbox):
    secret, browser = give_app(alice), Client()
    form = browser.get(reset_link(alice, mailoutbox))["Location"]
    answer = browser.post(form, {"password1": OTHER, "password2": OTHER})
    assert answer["Location"] == FACTOR
    assert not is_signed_in(browser)
    browser.post(FACTOR, {"code": code_now(secret)})
    assert is_signed_in(browser)


def test_s16_a_sign_in_that_waits_for_its_second_factor_ends_with_the_password_it_began_with(alice):
    secret, thief, person = give_app(alice), Client(), Client()
    codes = recovery_codes(alice)
    enter_password(thief, alice)
    enter_password(person, alice)
    person.post(FACTOR, {"code": code_now(secret)})
    change_password(person)
    thief.post(FACTOR, {"code": codes[0]})
    assert not is_signed_in(thief)
    assert is_signed_in(person)


def test_s13_another_address_is_proven_in_the_browser_that_asked_for_it(alice, bob, mailoutbox):
    person, elsewhere, stranger = Client(), Client(), Client()
    for browser, user in ((person, alice), (elsewhere, alice), (stranger, bob)):
        enter_password(browser, user)
    person.post(EMAIL, {"action_add": "", "email": NEW})
    [message] = mails_to(NEW, mailoutbox)
    assert "://" not in message.body.replace(settings.PUBLIC_URL, "")
    for browser in (elsewhere, stranger, Client()):
        browser.post(CONFIRM, {"code": code_in(message)})
        assert not EmailAddress.objects.filter(email=NEW).exists()
    person.post(CONFIRM, {"code": code_in(message)})
    assert EmailAddress.objects.get(email=NEW, verified=True).user == alice


def test_s16_an_open_session_alone_changes_no_address_factor_or_code(alice):
    give_app(alice)
    kept = EmailAddress.objects.create(user=alice, email=NEW, verified=True, primary=False)
    browser = Client()
    browser.force_login(alice)
    pass_minutes(browser, 11)
    asked = {
        EMAIL: {"action_primary": "", "email": NEW},
        f"{EMAIL}?": {"action_remove": "", "email": NEW},
        f"{EMAIL}?add": {"action_add": "", "email": "third@acme.example"},
        "/accounts/2fa/totp/deactivate/": {},
        "/accounts/2fa/recovery-codes/generate/": {},
        "/accounts/2fa/webauthn/add/": {},
    }
    for path, form in asked.items():
        assert "/reauthenticate/" in browser.post(path, form).headers.get("Location", ""), path
    for path in ("/accounts/2fa/recovery-codes/", "/accounts/2fa/recovery-codes/download/"):
        assert browser.get(path).status_code in (302, 404), path
    kept.refresh_from_db()
    assert not kept.primary
    assert Authenticator.objects.filter(user=alice, type="totp").exists()


def test_s19_what_somebody_reads_after_asking_does_not_tell_who_is_registered(alice):
    ways = {
        "signup": {"email": "{}", "name": "New Person", "password1": OTHER},
        "login": {"login": "{}", "password": OTHER},
        "password/reset": {"email": "{}"},
    }
    for way, form in ways.items():
        pages = []
        for email in (alice.email, f"{way.partition('/')[0]}@acme.example"):
            browser = Client()
            answer = browser.post(f"/accounts/{way}/", {name: value.format(email) for name, value in form.items()}, follow=True)
            words = answer.content.decode().replace(email, "…")
            pages.append((answer.redirect_chain, answer.status_code, len(words)))
        assert pages[0] == pages[1], way


def test_s10_letters_that_only_look_alike_are_another_address(mailoutbox):
    """A long s and a Kelvin sign become ASCII in some comparisons: no link of one may be mailed to the other."""
    make_user("kiss@acme.example", "Kay")
    for typed in ("\u212aiss@acme.example", "ki\u017fs@acme.example", "kiss@acme.example\u3002evil.example"):
        Client().post("/accounts/password/reset/", {"email": typed})
    assert {to for message in mailoutbox for to in message.to if "/reset/key/" in message.body} <= {"kiss@acme.example"}
