"""The identity provider of a tenant: how it is configured, and whether members have to come through it."""

import uuid
from collections.abc import Mapping
from functools import partial
from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.single_sign_on.company_sessions import Ended, recall
from portal.single_sign_on.discovery import discover, end_session_endpoint
from portal.single_sign_on.metadata import read_metadata
from portal.single_sign_on.models import IdentityProvider, MailDomain, Protocol
from portal.single_sign_on.selectors import provider_of_tenant
from portal.single_sign_on.signing_keys import make_signing_key
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import tenant_scope
from portal.users.factors import has_second_factor
from portal.users.models import User
from portal.users.sessions import end_sessions_through

type Facts = dict[str, Any] | None


class StillRequired(Exception):
    """Members have to come through this provider: what would shut all of them out has to be switched off first."""


class SecretMissing(Exception):
    """Another issuer is never sent the secret of the one before."""


class NotTried(Exception):
    """Nobody has signed in through the provider yet, or no domain is proven: requiring it would shut everybody out."""


class NoFactorYourself(Exception):
    """Owners keep a way back with their password and a second factor: whoever requires the provider has one."""


def configure(
    tenant: Tenant, *, issuer: str, client_id: str, client_secret: str, default_role: Role, actor: User
) -> IdentityProvider:
    """Keep how the tenant's OpenID Connect provider is reached, once it has answered. An empty secret leaves the one there is.

    Raises NotAProvider, StillRequired, SecretMissing.
    """
    found = discover(issuer)
    with transaction.atomic():
        provider = _provider_to_change(tenant, Protocol.OPENID_CONNECT, issuer, client_id, has_secret=bool(client_secret))
        provider.end_session_endpoint = end_session_endpoint(found)
        if client_secret:
            provider.client_secret = provider.seal("client_secret", client_secret)
        return _save(provider, default_role, actor)


def configure_saml(tenant: Tenant, *, metadata: str, default_role: Role, actor: User) -> IdentityProvider:
    """Keep how the tenant's SAML provider is reached, by its metadata or their address. Raises NotAProvider, StillRequired."""
    found = read_metadata(metadata)
    with transaction.atomic():
        provider = _provider_to_change(tenant, Protocol.SAML, found.entity_id, "", has_secret=True)
        provider.sso_url, provider.certificates = found.sso_url, found.certificates
        provider.logout_url, provider.logout_answer_url = found.logout_url, found.logout_answer_url
        if not provider.signing_key:
            key, provider.signing_certificate = make_signing_key(str(tenant))
            provider.signing_key = provider.seal("signing_key", key)
        return _save(provider, default_role, actor)


@transaction.atomic
def remove_provider(provider: IdentityProvider, *, actor: User) -> None:
    """Remove the provider and everybody's link to it; accounts and memberships stay. Raises StillRequired."""
    _check_not_required(provider)
    end_sessions_through(provider.key)
    _forget_links(provider)
    _note("remove", provider, f"Removed company sign-in at {provider}.", actor)
    provider.delete()


@transaction.atomic
def set_required(by: Membership, *, is_required: bool) -> bool:
    """Require members to come through the provider, or no longer; return whether that changed anything.

    Raises NotTried, NoFactorYourself.
    """
    # Whoever takes the last proven domain or the provider away holds the tenant, too.
    tenant, provider = _locked(by.tenant_id), provider_of_tenant()
    key = provider.key if provider and is_required else ""
    if is_required and (
        provider is None or provider.worked_at is None or not MailDomain.objects.exclude(proven_at=None).exists()
    ):
        raise NotTried(tenant.name)
    if is_required and not has_second_factor(by.user):
        raise NoFactorYourself(by.user.email)
    if tenant.required_provider == key:
        return False
    tenant.required_provider = key
    tenant.save(update_fields=["required_provider"])
    text = "Members now have to use company sign-in." if is_required else "Members no longer have to use company sign-in."
    verb = "require" if is_required else "allow_others"
    record(f"identity_provider.{verb}", target=("tenant", str(tenant.pk)), summary=text, actor=by.user)
    return True


@transaction.atomic
def unlink(provider: IdentityProvider, account: SocialAccount, *, actor: User) -> None:
    """Forget which person at the provider an account belongs to, and end what they opened; the next one is linked anew."""
    end_sessions_through(provider.key, user=account.user)
    account.delete()
    _note("unlink", provider, f"Unlinked {account.user.email} from company sign-in.", actor)


def note_sign_in(provider: IdentityProvider, user: User) -> None:
    """Write down in the tenant's audit trail that somebody came in through its provider."""
    IdentityProvider.objects.filter(pk=provider.pk).update(worked_at=timezone.now())
    _note("sign_in", provider, f"{user.email} signed in with company sign-in at {provider}.", user)


@transaction.atomic
def sign_out(provider: IdentityProvider, ended: Ended) -> int:
    """End the sessions here whose counterpart a provider has ended; return of how many people."""
    users = set(end_sessions_through(provider.key, is_meant=partial(_is_meant, provider.key, ended)))
    with tenant_scope(provider.tenant_id):
        for user in users:
            _note("sign_out", provider, f"{provider} has ended the company sign-in of {user.email}, who was signed out.", None)
    return len(users)


def _is_meant(key: str, ended: Ended, content: Mapping[str, Any]) -> bool:
    session = recall(content)
    return session is not None and session.provider == key and ended.covers(session)


def _provider_to_change(
    tenant: Tenant, protocol: Protocol, issuer: str, client_id: str, *, has_secret: bool
) -> IdentityProvider:
    """Return the tenant's provider with these values. Another one than before: links and sessions through that one end."""
    _locked(tenant.pk)
    provider = provider_of_tenant() or IdentityProvider(tenant=tenant)
    if provider.pk and (provider.protocol, provider.issuer, provider.client_id) == (protocol, issuer, client_id):
        return provider
    if provider.pk:
        _check_not_required(provider)
        if not has_secret and provider.client_secret:
            raise SecretMissing(issuer)
        end_sessions_through(provider.key)
        _forget_links(provider)
    provider.protocol, provider.issuer, provider.client_id = protocol, issuer, client_id
    provider.public_id, provider.client_secret, provider.worked_at = uuid.uuid4(), b"", None
    provider.sso_url, provider.certificates, provider.end_session_endpoint = "", [], ""
    provider.logout_url, provider.logout_answer_url, provider.signing_key = "", "", b""
    return provider


def _save(provider: IdentityProvider, default_role: Role, actor: User) -> IdentityProvider:
    provider.default_role = default_role
    before = IdentityProvider.objects.filter(pk=provider.pk).first()
    provider.save()
    summary = f"Set company sign-in to {provider.issuer}; new members become {default_role.label.lower()}."
    _note("configure", provider, summary, actor, {"before": _facts(before) if before else {}, "after": _facts(provider)})
    return provider


def _facts(provider: IdentityProvider) -> dict[str, Any]:
    return {name: getattr(provider, name) for name in ("protocol", "issuer", "client_id", "sso_url", "default_role")}


def _check_not_required(provider: IdentityProvider) -> None:
    if _locked(provider.tenant_id).required_provider:
        raise StillRequired(provider.host)


def _locked(tenant_id: int) -> Tenant:
    return Tenant.objects.select_for_update().get(pk=tenant_id)


def _forget_links(provider: IdentityProvider) -> None:
    SocialAccount.objects.filter(provider=provider.key).delete()


def _note(verb: str, provider: IdentityProvider, summary: str, actor: User | None, details: Facts = None) -> None:
    target = ("identity_provider", provider.key)
    record(f"identity_provider.{verb}", target=target, summary=summary, actor=actor, details=details)
