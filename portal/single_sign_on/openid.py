"""allauth's OpenID Connect, held to what a tenant has configured and to what RFC 9700 asks for."""

from typing import Any
from urllib.parse import urlencode

from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Client, OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from portal.single_sign_on.claims import read_claims
from portal.single_sign_on.company_sessions import CompanySession
from portal.single_sign_on.discovery import discover
from portal.single_sign_on.identities import IdentityOnly
from portal.single_sign_on.models import IdentityProvider

MAX_NAME = 40
"""As long as allauth keeps the name of an app."""


def callback_url(slug: str) -> str:
    """Return where the provider of a tenant sends people back to: one address each, so that no code goes to another one."""
    return settings.PUBLIC_URL + reverse("company_sign_in_callback", args=[slug])


def sign_out_url(slug: str) -> str:
    """Return where the provider of a tenant says that it has ended a session."""
    return settings.PUBLIC_URL + reverse("company_sign_out", args=[slug])


class Client(OAuth2Client):  # type: ignore[misc] # allauth ships no types
    def get_redirect_url(self, authorization_url: str, scope: list[str], extra_params: dict[str, str]) -> str:
        url = str(super().get_redirect_url(authorization_url, scope, extra_params))
        base, mark, query = authorization_url.partition("?")
        # Some providers have a query of their own in the address.
        return f"{base}?{query}&{url.removeprefix(f'{authorization_url}?')}" if mark else url


class OAuth2Adapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc] # allauth ships no types
    """The calls to one provider. Nothing that it answers is taken for what it should be."""

    client_class = Client

    @property
    def openid_config(self) -> dict[str, Any]:
        if not hasattr(self, "_found"):
            self._found = discover(self.get_provider().app.settings["server_url"])
        return self._found

    @property
    def basic_auth(self) -> bool:
        # Where a provider does not say: the default of OpenID Connect Discovery 1.0.
        methods = self.openid_config.get("token_endpoint_auth_methods_supported")
        return not isinstance(methods, list) or "client_secret_post" not in methods

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return callback_url(app.settings["slug"])

    def get_access_token_data(self, *args: Any, **options: Any) -> dict[str, Any]:
        try:
            found = super().get_access_token_data(*args, **options)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise OAuth2Error("unreadable answer of the token endpoint") from error
        if not isinstance(found, dict) or not all(isinstance(found.get(name), str) for name in ("access_token", "id_token")):
            raise OAuth2Error("no tokens in the answer of the token endpoint")
        return found

    def parse_token(self, data: dict[str, Any]) -> SocialToken:
        return SocialToken(token=data["access_token"])

    def complete_login(self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any) -> SocialLogin:
        """Return who has signed in. Raises InvalidClaims."""
        try:
            id_token = self._decode_id_token(app, kwargs["response"]["id_token"])
        except (OverflowError, TypeError, ValueError) as error:
            raise OAuth2Error("unreadable ID token") from error
        identity = read_claims(id_token, self._fetch_user_info(token.token))
        login = self.get_provider().sociallogin_from_response(request, identity)
        login.identity, login.nonce, login.asked_at = identity, id_token.get("nonce"), id_token.get("auth_time")
        login.session = CompanySession(app.provider_id, identity.subject, index=_text(id_token.get("sid")))
        return login


class Provider(IdentityOnly, OpenIDConnectProvider):  # type: ignore[misc] # allauth ships no types
    """The OpenID Connect provider of one tenant."""

    oauth2_adapter_class = OAuth2Adapter
    pkce_enabled_default = True

    def sign_out_url(self, session: CompanySession | None) -> str:
        """Return where the provider ends its session, and what brings people back here; empty where it can't be asked.

        No token is in it: the provider asks (OpenID Connect RP-Initiated Logout 1.0).
        """
        endpoint = str(self.app.settings["end_session_endpoint"])
        if not endpoint:
            return ""
        back = settings.PUBLIC_URL + reverse("account_login")
        query = urlencode({"client_id": self.app.client_id, "post_logout_redirect_uri": back})
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{query}"


def app_of(provider: IdentityProvider) -> SocialApp:
    """Return a tenant's provider as allauth wants it; the row is never saved. Raises Locked."""
    return SocialApp(
        provider=provider.protocol,
        provider_id=provider.key,
        name=provider.host[:MAX_NAME],
        client_id=provider.client_id,
        secret=provider.open("client_secret"),
        settings={
            "server_url": provider.issuer,
            "slug": provider.tenant.slug,
            "end_session_endpoint": provider.end_session_endpoint,
            "idp": _idp(provider),
            "signing": {"privateKey": provider.open("signing_key"), "x509cert": provider.signing_certificate},
        },
    )


def _idp(provider: IdentityProvider) -> dict[str, Any]:
    certificates = {"signing": provider.certificates, "encryption": []}
    return {
        "entityId": provider.issuer,
        "singleSignOnService": {"url": provider.sso_url},
        "singleLogoutService": {"url": provider.logout_url, "responseUrl": provider.logout_answer_url},
        "x509certMulti": certificates,
    }


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
