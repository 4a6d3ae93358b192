"""Who comes in through a tenant's provider. A tenant may run its provider as it likes: nothing that it says is believed about
addresses of domains that this tenant has not proven."""

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.db import transaction

from portal.members.services import WasRemoved, admit
from portal.single_sign_on.claims import Identity
from portal.single_sign_on.models import IdentityProvider
from portal.single_sign_on.selectors import has_proven
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.users.models import User
from portal.users.proof import give_to_prover, is_proven


class SignInRefused(Exception):
    """The provider's word is not enough; the description is for the person."""

    def __init__(self, description: str) -> None:
        super().__init__(description)
        self.description = description


@transaction.atomic
def admit_identity(provider: IdentityProvider, identity: Identity, *, timezone_name: str = "UTC") -> SocialAccount:
    """Return the link between a person at the provider and their account here, made where it is missing; they become a member.

    The account has the very address that the provider names, and the tenant has proven its domain: that holds for each sign-in,
    not only for the first. Raises SignInRefused.
    """
    tenant = provider.tenant
    with tenant_scope(tenant.pk):
        if not has_proven(identity.email):
            raise SignInRefused(f"{tenant} has not proven that it owns the domain of {identity.email}.")
        account = _linked(provider, identity) or _link(provider, identity, timezone_name)
        if not account.user.is_active:
            raise SignInRefused("This account is deactivated.")
        try:
            admit(tenant, account.user, role=Role(provider.default_role))
        except WasRemoved as error:
            words = f"You are no longer a member of {tenant}. Ask someone there to invite you."
            raise SignInRefused(words) from error
    return account


def confirm_identity(provider: IdentityProvider, identity: Identity) -> User | None:
    """Return whose account a person at the provider has; None where there is none. Raises SignInRefused as at a sign-in."""
    with tenant_scope(provider.tenant_id):
        if not has_proven(identity.email):
            raise SignInRefused(f"{provider.tenant} has not proven that it owns the domain of {identity.email}.")
        account = _linked(provider, identity)
    return account.user if account else None


def _linked(provider: IdentityProvider, identity: Identity) -> SocialAccount | None:
    account = SocialAccount.objects.select_related("user").filter(provider=provider.key, uid=identity.subject).first()
    if account and account.user.email != identity.email:
        raise SignInRefused(
            f"Your company's sign-in identifies you as {identity.email}, but your account here has another address. "
            f"Ask an owner of {provider.tenant} to unlink it."
        )
    return account


def _link(provider: IdentityProvider, identity: Identity, timezone_name: str) -> SocialAccount:
    user = User.objects.select_for_update().filter(email=identity.email).first()
    if user is None:
        user = _create(identity, timezone_name)
    elif not is_proven(user):
        # Somebody set it up without proving the address: none of that is left (guarantee S13).
        user.set_unusable_password()
        user.name, user.timezone = identity.name, timezone_name
        user.save()
        give_to_prover(user)
    elif not EmailAddress.objects.filter(user=user, email=identity.email, verified=True).exists():
        raise SignInRefused(f"{identity.email} belongs to an account with another address. Sign in with your password.")
    if SocialAccount.objects.filter(provider=provider.key, user=user).exists():
        raise SignInRefused(
            f"{identity.email} is linked to another person in your company's directory. "
            f"Ask an owner of {provider.tenant} to unlink it."
        )
    return SocialAccount.objects.create(provider=provider.key, uid=identity.subject, user=user)


def _create(identity: Identity, timezone_name: str) -> User:
    if EmailAddress.objects.filter(email=identity.email, verified=True).exists():
        raise SignInRefused(f"{identity.email} belongs to an account with another address. Sign in with your password.")
    user = User.objects.create_user(identity.email, None, name=identity.name, timezone=timezone_name)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user
