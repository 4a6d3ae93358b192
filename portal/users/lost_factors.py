"""Somebody who has lost every second factor: an operator, who has made sure who it is, opens the way back (guarantee S16).

Nobody else can. An owner of a tenant must not: the account may be in other tenants, and a factor taken away is half a way in.
"""

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.urls import reverse

from portal.users.models import User
from portal.users.sessions import revoke_sessions
from portal.users.signals import factors_revoked


@transaction.atomic
def revoke_factors(user: User) -> int:
    """Take away all second factors of a person, the password and the sessions; return how many factors there were.

    The password goes too: else it alone would open the account, and who knows it is who a second factor keeps out. The way
    back leads through the mailbox.
    """
    locked = User.objects.select_for_update().get(pk=user.pk)
    factors = Authenticator.objects.filter(user=locked)
    number: int = factors.exclude(type=Authenticator.Type.RECOVERY_CODES).count()
    factors.delete()
    locked.set_unusable_password()
    locked.save(update_fields=["password"])
    revoke_sessions(locked)
    factors_revoked.send(sender=User, user=locked)
    return number


def mail_way_back(user: User) -> str:
    """Tell somebody what was taken away and how they come back; return the address it went to. Raises what the mailer does."""
    address: str = EmailAddress.objects.get_primary_email(user) or user.email
    link = settings.PUBLIC_URL + reverse("account_reset_password")
    get_adapter().render_mail("account/email/factors_revoked", address, {"password_reset_url": link}).send()
    return address
