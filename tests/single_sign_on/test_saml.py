"""Signing in with SAML 2.0, against an identity provider in a process of its own."""

import base64
import re
import time
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from portal.celery import app
from portal.single_sign_on.discovery import NotAProvider
from portal.single_sign_on.metadata import read_metadata
from portal.single_sign_on.models import IdentityProvider, MailDomain
from portal.single_sign_on.views.saml import KEPT_SECONDS, MAX_RESPONSE
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.users.models import User
from portal.users.tasks import forget_sessions
from tests.single_sign_on.conftest import bring, leave, prove
from tests.support.members import find_member, set_role

PAGE = "/t/acme/settings/single-sign-on/"


@pytest.fixture
def saml(client, alice, acme, saml_provider):
    """Acme has entered the address of the provider's metadata."""
    client.force_login(alice)
    given = {"metadata": f"{saml_provider.url}/metadata", "default_role": Role.ANALYST.value}
    answer = client.post(f"{PAGE}saml/", given, follow=True)
    assert "Company sign-in saved" in answer.content.decode(), answer.content.decode()
    client.logout()
    prove(acme, "acme.example")
    with tenant_scope(acme.pk):
        return IdentityProvider.objects.get()


def is_signed_in(client):
    return client.get("/notifications/").status_code == 200


@pytest.mark.django_db
def test_a_colleague_comes_in_with_saml(client, acme, saml, saml_provider):
    assert (saml.protocol, saml.sso_url) == ("saml", f"{saml_provider.url}/sso")
    saml_provider.knows("carol-id", mail="Carol@acme.example", displayName="Carol Cole")
    answer = saml_provider.sign_in(client, "carol@acme.example", "carol-id")
    assert (answer.status_code, answer["Location"]) == (302, "/t/acme/"), answer.content.decode()
    assert client.cookies["company-sign-in"]["httponly"]
    carol = User.objects.get(email="carol@acme.example")
    assert (carol.name, find_member(user=carol).role) == ("Carol Cole", Role.ANALYST)
    acme.required_provider = saml.key
    acme.save()
    assert client.get("/t/acme/").status_code == 200


@pytest.mark.django_db
def test_the_answer_is_bound_to_the_browser_and_works_once(client, saml, saml_provider, make_client):
    response = saml_provider.respond(leave(client, "carol@acme.example"), "carol@acme.example")
    victim = make_client()
    assert bring(victim, response).status_code == 403
    assert not is_signed_in(victim)
    assert bring(client, response).status_code == 302
    client.logout()
    assert bring(client, response).status_code == 403
    assert not is_signed_in(client)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "options",
    [
        {"sign_assertion": False},
        {"sign_alg": "http://www.w3.org/2000/09/xmldsig#rsa-sha1"},
        {"sign_assertion": False, "sign_response": True},
        {"audience": "https://elsewhere.example/"},
        {"destination": "https://elsewhere.example/"},
        {"in_response_to": "another"},
        {"in_response_to": None},
    ],
)
def test_answers_that_are_not_signed_or_not_for_us_are_refused(client, saml, saml_provider, options):
    saml_provider.knows("bad", mail="carol@acme.example", options=options)
    try:
        answer = saml_provider.sign_in(client, "carol@acme.example", "bad")
    except AssertionError as error:
        assert "SAMLResponse" not in str(error)  # the provider itself would not say so
    else:
        assert answer.status_code == 403
    assert not is_signed_in(client)
    assert not User.objects.filter(email="carol@acme.example").exists()


