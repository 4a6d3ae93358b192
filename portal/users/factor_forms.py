"""Forms about second factors: allauth's own, with attempts counted so that those of one never shut out another (S14)."""

from collections.abc import Iterator
from contextlib import contextmanager

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.core import context
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.internal.flows.add import validate_can_add_authenticator
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import validate_totp_code
from allauth.mfa.webauthn.forms import AddWebAuthnForm, AuthenticateWebAuthnForm, ReauthenticateWebAuthnForm
from allauth.mfa.webauthn.internal import auth as webauthn

from portal.lib.clients import client_group
from portal.users.models import User


@contextmanager
def counted_attempt(user: User) -> Iterator[None]:
    """Count an attempt of this client, of this client for the account, and for the account; one that works is taken back.

    By itself allauth counts for the account alone, so that whoever knows a password could lock its owner out, and empties the
    client's count of failed passwords with each code that is right. Raises ValidationError.
    """
    counted = []
    for action, key in (("code_failed", f"{user.pk} {client_group(context.request)}"), ("code_failed_account", str(user.pk))):
        usage = ratelimit.consume(context.request, app="allauth.account", action=action, key=key)
        if not usage:
            raise get_account_adapter().validation_error("too_many_login_attempts")
        counted.append(usage)
    yield
    for usage in counted:
        usage.rollback()


class _CodeForm(BaseAuthenticateForm):  # type: ignore[misc] # allauth ships no types
    """A code of an authenticator app, or one of the recovery codes."""

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        with counted_attempt(self.user):
            self.authenticator = self._authenticator_for(code)
        return code

    def _authenticator_for(self, code: str) -> Authenticator:
        app_first = (
            Authenticator.objects.filter(user=self.user).exclude(type=Authenticator.Type.WEBAUTHN).order_by("-type", "pk")
        )
        for authenticator in app_first:
            if authenticator.wrap().validate_code(code):
                authenticator.user = self.user
                return authenticator
        if app_first:
            self._emit_authentication_failed(app_first[0])
        raise get_adapter().validation_error("incorrect_code")


class SignInCodeForm(_CodeForm, AuthenticateForm):  # type: ignore[misc] # allauth ships no types
    """A code after the password."""


class ConfirmCodeForm(_CodeForm, ReauthenticateForm):  # type: ignore[misc] # allauth ships no types
    """A code from somebody who is asked again who they are."""


class SignInPasskeyForm(AuthenticateWebAuthnForm):  # type: ignore[misc] # allauth ships no types
    """A passkey after the password."""

    def clean_credential(self) -> Authenticator:
        credential = self.cleaned_data["credential"]
        webauthn.parse_authentication_response(credential)
        with counted_attempt(self.user):
            return webauthn.complete_authentication(self.user, credential)


class ConfirmPasskeyForm(SignInPasskeyForm, ReauthenticateWebAuthnForm):  # type: ignore[misc] # allauth ships no types
    """A passkey from somebody who is asked again who they are."""


class AddAppForm(ActivateTOTPForm):  # type: ignore[misc] # allauth ships no types
    """A new authenticator app, shown to work by a code of it."""

    def clean_code(self) -> str:
        validate_can_add_authenticator(self.user)
        code: str = self.cleaned_data["code"]
        with counted_attempt(self.user):
            if not validate_totp_code(self.secret, code):
                raise get_adapter().validation_error("incorrect_code")
        return code


class AddPasskeyForm(AddWebAuthnForm):  # type: ignore[misc] # allauth ships no types
    """A new passkey, or a security key that is asked for after the password."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)
        self.fields["passwordless"].label = "Sign in without a password"
        self.fields["passwordless"].help_text = "Clear this for an older security key that has no PIN."
        self.fields["passwordless"].initial = True
