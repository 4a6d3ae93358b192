"""What the stranger tries who runs her own provider as she likes, and what one tries in the browser of another."""

import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from portal.single_sign_on.models import MailDomain
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.users.models import User
from tests.conftest import PASSWORD, make_user
from tests.single_sign_on.conftest import CALLBACK, asked, leave, set_up
from tests.support.members import add_member, is_member, set_role

pytestmark = pytest.mark.django_db


def is_signed_in(client):
    return client.get("/notifications/").status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "alice@acme.example",
        "ALICE@ACME.example",
        "alice@acme.example ",
        "alice@acme.example\n",
        "alice@globex.example@acme.example",
        "alice@acme.example@globex.example",
        '"alice@acme.example"@globex.example',
        "alice@acme.example,mallory@globex.example",
        "alice@acme.example\x00@globex.example",
        "Alice <alice@acme.example>",
        "alice@xn--acme.example",
        "alice@acme.example.",
        "alice@sub.globex.example",
        "\u212balice@globex.example",
        "alice@globe\u212a.example",
        "",
        7,
        ["alice@acme.example"],
        {"x": "alice@acme.example"},
    ],
)
def test_s13_her_provider_names_somebody_of_another_company(
    client, alice, acme, globex, globex_provider, globex_sign_in, address
):
    people = User.objects.count()
    globex_provider.knows("m-1", email=address, email_verified=True)
    answer = globex_provider.sign_in(client, "mallory@globex.example", "m-1")
    assert answer.status_code == 403
    assert not is_signed_in(client)
    assert (User.objects.count(), SocialAccount.objects.count()) == (people, 0)


def test_a_subject_of_one_provider_is_nobody_at_another(
    client, bob, acme_provider, acme_sign_in, globex_provider, globex_sign_in
):
    acme_provider.knows("same", email=bob.email)
    acme_provider.sign_in(client, bob.email, "same")
    client.logout()
    globex_provider.knows("same", email=bob.email)
    assert globex_provider.sign_in(client, "mallory@globex.example", "same").status_code == 403
    globex_provider.knows("same", email="eve@globex.example")
    globex_provider.sign_in(client, "eve@globex.example", "same")
    assert SocialAccount.objects.get(user=bob).provider == acme_sign_in.key
    assert client.get("/t/acme/").status_code == 404


def test_an_account_that_moved_to_another_company_is_out_of_reach_of_the_old_one(client, globex_provider, globex_sign_in):
    """Linked while the address was globex's; its owner has taken another address since."""
    globex_provider.knows("e-1", email="eve@globex.example")
    globex_provider.sign_in(client, "eve@globex.example", "e-1")
    client.logout()
    eve = User.objects.get(email="eve@globex.example")
    User.objects.filter(pk=eve.pk).update(email="eve@acme.example")
    EmailAddress.objects.filter(user=eve).update(email="eve@acme.example")
    for address in ("eve@acme.example", "eve@globex.example"):
        globex_provider.knows("e-1", email=address)
        assert globex_provider.sign_in(client, "eve@globex.example", "e-1").status_code == 403
    assert not is_signed_in(client)


def test_a_code_of_one_tenant_is_worth_nothing_at_the_address_of_another(
    client, bob, acme_provider, acme_sign_in, globex_provider, globex_sign_in
):
    """Mix-up (RFC 9700 4.4): the answer of one provider is brought to the address of the other."""
    globex_provider.knows("m-1", email="mallory@globex.example")
    path = globex_provider.authorize(leave(client, "mallory@globex.example"), "m-1")
    answer = client.get(path.replace("/globex/", "/acme/"))
    assert answer.status_code == 403
    assert not is_signed_in(client)


def test_an_answer_belongs_to_the_browser_that_asked_and_works_once(client, make_client, acme_provider, acme_sign_in):
    """Signing a victim in as somebody else: the link with the code is opened in another browser."""
    path = acme_provider.authorize(leave(client, "carol@acme.example"), "carol@acme.example")
    victim = make_client()
    assert victim.get(path).status_code == 403
    assert not is_signed_in(victim)
    assert client.get(path).status_code == 302
    client.logout()
    assert client.get(path).status_code == 403
    assert not is_signed_in(client)


