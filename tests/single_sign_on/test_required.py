"""Company sign-in only, and the way back for owners."""

import pytest
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.utils import timezone

from portal.audit.models import Entry
from portal.single_sign_on import services
from portal.single_sign_on.models import IdentityProvider, MailDomain
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.conftest import PASSWORD
from tests.support.beside import Beside
from tests.support.mails import path_in
from tests.support.members import add_second_tenant, find_member, set_role

pytestmark = pytest.mark.django_db
REQUIRE = "/t/acme/settings/single-sign-on/require/"


@pytest.fixture
def required(acme, acme_sign_in):
    acme.required_provider = acme_sign_in.key
    acme.save()
    return acme


def give_factor(user):
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})


def test_a_password_no_longer_opens_the_tenant(client, bob, required, acme_provider):
    second = add_second_tenant(bob)
    client.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
    for path in ("/t/acme/", "/t/acme/questionnaires/", "/t/acme/settings/members/", "/t/acme/search/"):
        answer = client.get(path)
        assert answer.status_code in (403, 404), path
    page = client.get("/t/acme/").content.decode()
    assert "/company-sign-in/?next=/t/acme/" in page
    assert "/t/acme/settings/members/leave/" in page
    lines = client.get("/portfolio/")
    assert [line.membership.tenant for line in lines.context["lines"]] == [second]
    assert "Company sign-in" in lines.content.decode()
    client.logout()
    acme_provider.sign_in(client, bob.email)
    assert client.get("/t/acme/").status_code == 200


def test_the_next_request_counts_for_who_is_inside(client, bob, acme, acme_sign_in):
    client.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
    assert client.get("/t/acme/").status_code == 200
    acme.required_provider = acme_sign_in.key
    acme.save()
    assert client.get("/t/acme/").status_code == 403


def test_an_owner_comes_back_with_a_second_factor_and_an_admin_does_not(client, alice, bob, required):
    client.force_login(alice)
    page = client.get("/t/acme/")
    assert (page.status_code, "Set up a second factor" in page.content.decode()) == (403, True)
    give_factor(alice)
    assert client.get("/t/acme/").status_code == 200
    set_role(Role.ADMIN, user=bob)
    give_factor(bob)
    client.force_login(bob)
    assert client.get("/t/acme/").status_code == 403


def test_a_session_of_another_configuration_of_the_provider_is_worth_nothing(client, bob, required, acme_provider):
    acme_provider.sign_in(client, bob.email)
    assert client.get("/t/acme/").status_code == 200
    required.required_provider = "another"
    required.save()
    assert client.get("/t/acme/").status_code == 403


def test_it_is_required_only_once_it_has_worked(client, alice, acme, acme_provider, acme_sign_in, make_client):
    client.force_login(alice)
    give_factor(alice)
    assert "sign in with it once first" in client.post(REQUIRE, {"sign_in": "required"}, follow=True).content.decode()
    acme_provider.sign_in(make_client(), "carol@acme.example")
    assert "Company sign-in required." in client.post(REQUIRE, {"sign_in": "required"}, follow=True).content.decode()
    acme.refresh_from_db()
    assert acme.required_provider == acme_sign_in.key
    assert (
        "Make it optional first"
        in client.post("/t/acme/settings/single-sign-on/provider/remove/", follow=True).content.decode()
    )
    client.post(REQUIRE, {"sign_in": "optional"})
    acme.refresh_from_db()
    assert acme.required_provider == ""
    with tenant_scope(acme.pk):
        actions = [*Entry.objects.filter(actor=alice).order_by("id").values_list("action", flat=True)]
    assert actions == ["identity_provider.require", "identity_provider.allow_others"]


def test_the_last_proven_domain_stays_while_it_is_required(client, alice, required):
    client.force_login(alice)
    give_factor(alice)
    with tenant_scope(required.pk):
        proven = MailDomain.objects.get()
        unproven = MailDomain.objects.create(name="other.example", token="x", check_at=timezone.now())
    remove = "/t/acme/settings/single-sign-on/domains/{}/remove/"
    page = client.post(remove.format(proven.pk), follow=True).content.decode()
    assert "this is its only proven domain" in page
    client.post(remove.format(unproven.pk))
    with tenant_scope(required.pk):
        assert MailDomain.objects.get() == proven
    client.post(REQUIRE, {"sign_in": "optional"})
    client.post(remove.format(proven.pk))
    with tenant_scope(required.pk):
        assert not MailDomain.objects.exists()


def test_an_owner_without_a_factor_does_not_shut_themself_out(client, alice, acme, acme_provider, acme_sign_in, make_client):
    acme_provider.sign_in(make_client(), "carol@acme.example")
    client.force_login(alice)
    answer = client.post(REQUIRE, {"sign_in": "required"}, follow=True)
    assert "Set up your own second factor first" in answer.content.decode()


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ADMIN])
def test_only_owners_see_and_change_it(client, member, acme_sign_in, role):
    client.force_login(member(role))
    assert client.get("/t/acme/settings/single-sign-on/").status_code == 403
    assert client.post(REQUIRE, {"sign_in": "required"}).status_code == 403
    with tenant_scope(acme_sign_in.tenant_id):
        assert IdentityProvider.objects.count() == 1


def test_an_invited_colleague_joins_with_company_sign_in_alone(client, alice, required, acme_provider, make_client, mailoutbox):
    give_factor(alice)
    owner = make_client()
    owner.force_login(alice)
    owner.post("/t/acme/settings/members/invite/", {"email": "carol@acme.example", "role": Role.APPROVER.value})
    page = client.get(path_in(mailoutbox[0]), follow=True).content.decode()
    assert "/company-sign-in/" in page
    answer = acme_provider.sign_in(client, "carol@acme.example")
    assert answer["Location"] == "/t/acme/"
    assert client.get("/t/acme/").status_code == 200
    assert find_member(user__email="carol@acme.example").role == Role.APPROVER


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_first", [True, False], ids=["required first", "removed first"])
@pytest.mark.parametrize("removed", ["domain", "provider"])
def test_it_is_not_required_beside_the_removal_of_what_it_takes(alice, acme, acme_sign_in, removed, is_first):
    give_factor(alice)

    def require() -> None:
        services.set_required(find_member(user=alice, tenant=acme), is_required=True)

    def remove() -> None:
        if removed == "domain":
            services.remove_domain(MailDomain.objects.get(), actor=alice)
        else:
            services.remove_provider(IdentityProvider.objects.get(), actor=alice)

    with tenant_scope(acme.pk):
        IdentityProvider.objects.update(worked_at=timezone.now())
        first, second = (require, remove) if is_first else (remove, require)
        with transaction.atomic():
            first()
            beside = Beside(acme.pk, second)
        with pytest.raises(services.StillRequired if is_first else services.NotTried):
            beside.wait()
        acme.refresh_from_db()
        is_there = MailDomain.objects.exists() and IdentityProvider.objects.exists()
        assert (bool(acme.required_provider), is_there) == (is_first, is_first)
