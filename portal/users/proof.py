"""An account belongs to who has proven its address: what was set up before the proof is worth nothing (guarantee S13)."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession

from portal.users.models import User


def forget_what_was_set_before(user: User, **_: Any) -> None:
    """Forget the name and the factors of an account that proved no address, when a link in its mailbox sets the password."""
    if is_proven(user):
        return
    Authenticator.objects.filter(user=user).delete()
    user.name = ""
    user.save(update_fields=["name"])


def is_proven(user: User) -> bool:
    """Say whether somebody has proven an address of this account, whichever."""
    return bool(EmailAddress.objects.filter(user=user, verified=True).exists())


def give_to_prover(user: User) -> None:
    """Give an account to who has proven its address a moment ago: factors, sessions and other addresses of before go.

    The password and the name are for the caller to set. Call it only for accounts of which no address was proven.
    """
    Authenticator.objects.filter(user=user).delete()
    for session in UserSession.objects.filter(user=user):
        session.end()
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