def test_a_code_of_another_walk_is_refused(client, make_client, acme_provider, acme_sign_in):
    """Code injection: the nonce of the token is that of the walk that the code was given for."""
    other = make_client()
    stolen = asked(acme_provider.authorize(leave(other, "alice@acme.example"), "alice@acme.example"))["code"]
    own = asked(leave(client, "carol@acme.example"))["state"]
    answer = client.get(CALLBACK.format(slug="acme"), {"code": stolen, "state": own})
    assert answer.status_code == 403
    assert not is_signed_in(client)


@pytest.mark.parametrize("query", [{}, {"code": "x"}, {"state": "x"}, {"code": "x", "state": "x"}, {"error": "<script>"}])
def test_made_up_answers_are_refused_in_words(client, acme_sign_in, query):
    answer = client.get(CALLBACK.format(slug="acme"), query)
    assert answer.status_code == 403
    assert "<script>" not in answer.content.decode()
    assert answer["Referrer-Policy"] == "no-referrer"


def test_nobody_is_connected_to_a_provider_by_a_link(client, alice, globex_provider, globex_sign_in):
    """`process=connect` would add her person at her provider to the account of whoever opens the link."""
    client.force_login(alice)
    for path in ("/company-sign-in/?process=connect", f"/accounts/oidc/{globex_sign_in.key}/login/?process=connect"):
        client.get(path)
        client.post(path, {"email": "mallory@globex.example", "process": "connect"})
    globex_provider.knows("m-1", email="mallory@globex.example")
    client.get(globex_provider.authorize(leave(client, "mallory@globex.example"), "m-1"))
    assert not SocialAccount.objects.filter(user=alice).exists()


def test_two_tenants_with_the_same_client_at_one_provider_stay_apart(client, bob, acme, globex, acme_provider, acme_sign_in):
    set_up(globex, acme_provider, "globex.example")
    acme_provider.knows("c-1", email=bob.email)
    assert acme_provider.sign_in(client, "mallory@globex.example", "c-1").status_code == 403
    assert acme_provider.sign_in(client, bob.email, "c-1").status_code == 302
    assert not is_member(tenant=globex, user=bob)


def test_a_session_of_one_provider_opens_no_tenant_that_requires_another(
    client, bob, acme, acme_provider, acme_sign_in, globex, globex_provider, globex_sign_in
):
    """Bob works for both. His address is acme's, so the provider that globex requires can't vouch for him at all."""
    add_member(tenant=globex, user=bob, role=Role.VIEWER)
    globex.required_provider = globex_sign_in.key
    globex.save()
    acme_provider.sign_in(client, bob.email)
    assert client.get("/t/acme/").status_code == 200
    page = client.get("/t/globex/")
    assert (page.status_code, "Use your company" in page.content.decode()) == (403, True)
    assert [line.membership.tenant for line in client.get("/portfolio/").context["lines"]] == [acme]


def test_an_owners_way_back_is_not_through_the_provider_of_another_tenant(
    client, globex, globex_provider, globex_sign_in, acme, acme_sign_in
):
    """Mallory's provider vouches for a consultant of globex who owns acme, where company sign-in is required."""
    carol = make_user("carol@globex.example", "Carol")
    add_member(tenant=acme, user=carol, role=Role.OWNER)
    acme.required_provider = acme_sign_in.key
    acme.save()
    globex_provider.knows("c-1", email=carol.email)
    globex_provider.sign_in(client, carol.email, "c-1")
    assert is_signed_in(client)
    assert client.get("/t/acme/").status_code == 403
    Authenticator.objects.create(user=carol, type=Authenticator.Type.TOTP, data={"secret": "x"})
    assert client.get("/t/acme/").status_code == 403, "a factor set up in such a session is no way in either"
    client.logout()
    globex_provider.sign_in(client, carol.email, "c-1")
    assert not is_signed_in(client), "hers is asked for"


