from typing import Any

from allauth.socialaccount.models import SocialAccount, SocialLogin

from portal.single_sign_on import services
from portal.single_sign_on.models import IdentityProvider
from portal.single_sign_on.selectors import provider_by_key
from portal.tenants.scope import tenant_scope
from portal.users.models import User


def note_sign_in(user: User, sociallogin: SocialLogin | None = None, **_: Any) -> None:
    """Write down that somebody has come in through a provider, once all that was asked of them was shown."""
    provider = provider_by_key(sociallogin.account.provider) if sociallogin else None
    if provider:
        with tenant_scope(provider.tenant_id):
            services.note_sign_in(provider, user)


def forget_links(instance: IdentityProvider, **_: Any) -> None:
    """Remove the links to a provider that goes, with its tenant or by itself: they belong to no tenant of the database's."""
    SocialAccount.objects.filter(provider=instance.key).delete()
