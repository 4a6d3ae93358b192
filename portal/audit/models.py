import json
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from portal.audit.keys import keyed_hash
from portal.tenants.models import TenantModel


class Source(models.TextChoices):
    """What made the change."""

    PERSON = "person", "Person"
    RULE = "rule", "Rule"
    EVENT = "event", "Event"
    SYNC = "sync", "Sync"
    SYSTEM = "system", "System"


MAX_TARGET_LENGTH = 512
"""As long as the longest id of the platform: two ids must not share a history because they begin alike."""


class Fingerprinted(models.Model):
    """A row that knows the keyed hash of its content: one that was changed, or written past this code, does not match it."""

    NOT_HASHED = frozenset({"id", "digest"})

    digest = models.CharField(max_length=64)

    class Meta:
        abstract = True

    def compute_digest(self) -> str:
        """Return the keyed hash of the content as canonical JSON. The number is left out: the database gives it afterwards."""
        columns = [field for field in self._meta.concrete_fields if field.name not in self.NOT_HASHED]
        content: dict[str, Any] = {field.attname: field.value_from_object(self) for field in columns}
        content["at"] = content["at"].isoformat()
        return keyed_hash(json.dumps(content, sort_keys=True, separators=(",", ":")))

    def save(self, *args: Any, **options: Any) -> None:
        self.digest = self.compute_digest()
        super().save(*args, **options)


class Entry(TenantModel, Fingerprinted):
    """One thing that was done, kept for ever and never changed: the database refuses it (see `guards`)."""

    is_append_only = True

    # By the database: the role of the application may delete no row of this table, also not with its tenant.
    # Other indexes begin with it.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.DB_CASCADE, related_name="+", db_index=False)
    at = models.DateTimeField(default=timezone.now)
    source = models.CharField(max_length=10, choices=Source.choices)
    # Who did it stays written when the account goes: no action of the database may change this row.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, null=True, related_name="+", db_constraint=False
    )
    actor_name = models.CharField(max_length=120, blank=True)
    action = models.CharField(max_length=60)
    target_kind = models.CharField(max_length=40)
    target_id = models.CharField(max_length=MAX_TARGET_LENGTH)
    summary = models.CharField(max_length=300)
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["tenant", "target_kind", "target_id", "-id"], name="audit_of_one_target"),
            models.Index(fields=["tenant", "-id"], name="audit_newest"),
        ]

    def __str__(self) -> str:
        return self.summary

    @property
    def who(self) -> str:
        return self.actor_name or self.get_source_display()

    def save(self, *args: Any, **options: Any) -> None:
        self.claim_for_scope()  # the tenant is a part of what is hashed
        super().save(*args, **options)


class Link(TenantModel):
    """One place in a tenant's chain: the hash of an entry, and of all links before it."""

    is_append_only = True

    # Other indexes begin with it, and every index costs each write.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.DB_CASCADE, related_name="+", db_index=False)
    place = models.PositiveBigIntegerField()
    entry_id = models.BigIntegerField()
    """A plain number: the link has to outlive an entry that somebody removes."""
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "place"], name="one_audit_link_per_place"),
            models.UniqueConstraint(fields=["tenant", "entry_id"], name="one_audit_link_per_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.place}: {self.hash}"


START = "0" * 64
"""The hash before the first link."""


class Head(models.Model):
    """Where a chain ends, under the key. It goes on with each link, and only from the end that it knows.

    Without it the newest links could go with their rows, and what is left would look like a whole chain.
    """

    links = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64, default=START)
    digest = models.CharField(max_length=64)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.links} links, the last is {self.hash}"

    @property
    def whose(self) -> str:
        """Name the chain, a tenant's with its number: the beginning of one must not pass for that of another."""
        return "accounts"

    def compute_digest(self) -> str:
        """Return the keyed hash of what the row says."""
        return keyed_hash(f"{self.whose} ends at {self.links}:{self.hash}")

    def is_at(self, link: "Link | AccountLink | None") -> bool:
        """Say whether the chain was left with this link as its last; None: with none."""
        end = (link.place, link.hash) if link else (0, START)
        return end == (self.links, self.hash) and self.digest == self.compute_digest()

    def save(self, *args: Any, **options: Any) -> None:
        self.digest = self.compute_digest()
        super().save(*args, **options)


class ChainHead(TenantModel, Head):
    """Where a tenant's chain ends. There is one from the tenant's first moment on, and none is made later."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_chain_head_per_tenant")]

    @property
    def whose(self) -> str:
        return f"tenant {self.tenant_id}"

    def save(self, *args: Any, **options: Any) -> None:
        self.claim_for_scope()  # the tenant is a part of what is hashed
        super().save(*args, **options)


class AccountHead(Head):
    """Where the chain of the account events ends: one row, made together with the key."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_head_of_the_accounts")]


class Check(models.Model):
    """What the last check of a chain found, and where the next one goes on."""

    at = models.DateTimeField()
    links = models.PositiveBigIntegerField()
    """How many links held, from the first on."""
    head = models.CharField(max_length=64, blank=True)
    """The hash of the last of them: a chain that was cut off at its end has another one there, or none."""
    fault = models.CharField(max_length=200, blank=True)
    """The first link that does not hold, in words. Empty: all do."""
    is_unfinished = models.BooleanField(default=False, db_default=False)
    """Its time was over before it was done: it goes on as soon as others had theirs."""
    round_place = models.PositiveBigIntegerField(default=0, db_default=0)
    """How far the links that are not new were walked again in the running round."""
    round_head = models.CharField(max_length=64, blank=True, default="", db_default="")
    """The hash of the link there."""
    round_began_at = models.DateTimeField(default=timezone.now, db_default=Now())
    digest = models.CharField(max_length=64, blank=True, default="", db_default="")

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.fault or f"{self.links} links hold"

    @property
    def whose(self) -> str:
        """Name the chain: where the check of one has got to must not pass for that of another."""
        return "the accounts"

    def compute_digest(self) -> str:
        """Return the keyed hash of where the next check goes on."""
        places = f"{self.links}:{self.head}, again to {self.round_place}:{self.round_head}"
        return keyed_hash(f"{self.whose} held to {places} since {self.round_began_at.isoformat()}")

    def is_sealed(self) -> bool:
        """Say whether a check of ours has written where the next one goes on."""
        return self.digest == self.compute_digest()


class ChainCheck(TenantModel, Check):
    """What the last check of a tenant's chain found, for its page of the audit trail."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_chain_check_per_tenant")]

    @property
    def whose(self) -> str:
        return f"tenant {self.tenant_id}"


class AccountCheck(Check):
    """What the last check of the chain of the account events found: one row."""


class AccountEvent(Fingerprinted):
    """What happened to somebody's account: signing in, factors, passwords. It belongs to no tenant."""

    is_append_only = True

    at = models.DateTimeField(default=timezone.now)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, null=True, related_name="+", db_constraint=False
    )
    """None: somebody tried to sign in with an address that no account has. What was typed is not kept, it may be a password."""
    action = models.CharField(max_length=60)
    client = models.CharField(max_length=64, blank=True)
    """The address of the client, as the limits on signing in count it."""

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["user", "-id"], name="events_of_one_account")]

    def __str__(self) -> str:
        return self.action


class AccountLink(models.Model):
    """One place in the chain of the account events."""

    is_append_only = True

    place = models.PositiveBigIntegerField(unique=True)
    entry_id = models.BigIntegerField(unique=True)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["place"]

    def __str__(self) -> str:
        return f"{self.place}: {self.hash}"
