from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.lib.keys import ring
from portal.notifications.kinds import TEAM, Channel, Frequency, Kind, kind_named
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

AREA = "notifications"
MAX_TITLE, MAX_TEXT = 200, 300
SEALED_FIELDS = ("url", "secret", "token", "signing_secret")


class NotificationQuerySet(TenantQuerySet["Notification"]):
    """Chains of notifications."""

    def in_bell_of(self, user_id: int) -> Self:
        return self.filter(user=user_id, in_bell=True)

    def unread(self) -> Self:
        return self.filter(read_at=None)


class Notification(TenantModel):
    """One thing that one member is told, or the team, with the page that it is about."""

    # Other indexes begin with it, and every index costs each write.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    """Not the membership: that goes outside of any tenant's scope, with an account. None: the team, by its channels."""
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=100)
    """What it is about and which time: nobody is told twice under one key."""
    title = models.CharField(max_length=MAX_TITLE)
    text = models.CharField(max_length=MAX_TEXT, blank=True)
    path = models.TextField()
    """The page, as an address of this site. In it each letter of one of the platform's ids may take many characters."""
    work_kind = models.CharField(max_length=40, blank=True)
    object_id = models.BigIntegerField(null=True)
    """The work item that it is about, where it is about one: a chat can have it done at once. Of a mention, the comment."""
    in_bell = models.BooleanField()
    """Whether this member wants to see it there; else it is only for other channels."""
    made_at = models.DateTimeField(default=timezone.now)
    read_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(NotificationQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "user", "key"], name="one_notification_per_key"),
            models.UniqueConstraint(fields=["tenant", "key"], condition=Q(user=None), name="one_team_notification_per_key"),
        ]
        indexes = [
            models.Index(fields=["tenant", "user", "-id"], condition=Q(in_bell=True), name="notifications_of_member"),
            models.Index(fields=["tenant", "user"], condition=Q(in_bell=True, read_at=None), name="notifications_unread"),
            models.Index(fields=["made_at"], name="notifications_by_age"),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def icon(self) -> str:
        kind: Kind | None = kind_named(self.kind)
        return kind.icon if kind else "bell"


class Preference(TenantModel):
    """How often one member, or the team, wants to be told of one kind by one channel, where it was chosen."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    """None: the team."""
    kind = models.CharField(max_length=20)
    channel = models.CharField(max_length=10, choices=Channel.choices)
    frequency = models.CharField(max_length=10, choices=Frequency.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "user", "kind", "channel"], name="one_preference_per_kind_and_channel"),
            models.UniqueConstraint(
                fields=["tenant", "kind", "channel"], condition=Q(user=None), name="one_team_preference_per_kind_and_channel"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} by {self.channel}: {self.frequency}"


class QuietHours(TenantModel):
    """A member who is told outside of the bell only while the office is open."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "user"], name="one_quiet_hours_per_member")]

    def __str__(self) -> str:
        return f"quiet hours of {self.user_id}"


class DispatchState(models.TextChoices):
    """What became of a dispatch."""

    WAITING = "waiting", "Waiting"
    SENT = "sent", "Sent"
    UNCONFIRMED = "unconfirmed", "Sent, not confirmed"
    NOT_NEEDED = "not_needed", "No longer needed"
    FAILED = "failed", "Failed"


class DispatchQuerySet(TenantQuerySet["Dispatch"]):
    """Chains of deliveries."""

    def due(self, now: datetime) -> Self:
        free = Q(lease_until=None) | Q(lease_until__lt=now)
        return self.filter(free, state=DispatchState.WAITING, due_at__lte=now)

    def by_email(self) -> Self:
        return self.filter(channel=Channel.EMAIL)

    def by_team_channel(self) -> Self:
        return self.filter(channel__in=TEAM)


class Dispatch(TenantModel):
    """A notification that a channel has to bring to its member, or to the team."""

    notification = models.ForeignKey(Notification, on_delete=models.CASCADE, related_name="dispatches")
    channel = models.CharField(max_length=10, choices=Channel.choices)
    state = models.CharField(max_length=12, choices=DispatchState.choices, default=DispatchState.WAITING)
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(DispatchQuerySet)()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["notification", "channel"], name="one_dispatch_per_channel")]
        indexes = [models.Index(fields=["due_at"], condition=Q(state="waiting"), name="dispatches_to_send")]

    def __str__(self) -> str:
        return f"{self.notification_id} by {self.channel}"


class Morning(TenantModel):
    """The last day on which it was looked at what is due for one member, or for the team."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    """None: the team."""
    day = models.DateField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "user"], name="one_morning_per_member"),
            models.UniqueConstraint(fields=["tenant"], condition=Q(user=None), name="one_morning_per_team"),
        ]

    def __str__(self) -> str:
        return f"{self.day}"


class TeamChannel(TenantModel):
    """Where the team of a tenant reads outside of the portal: a channel of a chat, or a system that takes signed webhooks."""

    channel = models.CharField(max_length=10, choices=Channel.choices)
    name = models.CharField(max_length=80)
    """How people call it, such as #trust-desk."""
    host = models.CharField(max_length=253)
    """The part of its address that may be shown: with the rest anybody could post there."""
    url = models.BinaryField()
    secret = models.BinaryField(default=b"")
    """What a webhook is signed with. Both are sealed."""
    token = models.BinaryField(default=b"")
    signing_secret = models.BinaryField(default=b"")
    """Of a Slack app: what it calls Slack with, and what Slack signs with. Sealed, and empty for an incoming webhook."""
    workspace = models.CharField(max_length=40, blank=True)
    """The Slack workspace that the app is installed in, by its id: nobody of another one decides."""
    conversation = models.CharField(max_length=40, blank=True)
    """Where the app posts to, by Slack's id of it."""
    set_up_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    set_up_at = models.DateTimeField(default=timezone.now)
    delivered_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    """None while it delivers."""
    error = models.CharField(max_length=200, blank=True)
    """Why it does not, in words."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "channel"], name="one_team_channel_of_each_kind")]

    def __str__(self) -> str:
        return Channel(self.channel).label

    def __repr__(self) -> str:
        return f"<TeamChannel {self.pk}: {self.channel}>"

    @property
    def is_webhook(self) -> bool:
        return self.channel == Channel.WEBHOOK

    @property
    def has_app(self) -> bool:
        """It is a Slack app, by which work is done in Slack, and no incoming webhook."""
        return bool(self.workspace)

    def seal(self, field: str, plain: str) -> bytes:
        return ring().seal(plain, place=self.place(field))

    def open(self, field: str) -> str:
        """Open a sealed value. Raises Locked when no key does."""
        return ring().open(bytes(getattr(self, field)), place=self.place(field))

    def place(self, field: str) -> str:
        """Name where a secret is sealed, so that it opens nowhere else."""
        return f"notifications_teamchannel:{self.tenant_id}:{self.channel}:{field}"
