from typing import Self

from django.db import models
from django.utils import timezone

from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

MAX_NAME_LENGTH, MAX_EMAIL_LENGTH = 300, 320


class SubscriberGroupQuerySet(TenantQuerySet["SubscriberGroup"]):
    """Chains of groups."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)


class SubscriberGroup(TenantModel):
    """Our copy of a group of subscribers."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    name_sort = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(SubscriberGroupQuerySet)()

    class Meta:
        ordering = ["name_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_subscriber_group")]
        indexes = [models.Index(fields=["tenant", "name_sort", "id"], name="subscriber_groups_listed")]

    def __str__(self) -> str:
        return named(self.name)


class SubscriberQuerySet(SearchedQuerySet["Subscriber"]):
    """Chains of subscribers."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def of_person(self, folded_email: str) -> Self:
        return self.filter(folded_email=folded_email)

    def in_groups(self, *group_ids: str) -> Self:
        """Those in one of these groups, each once."""
        inside = SubscriberInGroup.objects.filter(group_id__in=group_ids)
        return self.filter(pk__in=inside.order_by().values("subscriber_id"))


class Subscriber(SearchedModel):
    """Our copy of somebody who is told of updates by email."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    email = models.CharField(max_length=MAX_EMAIL_LENGTH, blank=True)
    folded_email = models.CharField(max_length=MAX_EMAIL_LENGTH, blank=True)
    is_verified = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(SubscriberQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["folded_email", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_subscriber")]
        indexes = [models.Index(fields=["tenant", "folded_email", "id"], name="subscribers_listed")]

    def __str__(self) -> str:
        return named(self.email)


class SubscriberInGroup(TenantModel):
    """One subscriber in one group. The group is named by its id: subscribers may be read before their groups."""

    subscriber = models.ForeignKey(Subscriber, on_delete=models.CASCADE, related_name="groups")
    group_id = models.CharField(max_length=MAX_ID_LENGTH)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["subscriber", "group_id"], name="in_a_subscriber_group_once")]
        indexes = [models.Index(fields=["tenant", "group_id", "subscriber"], name="subscribers_of_group")]

    def __str__(self) -> str:
        return f"{self.subscriber_id} in {self.group_id}"
