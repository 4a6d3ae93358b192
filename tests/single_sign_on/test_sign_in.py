"""Signing in through a real provider, end to end but for the browser."""

import pytest
import requests
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount

from portal.audit.models import AccountEvent, Entry
from portal.single_sign_on.models import IdentityProvider, MailDomain
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.users.models import User
from tests.conftest import PASSWORD, make_user
from tests.single_sign_on.conftest import asked, leave
from tests.support.members import find_member, role_of

pytestmark = pytest.mark.django_db


def test_a_colleague_becomes_a_member_at_the_first_sign_in(client, acme, acme_provider, acme_sign_in):
    acme_provider.knows("c-1", email="Carol@Acme.example", name="Carol Cole", email_verified=True)
    answer = acme_provider.sign_in(client, "carol@acme.example", "c-1", timezone="Europe/Berlin")
    assert (answer.status_code, answer["Location"]) == (302, "/t/acme/")
    assert client.get("/t/acme/").status_code == 200
    carol = User.objects.get(email="carol@acme.example")
    assert (carol.name, carol.timezone, carol.has_usable_password()) == ("Carol Cole", "Europe/Berlin", False)
    assert role_of(acme, carol.email) == Role.VIEWER
    # Nobody has typed a password: the session says how it began, and nothing more.
    assert {record["method"] for record in client.session[AUTHENTICATION_METHODS_SESSION_KEY]} == {"socialaccount"}
    with tenant_scope(acme.pk):
        found = [*Entry.objects.order_by("id").values_list("action", "actor__email")]
        assert found == [("member.join", carol.email), ("identity_provider.sign_in", carol.email)]
        assert IdentityProvider.objects.get().worked_at is not None
    assert AccountEvent.objects.filter(user=carol, action="account.sign_in").count() == 1


def test_what_is_asked_of_the_provider_is_bound_to_this_browser(client, acme_provider, acme_sign_in):
    query = asked(leave(client, "carol@acme.example"))
    assert query["code_challenge_method"] == "S256"
    assert len(query["code_challenge"]) >= 43
    assert {"state", "nonce"} <= query.keys()
    assert query["redirect_uri"] == "http://127.0.0.1:8000/company-sign-in/acme/callback/"
    assert query["login_hint"] == "carol@acme.example"


def test_the_new_member_gets_the_role_that_the_owner_chose(client, acme, acme_provider, acme_sign_in):
    with tenant_scope(acme.pk):
        IdentityProvider.objects.update(default_role=Role.ANALYST)
    acme_provider.sign_in(client, "carol@acme.example")
    assert role_of(acme, "carol@acme.example") == Role.ANALYST


def test_an_account_with_the_address_is_linked_and_keeps_what_it_has(client, bob, acme, acme_provider, acme_sign_in):
    acme_provider.sign_in(client, bob.email)
    bob.refresh_from_db()
    assert bob.check_password(PASSWORD)
    assert SocialAccount.objects.get(user=bob).provider == acme_sign_in.key
    assert role_of(acme, bob.email) == Role.VIEWER


def test_s13_what_was_set_before_the_proof_is_worth_nothing(client, acme_provider, acme_sign_in, make_client):
    early = make_client()
    early.post("/accounts/signup/", {"email": "carol@acme.example", "name": "Not Carol", "password1": PASSWORD})
    acme_provider.knows("c-1", email="carol@acme.example", name="Carol Cole")
    acme_provider.sign_in(client, "carol@acme.example", "c-1")
    carol = User.objects.get(email="carol@acme.example")
    assert (carol.name, carol.has_usable_password()) == ("Carol Cole", False)
    answer = make_client().post("/accounts/login/", {"login": carol.email, "password": PASSWORD})
    assert answer.wsgi_request.user.is_anonymous
    for path in ("/accounts/confirm-email/", "/t/acme/"):
        early.get(path)
    assert early.post("/accounts/confirm-email/", {"code": "000000"}).wsgi_request.user.is_anonymous
    assert early.get("/t/acme/").status_code == 302


def test_a_provider_that_calls_the_address_unverified_lets_nobody_in(client, acme, acme_provider, acme_sign_in):
    for value in (False, "false", None, "yes"):
        acme_provider.knows("c-1", email="carol@acme.example", email_verified=value)
        answer = acme_provider.sign_in(client, "carol@acme.example", "c-1")
        assert "not verified there" in answer.content.decode(), value
    assert role_of(acme, "carol@acme.example") is None


def test_somebody_who_was_removed_does_not_come_back_by_themself(client, alice, acme, acme_provider, acme_sign_in, make_client):
    acme_provider.sign_in(client, "carol@acme.example")
    owner = make_client()
    owner.force_login(alice)
    member = find_member(user__email="carol@acme.example")
    owner.post(f"/t/acme/settings/members/{member.pk}/remove/")
    assert client.get("/t/acme/").status_code == 404
    answer = acme_provider.sign_in(client, "carol@acme.example")
    assert "You are no longer a member of Acme" in answer.content.decode()
    assert role_of(acme, "carol@acme.example") is None
    owner.post("/t/acme/settings/members/invite/", {"email": "carol@acme.example", "role": Role.ANALYST.value})
    acme_provider.sign_in(client, "carol@acme.example")
    assert role_of(acme, "carol@acme.example") == Role.ANALYST
    assert role_of(acme, "alice@acme.example") == Role.OWNER