@pytest.mark.django_db
def test_what_is_changed_or_wrapped_around_the_signed_part_is_refused(client, saml, saml_provider):
    saml_provider.knows("carol-id", mail="carol@acme.example")
    given = base64.b64decode(saml_provider.respond(leave(client, "carol@acme.example"), "carol-id")).decode()
    [assertion] = re.findall(r"<(?:\w+:)?Assertion .*</(?:\w+:)?Assertion>", given, re.DOTALL)
    forged = assertion.replace("carol@acme.example", "alice@acme.example").replace('ID="', 'ID="x')
    for changed in (
        given.replace("carol@acme.example", "alice@acme.example"),
        given.replace(assertion, forged + assertion),
        given.replace(assertion, assertion + forged),
        given.replace(assertion, forged),
        given.replace("<?xml", '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><?xml'),
        "<x/>",
        "",
    ):
        assert bring(client, base64.b64encode(changed.encode()).decode() or "=").status_code == 403, changed
        assert not is_signed_in(client)
    assert bring(client, "not base64 at all").status_code == 403
    assert bring(client, base64.b64encode(given.encode()).decode()).status_code == 302, "the right one still works"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "claims",
    [
        {"mail": "carol@globex.example"},
        {"mail": ["carol@acme.example", "alice@acme.example"]},
        {"mail": ""},
        {"format": "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"},
    ],
)
def test_addresses_of_others_and_names_that_change_are_refused(client, saml, saml_provider, claims):
    saml_provider.knows("odd", **({"mail": "carol@acme.example"} | claims))
    assert saml_provider.sign_in(client, "carol@acme.example", "odd").status_code == 403
    assert not is_signed_in(client)


@pytest.mark.django_db
def test_an_owner_without_a_password_confirms_there(client, bob, acme, saml, saml_provider):
    User.objects.filter(pk=bob.pk).update(password="!")
    set_role(Role.OWNER, user=bob)
    saml_provider.sign_in(client, bob.email)
    session = client.session
    session["account_authentication_methods"][0]["at"] = time.time() - 3600
    session.save()
    answer = client.post(f"{PAGE}domains/", {"domain": "other.example"})
    url = client.get(answer["Location"]).context["url"]
    bring(client, saml_provider.respond(url, bob.email))
    with tenant_scope(acme.pk):
        assert MailDomain.objects.filter(name="other.example").exists()


@pytest.mark.parametrize(
    "given",
    [
        "",
        "<x/>",
        "<html>",
        "ftp://x.example/",
        "http://10.0.0.1/metadata",
        "http://127.0.0.1:9/metadata",
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
    ],
)
def test_what_is_no_metadata_is_refused(given):
    with pytest.raises(NotAProvider):
        read_metadata(given)


def test_metadata_can_be_pasted_and_lead_to_https_only(saml_provider):
    import requests

    text = requests.get(f"{saml_provider.url}/metadata", timeout=5).text
    found = read_metadata(text)
    assert found.entity_id == f"{saml_provider.url}/metadata"
    assert len(found.certificates) == 1
    with pytest.raises(NotAProvider):
        read_metadata(text.replace(f"{saml_provider.url}/sso", "javascript:alert(1)"))
    with pytest.raises(NotAProvider):
        read_metadata(text.replace(found.certificates[0][:40], "x" * 40))


@pytest.mark.django_db
def test_what_strangers_post_is_short_and_soon_forgotten(saml, make_client):
    address, stranger, before = "/company-sign-in/acme/saml/", make_client(), Session.objects.count()
    refused = stranger.post(address, {"SAMLResponse": "x" * (MAX_RESPONSE + 1)})
    assert (refused.status_code, Session.objects.count()) == (413, before)
    assert "sent more than we can read" in refused.content.decode()
    assert stranger.post(address, {"SAMLResponse": "x" * MAX_RESPONSE}).status_code == 302
    assert Session.objects.count() == before + 1
    seconds = KEPT_SECONDS + app.conf.beat_schedule["forget_sessions"]["schedule"]
    with time_machine.travel(timezone.now() + timedelta(seconds=seconds)):
        forget_sessions()
    assert Session.objects.count() == before
    posts_a_minute = int(settings.ACCOUNT_RATE_LIMITS["company_sign_in"].partition("/")[0])
    assert posts_a_minute * MAX_RESPONSE * seconds / 60 < 10_000_000
