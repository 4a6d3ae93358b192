from datetime import UTC, datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.access_requests.models.people import PersonQuerySet, level_label
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel
from portal.tenants.managers import TenantManager

NEVER = datetime(9999, 1, 1, tzinfo=UTC)
"""Sorts behind every date: a keyset page needs a column that is never NULL."""
SOON = timedelta(days=30)


class ContractState(models.TextChoices):
    """What is known of the contracts of somebody's account."""

    NO_ACCOUNT = "no_account", "No account known"
    NONE = "none", "No contract"
    ENDED = "ended", "Contract ended"
    THERE = "there", "In place"


class ViewerQuerySet(PersonQuerySet["Viewer"]):
    """Chains of viewers. Expiry is computed: the platform does not mark an expired viewer (platform-api 4.5.3)."""

    def active(self, now: datetime) -> "ViewerQuerySet":
        return self.filter(expires_sort__gt=now)

    def expiring(self, now: datetime, within: timedelta = SOON) -> "ViewerQuerySet":
        return self.filter(expires_sort__gt=now, expires_sort__lte=now + within)

    def endless(self) -> "ViewerQuerySet":
        return self.filter(expires_sort=NEVER)

    def ended(self, now: datetime) -> "ViewerQuerySet":
        """Expired or taken away: kept, so that it can be said later who had access until when."""
        return self.filter(expires_sort__lte=now)

    def to_review(self, now: datetime) -> "ViewerQuerySet":
        """Those with access whom nobody has kept after a review."""
        return self.active(now).filter(Q(kept_until=None) | Q(kept_until__lte=now))

    def without_activity_fact(self) -> "ViewerQuerySet":
        """Those of whom it is not known yet when they were last active: neither active nor quiet (guarantee R3)."""
        return self.filter(quiet_since=None)


class Viewer(SearchedModel):
    """Our copy of a person with access to the Trust Center."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    email = models.CharField(max_length=320)
    folded_email = models.CharField(max_length=320)
    name = models.CharField(max_length=300, blank=True)
    company = models.CharField(max_length=300, blank=True)
    domain = models.CharField(max_length=320, blank=True)
    access_level = models.CharField(max_length=40)
    resource_ids = models.JSONField(null=True)
    """Null: all resources (platform-api 4.5.3)."""
    nda_provider = models.CharField(max_length=40, blank=True)
    nda_satisfied_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    expires_sort = models.DateTimeField(default=NEVER)
    """When access ends or has ended: at its expiry, or when it was taken away before."""
    account_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)
    reminded_at = models.DateTimeField(null=True)
    """When the invitation was sent again from here, or may have been."""
    kept_until = models.DateTimeField(null=True)
    """Somebody has looked at this access and lets it be: a review asks again then."""
    kept_by_name = models.CharField(max_length=120, blank=True, default="", db_default="")
    kept_word = models.CharField(max_length=300, blank=True, default="", db_default="")
    quiet_since = models.DateTimeField(null=True)
    """When the person was last active, or got access. Like the two below it is looked up from time to time; empty: not yet."""
    contract = models.CharField(max_length=10, choices=ContractState.choices, blank=True, default="", db_default="")
    """Of the person's account; empty: not looked up yet."""
    other_domain = models.CharField(max_length=320, blank=True, default="", db_default="")
    """The mail domain of the linked account, where the person's is another one."""
    checked_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(ViewerQuerySet)()

    class Meta:
        ordering = ["expires_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_viewer")]
        indexes = [
            models.Index(fields=["tenant", "expires_sort", "id"], name="viewers_by_expiry"),
            # What the filters and the review count, without a look at the rows.
            models.Index(
                fields=["tenant", "expires_sort", "nda_provider", "nda_satisfied_at", "access_level", "account_id"],
                name="viewers_counted",
            ),
            models.Index(fields=["tenant", "account_id", "expires_sort", "id"], name="viewers_of_account"),
            models.Index(fields=["tenant", "checked_at", "id"], name="viewers_to_check"),
            # What the review looks for, each in the order of its list.
            models.Index(fields=["tenant", "contract", "expires_sort", "id"], name="viewers_of_contract"),
            models.Index(fields=["tenant", "other_domain", "expires_sort", "id"], name="viewers_of_other_domain"),
            models.Index(fields=["tenant", "expires_sort", "quiet_since"], name="viewers_quiet"),
            models.Index(fields=["tenant", "domain"], name="viewers_of_domain"),
            models.Index(fields=["tenant", "folded_email"], name="viewers_of_person"),
        ]

    def __str__(self) -> str:
        return self.name or self.email

    @property
    def level_label(self) -> str:
        return level_label(self.access_level)

    @property
    def is_expired(self) -> bool:
        return self.expires_sort <= timezone.now()

    @property
    def ending(self) -> tuple[str, str]:
        """Words and tone of where access stands."""
        if self.gone_at and (self.expires_at is None or self.gone_at < self.expires_at):
            return "Revoked", "muted"
        return ("Expired", "muted") if self.is_expired else ("Has access", "good")

    @property
    def nda(self) -> tuple[str, str]:
        """Words and tone of this person's own agreement (platform-api 4.5.3). The company's may be another one."""
        return (
            f"This person: {self.nda_state}",
            "muted" if not self.nda_provider else "good" if self.nda_satisfied_at else "warn",
        )

    @property
    def nda_state(self) -> str:
        """The same where the person is named beside it."""
        if not self.nda_provider:
            return "none"
        if self.nda_satisfied_at is None:
            return "pending"
        return "settled elsewhere" if self.nda_provider.endswith("_BYPASS") else "signed"
