"""Guarantee S8: what happens to an account is written down, by whichever page it happens."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.urls import reverse

from portal.audit.chain import verify
from portal.audit.models import AccountEvent
from tests.conftest import PASSWORD
from tests.support.factors import code_now

NEW_PASSWORD = "another horse, another battery"
LOGIN = {"login": "alice@acme.example", "password": PASSWORD}


def _events():
    return list(AccountEvent.objects.order_by("pk").values_list("action", "user__email"))


@pytest.fixture
def signed_in(client, alice):
    client.post(reverse("account_login"), LOGIN)
    return client


def test_s8_signing_in_failing_and_signing_out_are_written_down(client, alice):
    client.post(reverse("account_login"), LOGIN | {"password": "wrong and long enough"}, REMOTE_ADDR="192.0.2.7")
    client.post(reverse("account_login"), LOGIN | {"login": "nobody@acme.example"})
    client.post(reverse("account_login"), LOGIN, REMOTE_ADDR="192.0.2.8")
    client.post(reverse("account_logout"))
    assert _events() == [
        ("account.fail_sign_in", alice.email),
        ("account.fail_sign_in", None),
        ("account.sign_in", alice.email),
        ("account.sign_out", alice.email),
    ]
    assert [event.client for event in AccountEvent.objects.order_by("pk")][0:3:2] == ["192.0.2.7", "192.0.2.8"]
    assert verify(None).links == 4


def test_s8_a_typed_address_that_no_account_has_is_not_kept(client, db):
    client.post(reverse("account_login"), {"login": "my-secret-password@here.example", "password": PASSWORD})
    (row,) = AccountEvent.objects.values()
    assert "my-secret" not in str(row)


def test_s8_changing_the_password_is_written_down(signed_in, alice):
    form = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    signed_in.post(reverse("account_change_password"), form)
    assert ("account.change_password", alice.email) in _events()


def test_s8_another_name_is_written_down(signed_in, alice):
    form = {"name": "Bob Beach", "timezone": "UTC", "dates": "day-24"}
    signed_in.post(reverse("profile"), form)
    signed_in.post(reverse("profile"), form)
    assert _events().count(("account.rename", alice.email)) == 1


def test_s8_resetting_the_password_is_written_down(client, alice, mailoutbox):
    client.post(reverse("account_reset_password"), {"email": alice.email})
    link = next(word for word in mailoutbox[0].body.split() if "/password/reset/key/" in word)
    page = client.get(link, follow=True)
    client.post(page.request["PATH_INFO"], {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    assert ("account.reset_password", alice.email) in _events()


@pytest.mark.django_db(transaction=True)
def test_s8_a_second_factor_coming_and_going_is_written_down(signed_in, alice):
    assert EmailAddress.objects.get(user=alice).verified
    signed_in.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    secret = signed_in.get(reverse("mfa_activate_totp")).context["form"].secret
    signed_in.post(reverse("mfa_activate_totp"), {"code": code_now(secret)})
    assert Authenticator.objects.filter(user=alice, type=Authenticator.Type.TOTP).exists()
    assert ("factor.add", alice.email) in _events()
    signed_in.post(reverse("mfa_deactivate_totp"))
    assert not Authenticator.objects.filter(user=alice, type=Authenticator.Type.TOTP).exists()
    assert ("factor.remove", alice.email) in _events()
