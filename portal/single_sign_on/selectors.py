import uuid

from allauth.socialaccount.models import SocialAccount
from django.db.models import QuerySet

from portal.single_sign_on.claims import domain_of
from portal.single_sign_on.models import IdentityProvider, MailDomain
from portal.tenants.models import Membership, Tenant
from portal.tenants.scope import all_tenants


def provider_of_tenant() -> IdentityProvider | None:
    """Return the provider of the tenant in scope."""
    return IdentityProvider.objects.first()


def provider_by_key(key: str) -> IdentityProvider | None:
    """Return the provider that allauth's sessions and accounts call so; None where its tenant is closed."""
    try:
        public_id = uuid.UUID(key)
    except ValueError:
        return None
    return _open_provider(public_id=public_id)


def provider_by_slug(slug: str) -> IdentityProvider | None:
    """Return the provider whose callback address names this tenant."""
    return _open_provider(tenant__slug=slug)


def provider_for_address(address: str) -> IdentityProvider | None:
    """Return the provider of the tenant that has proven the domain of an address."""
    with all_tenants("whoever signs in names no tenant"):
        domain = MailDomain.objects.filter(name=domain_of(address), proven_at__isnull=False).first()
    return _open_provider(tenant_id=domain.tenant_id) if domain else None


def has_proven(address: str) -> bool:
    """Say whether the tenant in scope has proven the domain of an address."""
    return MailDomain.objects.filter(name=domain_of(address), proven_at__isnull=False).exists()


def linked_accounts(tenant: Tenant, provider: IdentityProvider | None) -> QuerySet[SocialAccount]:
    """Return who has signed in through a provider, with their link to it."""
    key = provider.key if provider else ""
    found: QuerySet[SocialAccount] = SocialAccount.objects.filter(
        provider=key, user__in=Membership.objects.filter(tenant=tenant).values("user")
    )
    return found.select_related("user").order_by("user__email")


def _open_provider(**wanted: object) -> IdentityProvider | None:
    with all_tenants("whoever signs in names no tenant"):
        open_ones = IdentityProvider.objects.select_related("tenant").filter(tenant__closed_at=None)
        return open_ones.filter(**wanted).first()
