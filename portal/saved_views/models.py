from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet
from portal.users.models import User

MAX_NAME_LENGTH = 60


class SavedViewQuerySet(TenantQuerySet["SavedView"]):
    def seen_by(self, user: User) -> Self:
        """Those that a person sees: their own, and those of everybody."""
        return self.filter(Q(owner=user) | Q(owner=None))


class OwnView(models.Model):
    """The filters of a list over all tenants of one person, under a name. It belongs to the person and to no tenant."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    list_key = models.CharField(max_length=40)
    name = models.CharField(max_length=MAX_NAME_LENGTH)
    query = models.CharField(max_length=1000, blank=True)

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["owner", "list_key", "name"], name="one_own_view_of_a_name")]

    def __str__(self) -> str:
        return self.name


class SavedView(TenantModel):
    """The filters of one list under a name: one person's own, or of everybody in the tenant."""

    list_key = models.CharField(max_length=40)
    """Which list, as it is registered in `lists`."""
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    """Empty: everybody's."""
    name = models.CharField(max_length=MAX_NAME_LENGTH)
    query = models.CharField(max_length=1000, blank=True)
    """What stands behind the `?` of the list's address."""

    objects = TenantManager.from_queryset(SavedViewQuerySet)()

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "list_key", "owner", "name"], name="one_view_of_a_name_per_person"),
            models.UniqueConstraint(
                fields=["tenant", "list_key", "name"], condition=Q(owner=None), name="one_view_of_a_name_for_everybody"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_shared(self) -> bool:
        return self.owner_id is None
