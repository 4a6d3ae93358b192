"""What a restored database needs before processes work on it. It knows nothing of what was done since it was copied."""

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction

from portal.backups.signals import restored
from portal.tenants.scope import all_tenants


@transaction.atomic
def prepare_to_go_on() -> None:
    """End all sessions, and have the rooms look before they send what waits. Doing it twice does no harm.

    A session of before may be one that was signed out of since, or of somebody who was removed.
    """
    Session.objects.all().delete()
    UserSession.objects.all().delete()
    with all_tenants("a restored database is of all tenants"):
        restored.send(sender=None)
