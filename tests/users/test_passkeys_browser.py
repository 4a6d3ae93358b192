"""S16: passkeys in a real browser, with an authenticator that the browser imitates."""

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from playwright.sync_api import Page, expect

from tests.conftest import PASSWORD
from tests.support.mails import mails_to
from tests.support.sessions import pass_minutes

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def with_authenticator(page: Page) -> Page:
    """A page whose browser has a passkey store that says yes to everything."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return page


def add_passkey(page: Page, url: str) -> None:
    page.goto(f"{url}/accounts/2fa/webauthn/add/")
    expect(page.get_by_label("Sign in without a password")).to_be_checked()
    page.get_by_role("button", name="Add passkey").click()
    expect(page.locator("#toasts")).to_contain_text("Passkey added")


def test_a_button_cannot_be_pressed_before_the_script_that_carries_it_out(browser, live_server, session_cookie):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}/accounts/2fa/webauthn/add/")
    expect(page.get_by_role("button", name="Add passkey")).to_be_disabled()
    context.close()


def test_s16_a_passkey_signs_in_without_a_password(
    with_authenticator: Page, live_server, session_cookie, acme, alice, mailoutbox
):
    page, url = with_authenticator, live_server.url
    page.context.add_cookies([session_cookie])
    add_passkey(page, url)
    assert "Passkey added" in [message.subject for message in mails_to(alice.email, mailoutbox)]
    page.context.clear_cookies()
    page.goto(f"{url}/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page).to_have_url(f"{url}/t/acme/")


def test_s16_a_passkey_is_asked_for_after_the_password_and_opens_a_tenant_that_requires_it(
    with_authenticator: Page, live_server, session_cookie, acme, alice
):
    acme.requires_second_factor = True
    acme.save()
    page, url = with_authenticator, live_server.url
    page.context.add_cookies([session_cookie])
    page.goto(f"{url}/t/acme/")
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_role("button", name="Add passkey").click()
    expect(page.locator("#toasts")).to_contain_text("Passkey added")
    page.context.clear_cookies()
    page.goto(f"{url}/accounts/login/?next=/t/acme/")
    page.get_by_label("Email").fill(alice.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Second step")).to_be_visible()
    page.get_by_role("button", name="Use a passkey instead").click()
    expect(page).to_have_url(f"{url}/t/acme/")
    assert Authenticator.objects.get(user=alice, type="webauthn").last_used_at


@pytest.mark.parametrize(
    ("answer", "words"), [("no passkey", "Your browser didn't provide a passkey"), ("no connection", "Wait a minute")]
)
def test_r5_a_passkey_that_signs_nobody_in_is_said(with_authenticator: Page, live_server, answer, words):
    page, complaints = with_authenticator, []
    page.on("console", lambda message: complaints.append(message.text) if "NotAllowedError" in message.text else None)
    if answer == "no connection":
        page.route("**/accounts/2fa/webauthn/login/", lambda route: route.abort())
    page.goto(f"{live_server.url}/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator("#toasts")).to_contain_text(words)
    assert complaints == [], "what the person was told is no error of the page"


def test_r5_a_browser_without_passkeys_is_said(page: Page, live_server):
    page.add_init_script(
        "delete window.PublicKeyCredential; Object.defineProperty(navigator, 'credentials', {value: undefined})"
    )
    page.goto(f"{live_server.url}/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator("#toasts")).to_contain_text("can't use passkeys")


def test_r5_a_device_that_has_a_passkey_already_is_said(with_authenticator: Page, live_server, session_cookie, acme):
    page, url = with_authenticator, live_server.url
    page.context.add_cookies([session_cookie])
    add_passkey(page, url)
    page.goto(f"{url}/accounts/2fa/webauthn/add/")
    page.get_by_role("button", name="Add passkey").click()
    expect(page.locator("#toasts")).to_contain_text("already a passkey of yours on this device")


def test_r2_an_address_of_numbers_offers_no_passkeys_and_says_why(page: Page, live_server, client, acme, alice):
    url = live_server.url.replace("localhost", "127.0.0.1")
    page.goto(f"{url}/accounts/login/")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="passkey")).to_have_count(0)
    client.force_login(alice)
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}])
    page.goto(f"{url}/accounts/2fa/")
    expect(page.get_by_text("open the portal by its name")).to_be_visible()
    expect(page.get_by_role("link", name="Add a passkey")).to_have_count(0)
    # One kept from another address is still asked for: it is the browser that refuses it here.
    page.goto(f"{url}/accounts/2fa/webauthn/add/")
    page.get_by_role("button", name="Add passkey").click()
    expect(page.locator("#toasts")).to_contain_text("doesn't allow passkeys at this address")


def test_s16_removing_a_member_confirms_who_asks_and_then_goes_on(page: Page, live_server, acme, alice, bob):
    url = live_server.url
    page.goto(f"{url}/accounts/login/?next=/t/acme/settings/members/")
    page.get_by_label("Email").fill(alice.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    row = page.get_by_role("row").filter(has_text=bob.email)
    expect(row).to_have_count(1)
    client = Client()
    client.cookies["sessionid"] = next(each["value"] for each in page.context.cookies() if each["name"] == "sessionid")
    pass_minutes(client, 11)
    row.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("heading", name="Confirm it's you")).to_be_visible()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    expect(page).to_have_url(f"{url}/t/acme/settings/members/")
    expect(row).to_have_count(0)
