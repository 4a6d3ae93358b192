from django.db import models
from django.utils import timezone

from portal.access_requests.models.people import PersonQuerySet, level_label
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel
from portal.tenants.managers import TenantManager


class Outcome(models.TextChoices):
    """The platform's words, and ours for a request that nobody has decided. An open set: others are shown as they came."""

    PENDING = "PENDING", "Pending"
    APPROVED = "APPROVED", "Approved"
    DENIED = "DENIED", "Denied"


ON_THE_WAY = ("held", "sending", "unconfirmed", "done")
"""States of a decision that a person has finished with. Of the active ones only `asked` still needs somebody."""
TONES = {Outcome.PENDING.value: "warn", Outcome.APPROVED.value: "good", Outcome.DENIED.value: "bad"}


class AccessRequestQuerySet(PersonQuerySet["AccessRequest"]):
    """Chains of access requests."""

    def pending(self) -> "AccessRequestQuerySet":
        return self.filter(outcome=Outcome.PENDING)

    def decided_elsewhere(self) -> "AccessRequestQuerySet":
        """Those that were decided on the platform, or by it, and not from here."""
        return self.exclude(outcome=Outcome.PENDING).exclude(decisions__state="done")

    def waiting(self) -> "AccessRequestQuerySet":
        """Return what waits for a person: undecided here and there, or approved here and waiting for second approval.

        The only definition: the badge, the tabs, Today and the portfolio count these rows and no others.
        """
        return self.present().pending().exclude(decisions__state__in=ON_THE_WAY)

    def being_sent(self) -> "AccessRequestQuerySet":
        """Return what is decided here while the platform still has it open: scheduled, sent, or not confirmed yet."""
        return self.present().pending().filter(decisions__state__in=ON_THE_WAY)


class AccessRequest(SearchedModel):
    """Our copy of a Trust Center access request. The platform is right when the two differ."""

    # Other indexes begin with it, and every index costs each write.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    email = models.CharField(max_length=320)
    folded_email = models.CharField(max_length=320)
    name = models.CharField(max_length=300, blank=True)
    company = models.CharField(max_length=300, blank=True)
    domain = models.CharField(max_length=320, blank=True)
    reason = models.TextField(blank=True)
    requested_resources = models.JSONField(null=True)
    """Ids of resources; null with full access (platform-api 4.5.2)."""
    access_level = models.CharField(max_length=40)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    outcome = models.CharField(max_length=40, blank=True, default=Outcome.PENDING)
    is_provisional = models.BooleanField(default=False)
    """The outcome comes from an event or from our own call and has not been read back yet."""
    denial_reason = models.TextField(blank=True)
    viewer_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    """The viewer that came of it; only the event tells (platform-api 4.5.2)."""
    payload = models.JSONField(default=dict)
    touched_at = models.DateTimeField(default=timezone.now)
    """When this row or a decision about it last changed here: the page version of its pane."""
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(AccessRequestQuerySet)()

    class Meta:
        ordering = ["created_at", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_access_request")]
        indexes = [
            models.Index(fields=["tenant", "outcome", "created_at", "id"], name="access_requests_waiting"),
            # The pass of the rules over all that waits goes on by the key: it never changes, as the moment of a request may.
            models.Index(
                fields=["tenant", "id"],
                condition=models.Q(gone_at=None, outcome=Outcome.PENDING.value),
                name="access_requests_open",
            ),
            models.Index(fields=["tenant", "-updated_at", "-id"], name="access_requests_newest"),
            models.Index(fields=["tenant", "domain"], name="access_requests_of_domain"),
            models.Index(fields=["tenant", "folded_email"], name="access_requests_of_person"),
        ]

    def __str__(self) -> str:
        return self.name or self.email

    @property
    def is_pending(self) -> bool:
        return self.outcome == Outcome.PENDING

    @property
    def is_settled(self) -> bool:
        """Decided, and read back from the platform as such."""
        return not self.is_pending and not self.is_provisional

    @property
    def level_label(self) -> str:
        return level_label(self.access_level)

    @property
    def outcome_label(self) -> str:
        return dict(Outcome.choices).get(self.outcome, self.outcome or "Decided")

    @property
    def tone(self) -> str:
        return TONES.get(self.outcome, "muted")
