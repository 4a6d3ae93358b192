from django.conf import settings
from django.db import models

from portal.tenants.managers import TenantModel, TenantQuerySet

__all__ = ["Membership", "Role", "Tenant", "TenantModel", "TenantQuerySet"]


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


ROLE_MEANINGS = {
    Role.VIEWER: "reads everything, changes nothing",
    Role.ANALYST: "answers questionnaires and uploads contracts",
    Role.APPROVER: "approves answers, decides access requests and deletion requests",
    Role.ADMIN: "changes settings and members",
    Role.OWNER: "connects and disconnects the platform",
}


class Tenant(models.Model):
    """One company whose trust work is done here."""

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60, unique=True)
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, through="Membership", related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True)
    """When it was deleted. Nobody opens it since; its rows go as soon as the platform has confirmed the end of its grant."""

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """One person's role in one tenant. Read before there is a scope, hence not a tenant model."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.PositiveSmallIntegerField(choices=Role.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["tenant__name"]
        constraints = [models.UniqueConstraint(fields=["tenant", "user"], name="one_role_per_member")]

    def __str__(self) -> str:
        return f"{self.user} in {self.tenant}"

    def may(self, role: Role) -> bool:
        """Say whether this member's role reaches the given one."""
        return self.role >= role


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