def test_a_second_factor_is_still_asked_for(client, bob, acme_provider, acme_sign_in):
    Authenticator.objects.create(user=bob, type=Authenticator.Type.TOTP, data={"secret": "x"})
    answer = acme_provider.sign_in(client, bob.email)
    assert answer["Location"] == "/accounts/2fa/authenticate/"
    assert client.get("/t/acme/").status_code == 302
    assert not AccountEvent.objects.filter(user=bob, action="account.sign_in").exists()


def test_a_domain_that_is_lost_lets_nobody_in(client, bob, acme, acme_provider, acme_sign_in):
    url = leave(client, bob.email)
    with tenant_scope(acme.pk):
        MailDomain.objects.update(proven_at=None)
    answer = client.get(acme_provider.authorize(url, bob.email))
    assert "has not proven" in answer.content.decode()
    assert "No company sign-in is set up" in client.post("/company-sign-in/", {"email": bob.email}).content.decode()
    assert client.get("/t/acme/").status_code == 302


def test_an_address_of_no_proven_domain_is_told_so(client, acme_sign_in):
    for email in ("x@example.com", "x@sub.acme.example", "x@notacme.example", "x@acme.example.evil.example", "nobody"):
        answer = client.post("/company-sign-in/", {"email": email})
        assert (email, answer.status_code) == (email, 422)


def test_cancelling_there_says_so_here(client, acme_provider, acme_sign_in):
    answer = client.get(acme_provider.deny(leave(client, "carol@acme.example")))
    assert (answer.status_code, "You canceled it" in answer.content.decode()) == (403, True)


def test_a_provider_that_is_away_is_said_to_be(client, acme, acme_sign_in):
    with tenant_scope(acme.pk):
        IdentityProvider.objects.update(issuer="http://127.0.0.1:9")
    answer = client.post("/company-sign-in/", {"email": "carol@acme.example"})
    assert (answer.status_code, "be reached at the moment" in answer.content.decode()) == (503, True)


def test_going_on_leads_to_our_own_pages_only(client, acme_provider, acme_sign_in):
    answer = acme_provider.sign_in(client, "carol@acme.example", next="/accounts/profile/")
    assert answer["Location"] == "/accounts/profile/"
    for hostile in ("https://evil.example/", "//evil.example/"):
        assert acme_provider.sign_in(client, "carol@acme.example", next=hostile)["Location"] == "/t/acme/"


def test_a_closed_tenant_has_no_sign_in(client, acme, acme_provider, acme_sign_in):
    url = leave(client, "carol@acme.example")
    acme.closed_at = acme.created_at
    acme.save()
    assert client.get(acme_provider.authorize(url, "carol@acme.example")).status_code == 404
    assert not User.objects.filter(email="carol@acme.example").exists()


def test_the_secret_is_sealed(acme, acme_sign_in):
    assert b"canary" not in bytes(acme_sign_in.client_secret)
    assert acme_sign_in.open("client_secret") == "canary-client-secret"


def test_too_many_attempts_of_one_client_are_refused(client, acme_sign_in):
    answers = [client.post("/company-sign-in/", {"email": "carol@elsewhere.example"}).status_code for _ in range(62)]
    assert answers[0] == 422
    assert answers[-1] == 429


def test_allauths_own_pages_for_accounts_elsewhere_are_not_there(client, bob):
    client.force_login(bob)
    for path in ("3rdparty/", "3rdparty/signup/", "3rdparty/login/error/", "social/signup/", "oidc/x/login/"):
        assert client.get(f"/accounts/{path}").status_code == 404


def test_an_address_of_another_account_is_not_taken(client, mallory, acme_provider, acme_sign_in):
    """Mallory has proven the address too, beside her own: her account is none of acme's to open."""
    EmailAddress.objects.create(user=mallory, email="carol@acme.example", verified=True)
    answer = acme_provider.sign_in(client, "carol@acme.example")
    assert "belongs to an account with another address" in answer.content.decode()
    assert client.get("/notifications/").status_code == 302


def test_somebody_deactivated_stays_outside(client, bob, acme_provider, acme_sign_in):
    bob.is_active = False
    bob.save()
    assert "deactivated" in acme_provider.sign_in(client, bob.email).content.decode()


def test_another_address_of_the_same_person_is_not_followed(client, acme_provider, acme_sign_in):
    acme_provider.knows("c-2", email="dave@acme.example")
    acme_provider.sign_in(client, "dave@acme.example", "c-2")
    client.logout()
    acme_provider.knows("c-2", email="alice@acme.example")
    make_user("carol@acme.example", "Carol")
    answer = acme_provider.sign_in(client, "alice@acme.example", "c-2")
    assert "has another address" in answer.content.decode()
    acme_provider.knows("c-3", email="dave@acme.example")
    answer = acme_provider.sign_in(client, "dave@acme.example", "c-3")
    assert "linked to another person" in answer.content.decode()
    assert client.get("/notifications/").status_code == 302


def test_signing_out_shows_the_way_to_sign_out_at_the_provider_too(client, acme_provider, acme_sign_in):
    acme_provider.sign_in(client, "carol@acme.example")
    page = client.post("/accounts/logout/")
    there = page.context["url"]
    assert there.startswith(f"{acme_provider.url}/oauth2/end_session?")
    assert asked(there) == {"client_id": "portal", "post_logout_redirect_uri": "http://127.0.0.1:8000/accounts/login/"}
    assert client.get("/t/acme/").status_code == 302, "the session here has ended, whatever is done there"
    assert requests.get(there, timeout=5).status_code == 200


def test_signing_out_is_as_ever_for_those_who_came_with_a_password(client, bob, acme_sign_in):
    client.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
    assert client.post("/accounts/logout/").status_code == 302
    assert client.post("/accounts/logout/").status_code == 302
