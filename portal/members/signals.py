"""Lets invited people in as soon as they sign in with an address they have verified."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed, user_logged_in
from django.dispatch import receiver

from portal.members.services import accept_invitations
from portal.users.models import User


@receiver(user_logged_in, dispatch_uid="accept_invitations_at_login")
def accept_at_login(user: User, **_: Any) -> None:
    verified = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    accept_invitations(user, emails=list(verified))


@receiver(email_confirmed, dispatch_uid="accept_invitations_at_confirmation")
def accept_at_confirmation(email_address: EmailAddress, **_: Any) -> None:
    accept_invitations(email_address.user, emails=[email_address.email])
