"""The whole way in a real browser: an owner sets it up, a colleague comes in, it is required."""

import re

import pytest
from allauth.mfa.models import Authenticator
from playwright.sync_api import Page, expect

from portal.single_sign_on.models import MailDomain
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.users.models import User
from tests.single_sign_on.conftest import SamlCompany, prove, run
from tests.support.members import add_second_tenant, find_member
from tests.support.page_checks import look
from tests.support.ports import free_port

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def come_in(page: Page, url: str, email: str, provider_url: str, subject: str) -> None:
    page.goto(f"{url}/accounts/login/")
    page.get_by_role("link", name="Continue with your company's sign-in").click()
    page.get_by_label("Work email").fill(email)
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url(f"{provider_url}/**")
    page.get_by_label("Subject").fill(subject)
    page.get_by_role("button", name="Authorize", exact=True).click()


def test_single_sign_on_from_setting_it_up_to_requiring_it(
    page: Page, live_server, settings, session_cookie, acme, alice, acme_provider, name_server, mailoutbox
):
    url = settings.PUBLIC_URL = live_server.url
    errors: list[str] = []
    page.on(
        "console",
        lambda message: errors.append(f"{message.location['url']} {message.text}") if message.type == "error" else None,
    )
    page.context.add_cookies([session_cookie])
    page.goto(f"{url}/t/acme/settings/")
    page.get_by_role("navigation", name="Settings").get_by_role("link", name="Single sign-on").click()
    look(page, "sso-empty")
    page.get_by_role("textbox", name="Domain").fill("acme.example")
    page.get_by_role("button", name="Add domain").click()
    value = page.get_by_label("record value", exact=True)
    expect(page.get_by_label("record name", exact=True)).to_have_value("_trust-portal.acme.example")
    name_server.records["_trust-portal.acme.example"] = [value.input_value()]
    look(page, "sso-domain-waits")
    page.get_by_role("button", name="Email postmaster@acme.example").click()
    expect(page.locator("#toasts")).to_contain_text("Email sent to postmaster@acme.example")
    page.goto(re.search(r"http\S+/mail-domain/\S+/", mailoutbox[0].body)[0])
    expect(page.get_by_role("heading", name="Does acme.example belong to Acme?")).to_be_visible()
    look(page, "sso-prove")
    page.goto(f"{url}/t/acme/settings/single-sign-on/")
    page.get_by_role("button", name="Check now").click()
    expect(page.locator("#toasts")).to_contain_text("acme.example is proven")
    expect(page.get_by_label("redirect URI", exact=True)).to_have_value(f"{url}/company-sign-in/acme/callback/")
    page.get_by_label("Issuer").fill(acme_provider.url)
    page.get_by_label("Client ID").fill("portal")
    page.get_by_label("Client secret").fill("canary-client-secret")
    page.get_by_label("New members become").first.select_option(
        label="Analyst: answers questionnaires, keeps contracts, commitments, customers and incidents, exports"
    )
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#toasts")).to_contain_text("Company sign-in saved")
    page.context.clear_cookies()

    acme_provider.knows("carol", email="carol@acme.example", name="Carol Cole", email_verified=True)
    page.goto(f"{url}/accounts/login/")
    look(page, "sso-login")
    page.goto(f"{url}/company-sign-in/")
    look(page, "sso-start")
    page.get_by_label("Work email").fill("carol@nobody.example")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("No company sign-in is set up for this domain")).to_be_visible()
    come_in(page, url, "carol@acme.example", acme_provider.url, "carol")
    page.wait_for_url(f"{url}/t/acme/")
    carol = User.objects.get(email="carol@acme.example")
    assert carol.name == "Carol Cole"
    assert find_member(user=carol, tenant=acme).role == Role.ANALYST
    page.get_by_label("Your menu").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="You're signed out")).to_be_visible()
    look(page, "sso-signed-out")
    page.get_by_role("link", name="Sign out of").click()
    page.wait_for_url(f"{acme_provider.url}/oauth2/end_session?*")
    page.context.clear_cookies()

    acme_provider.knows("eve", email="eve@other.example")
    come_in(page, url, "carol@acme.example", acme_provider.url, "eve")
    expect(page.get_by_text("has not proven")).to_be_visible()
    look(page, "sso-refused")
    page.context.clear_cookies()

    Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={"secret": "x"})
    page.context.add_cookies([session_cookie])
    page.goto(f"{url}/t/acme/settings/single-sign-on/")
    look(page, "sso-set-up")
    page.get_by_role("button", name="Require company sign-in").click()
    expect(page.locator("#toasts")).to_contain_text("Company sign-in required.")
    with tenant_scope(acme.pk):
        MailDomain.objects.create(name="old.example", token="x", lost_at=acme.created_at, check_at=acme.created_at)
    page.reload()
    look(page, "sso-required")
    Authenticator.objects.all().delete()
    page.goto(f"{url}/t/acme/")
    expect(page.get_by_role("heading", name="Use your company's sign-in")).to_be_visible()
    look(page, "sso-shut")
    add_second_tenant(alice)
    page.goto(f"{url}/portfolio/")
    look(page, "sso-portfolio")
    ours = [error for error in errors if error.startswith(url)]
    assert [error for error in ours if "403" not in error and "422" not in error] == []


def test_saml_from_metadata_to_the_first_page(page: Page, live_server, settings, session_cookie, acme, tmp_path):
    url = settings.PUBLIC_URL = live_server.url
    port = free_port()
    module = ("tests.single_sign_on.saml_provider", str(port), str(tmp_path), f"{url}/company-sign-in/acme/saml/")
    for company in run(SamlCompany(f"http://127.0.0.1:{port}"), *module):
        page.context.add_cookies([session_cookie])
        page.goto(f"{url}/t/acme/settings/single-sign-on/")
        page.get_by_label("Metadata").fill(f"{company.url}/metadata")
        page.get_by_role("button", name="Save SAML").click()
        expect(page.locator("#toasts")).to_contain_text("Company sign-in saved")
        prove(acme, "acme.example")
        page.context.clear_cookies()
        company.knows("carol-id", mail="carol@acme.example", displayName="Carol Cole")
        come_in(page, url, "carol@acme.example", company.url, "carol-id")
        page.wait_for_url(f"{url}/t/acme/")
        assert find_member(user__email="carol@acme.example", tenant=acme).role == Role.VIEWER
        company.learn_service(page.request.get(f"{url}/company-sign-in/acme/saml/metadata/").body())
        page.get_by_label("Your menu").click()
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("link", name="Sign out of").click()
        page.wait_for_url(f"{url}/accounts/login/")
        assert company.sessions() == []
        page.context.clear_cookies()
        page.context.add_cookies([session_cookie])
        page.goto(f"{url}/t/acme/settings/single-sign-on/")
        look(page, "sso-saml")
