from datetime import timedelta
from typing import Self

from django.db import models

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

READ_EVERY = timedelta(days=1)
"""People come and go slowly; a list that is older than this is read again when somebody looks at the desk."""


class AssignableUserQuerySet(TenantQuerySet["AssignableUser"]):
    def owners(self) -> Self:
        return self.filter(may_own=True)

    def approvers(self) -> Self:
        return self.filter(may_approve=True)

    def named(self, name: str) -> Self:
        """Those with this name: it is what the portal and the platform both know of a person."""
        return self.filter(name__iexact=name.strip(), name__gt="")


class AssignableUser(TenantModel):
    """Somebody who can own or approve a questionnaire, as the platform lists them."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=200)
    may_own = models.BooleanField(default=True)
    may_approve = models.BooleanField(default=False)
    read_at = models.DateTimeField()

    objects = TenantManager.from_queryset(AssignableUserQuerySet)()

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_assignable_user")]
        indexes = [models.Index(fields=["tenant", "name", "id"], name="assignable_users_by_name")]

    def __str__(self) -> str:
        return self.name
