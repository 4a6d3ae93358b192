"""A membership ends: whoever has left follows no word."""

from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver

from portal.tenants.models import Membership
from portal.tenants.scope import tenant_scope
from portal.trust_center_activity.services import forget_follower


@receiver(post_delete, sender=Membership, dispatch_uid="forget_follower_of_words")
def end_following(instance: Membership, **_: Any) -> None:
    with tenant_scope(instance.tenant_id):
        forget_follower(instance.user_id)