def test_a_tenant_that_requires_a_second_factor_still_does(client, bob, acme, acme_provider, acme_sign_in):
    acme.requires_second_factor = True
    acme.save()
    acme_provider.sign_in(client, bob.email)
    assert "Set up a second factor" in client.get("/t/acme/").content.decode()


def test_one_domain_is_proven_by_one_tenant(client, mallory, alice, acme, acme_sign_in, globex, name_server):
    with tenant_scope(globex.pk):
        domain = MailDomain.objects.create(name="acme.example", token="mine", check_at=timezone.now())
    name_server.records[domain.record_name] = [domain.record_value]
    client.force_login(mallory)
    answer = client.post(f"/t/globex/settings/single-sign-on/domains/{domain.pk}/check/", follow=True)
    assert "Another tenant of this portal uses acme.example" in answer.content.decode()
    with tenant_scope(globex.pk):
        assert not MailDomain.objects.get().is_proven
    acme.closed_at = timezone.now()
    acme.save()
    client.post(f"/t/globex/settings/single-sign-on/domains/{domain.pk}/check/")
    with tenant_scope(globex.pk):
        assert MailDomain.objects.get().is_proven, "a tenant that was closed holds nothing"


def test_confirming_takes_the_same_person_asked_a_moment_ago(client, bob, acme_provider, acme_sign_in):
    """Who came by company sign-in and has no password is asked again there, not waved through."""
    User.objects.filter(pk=bob.pk).update(password="!")
    set_role(Role.OWNER, user=bob)
    acme_provider.sign_in(client, bob.email)
    session = client.session
    session["account_authentication_methods"][0]["at"] = time.time() - 3600
    session.save()
    page = "/t/acme/settings/single-sign-on/domains/"
    answer = client.post(page, {"domain": "other.example"})
    assert answer["Location"].startswith("/accounts/company-sign-in/confirm/?next=")
    shown = client.get(answer["Location"])
    url = shown.context["url"]
    assert (asked(url)["prompt"], asked(url)["max_age"]) == ("login", "0")
    assert client.get(acme_provider.authorize(url, "mallory@acme.example")).status_code == 403
    url = client.get(answer["Location"]).context["url"]
    done = client.get(acme_provider.authorize(url, bob.email))
    assert done.status_code == 302
    with tenant_scope(acme_sign_in.tenant_id):
        assert MailDomain.objects.filter(name="other.example").exists(), "what was asked for is done after it"
    assert PASSWORD not in str(dict(client.session))


def test_an_account_that_was_unlinked_is_linked_to_the_next_one(client, alice, bob, acme_provider, acme_sign_in, make_client):
    before = make_client()
    acme_provider.sign_in(before, bob.email)
    acme_provider.knows("b-2", email=bob.email)
    assert acme_provider.sign_in(client, bob.email, "b-2").status_code == 403
    owner = make_client()
    owner.force_login(alice)
    link = SocialAccount.objects.get(user=bob)
    owner.post(f"/t/acme/settings/single-sign-on/people/{link.pk}/unlink/")
    assert before.get("/notifications/").status_code == 302, "whoever it was is out"
    assert acme_provider.sign_in(client, bob.email, "b-2").status_code == 302
    assert SocialAccount.objects.get(user=bob).uid == "b-2"


def test_an_owner_who_ends_their_own_way_in_is_signed_out_and_told_nothing_wrong(client, alice, acme_provider, acme_sign_in):
    acme_provider.sign_in(client, alice.email)
    link = SocialAccount.objects.get(user=alice)
    answer = client.post(f"/t/acme/settings/single-sign-on/people/{link.pk}/unlink/")
    assert answer.status_code == 302
    assert not SocialAccount.objects.exists()
    assert "/accounts/login/" in client.get(answer["Location"])["Location"]
