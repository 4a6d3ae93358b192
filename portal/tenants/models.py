from collections import Counter
from collections.abc import Iterable
from typing import Self

from django.conf import settings
from django.db import models

from portal.lib.row_locks import RowLockQuerySet
from portal.tenants.managers import OwnRowManager, TenantModel, TenantQuerySet
from portal.tenants.scope import current_tenant_id

__all__ = ["Membership", "Role", "Tenant", "TenantModel", "TenantQuerySet", "tell_apart"]


class Role(models.IntegerChoices):
    """What a member may do. A higher role may all that a lower one may."""

    VIEWER = 10, "Viewer"
    ANALYST = 20, "Analyst"
    APPROVER = 30, "Approver"
    ADMIN = 40, "Admin"
    OWNER = 50, "Owner"

    @property
    def meaning(self) -> str:
        return ROLE_MEANINGS[self]

    @property
    def with_article(self) -> str:
        """In a sentence: "an analyst"."""
        return f"{'an' if self.label[0] in 'AEIOU' else 'a'} {self.label.lower()}"


ROLE_MEANINGS = {
    Role.VIEWER: "reads everything, changes nothing",
    Role.ANALYST: "answers questionnaires, keeps contracts, commitments, customers and incidents, exports",
    Role.APPROVER: "approves answers, decides access and deletion requests, deletes contracts and customers",
    Role.ADMIN: "changes rules, settings, webhooks and members, reads the audit trail",
    Role.OWNER: "connects and disconnects the platform, sets how people sign in, deletes the tenant",
}


class Tenant(models.Model):
    """One company whose trust work is done here."""

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    # Nothing is done in Python when its account goes, because rows below the tenant are removed by the database with it: Django
    # allows only one of the two along a chain of references.
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, null=True, related_name="+", db_constraint=False
    )
    requires_second_factor = models.BooleanField(default=False)
    """Its pages open only to members who need more than a password to sign in."""
    required_provider = models.CharField(max_length=40, blank=True)
    """The identity provider that sessions have to come through to open its pages; empty: any sign-in is enough."""
    closed_at = models.DateTimeField(null=True)
    """When it was deleted. Nobody opens it since; its rows go as soon as the platform has confirmed the end of its grant."""

    objects = models.Manager.from_queryset(RowLockQuerySet)()

    class Meta:
        ordering = ["name"]

    has_namesake = False
    """Whether it stands beside another one of its name: then it is called by its address as well (see `tell_apart`)."""

    def __str__(self) -> str:
        return f"{self.name} ({self.slug})" if self.has_namesake else self.name


class MembershipQuerySet(TenantQuerySet["Membership"]):
    def active(self) -> Self:
        """Keep the members of the tenant in scope who can sign in."""
        return self.filter(tenant_id=current_tenant_id(), user__is_active=True)

    def who_may(self, role: Role) -> Self:
        """Keep those who can sign in and whose role reaches this one."""
        return self.active().filter(role__gte=role)


class Membership(TenantModel):
    """One person's role in one tenant. Read in the tenant's scope, or in the person's own before there is one."""

    also_in_scope = "'user ' || user_id"
    """What the connection says of the scope when the row is one of that person (see `row_security`)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    role = models.PositiveSmallIntegerField(choices=Role.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = OwnRowManager.from_queryset(MembershipQuerySet)()

    class Meta:
        ordering = ["tenant__name"]
        constraints = [models.UniqueConstraint(fields=["tenant", "user"], name="one_role_per_member")]

    def __str__(self) -> str:
        return f"{self.user} in {self.tenant}"

    def may(self, role: Role) -> bool:
        """Say whether this member's role reaches the given one."""
        return self.role >= role


def tell_apart(memberships: Iterable[Membership]) -> None:
    """Mark the tenants of one name among those that a page lists: nobody should take one for the other."""
    tenants = [membership.tenant for membership in memberships]
    numbers = Counter(tenant.name.casefold() for tenant in tenants)
    for tenant in tenants:
        tenant.has_namesake = numbers[tenant.name.casefold()] > 1


class ErasedIdentifier(TenantModel):
    """A keyed hash of the address of a person who was erased, or of the platform's id of them as a viewer."""

    identifier_hash = models.CharField(max_length=64)
    person_hash = models.CharField(max_length=64)
    """The hash of the address; equal to the one above in the row of the address itself."""
    erased_at = models.DateTimeField()
    """What the platform created later is new, and is stored."""
    listed_at = models.DateTimeField(null=True)
    """When the platform last sent something about them that is older than the erasure."""
    unlisted_at = models.DateTimeField(null=True)
    """When its lists were read to their end without them, after they had been listed."""

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "identifier_hash", "person_hash"], name="one_row_per_erased_identifier")
        ]
        indexes = [models.Index(fields=["tenant", "person_hash"], name="identifiers_of_erased_person")]

    def __str__(self) -> str:
        return f"erased {self.erased_at:%Y-%m-%d}"
