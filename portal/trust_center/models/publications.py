from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.platform_writes.models import Item, ItemQuerySet, ItemState, Run, RunQuerySet
from portal.tenants.managers import TenantManager
from portal.trust_center.models.updates import MAX_TITLE_LENGTH, MAX_WORD_LENGTH, category_label

WINDOW = timedelta(seconds=30)
"""How long an update waits before it is sent, so that it can be undone: mails that were sent cannot (guarantee W3)."""


class Verb(models.TextChoices):
    """What is done once the half minute has passed."""

    PUBLISH = "publish", "Publish"
    TELL = "tell", "Send"


class Target(models.TextChoices):
    """Who is told by email."""

    NONE = "NONE", "Nobody"
    ALL = "ALL", "All subscribers"
    GROUPS = "GROUPS", "Groups of subscribers"


class PublicationQuerySet(RunQuerySet["Publication"]):
    """Chains of publications."""

    def open(self) -> "PublicationQuerySet":
        """Those that are scheduled or being sent."""
        return self.filter(finished_at=None)


class Publication(Run):
    """An update that a person publishes, or has subscribers told of later: scheduled first, then sent once."""

    verb = models.CharField(max_length=10, choices=Verb.choices, default=Verb.PUBLISH)
    title = models.CharField(max_length=MAX_TITLE_LENGTH)
    description = models.TextField()
    category = models.CharField(max_length=MAX_WORD_LENGTH)
    is_public = models.BooleanField(default=True)
    target = models.CharField(max_length=10, choices=Target.choices, default=Target.NONE)
    groups = models.JSONField(default=dict)
    """The groups that are told: their names then, by their ids."""
    recipients = models.PositiveIntegerField(default=0)
    """How many people that were when it was published."""
    update_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    """The platform's id of what came of it, or of what people are told of."""
    leaves_trace = models.BooleanField(default=True)
    """Whether a look at the platform can tell that people were told: not where they had been told of it before."""
    undone_by_name = models.CharField(max_length=120, blank=True)

    objects = TenantManager.from_queryset(PublicationQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [
            # A button that is pressed twice mails nobody twice.
            models.UniqueConstraint(
                fields=["tenant", "verb", "title"], condition=Q(finished_at=None), name="one_publication_on_its_way"
            )
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(finished_at=None), name="publications_to_do"),
            models.Index(fields=["tenant", "-id"], condition=Q(finished_at=None), name="publications_open"),
        ]

    def __str__(self) -> str:
        return f"{Verb(self.verb).label} “{self.title}”"

    @property
    def nouns(self) -> tuple[str, str]:
        return "update", "updates"

    @property
    def category_label(self) -> str:
        return category_label(self.category)

    @property
    def is_told(self) -> bool:
        """It is on the Trust Center already: people are told of it, no more."""
        return self.verb == Verb.TELL

    @property
    def doing(self) -> str:
        return "Being sent" if self.is_told else "Being published"

    @property
    def failure(self) -> str:
        return "Not sent" if self.is_told else "Not published"

    @property
    def target_label(self) -> str:
        """Who is told, in words."""
        return ", ".join(self.groups.values()) if self.target == Target.GROUPS else Target(self.target).label

    @property
    def seconds_left(self) -> int:
        """By the clock of this machine: how long it is at least until it is sent."""
        return max(0, -int(-(self.due_at - timezone.now()).total_seconds() // 1))


class PublicationItemQuerySet(ItemQuerySet["PublicationItem"]):
    def with_object(self) -> "PublicationItemQuerySet":
        return self


class PublicationItem(Item):
    """The one call of a publication."""

    run = models.ForeignKey(Publication, on_delete=models.CASCADE, related_name="items")

    objects = TenantManager.from_queryset(PublicationItemQuerySet)()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run"], name="one_call_per_publication")]

    def __str__(self) -> str:
        return str(self.run)

    @property
    def is_untouched(self) -> bool:
        """Nothing can have left."""
        return self.state == ItemState.WAITING and not self.is_in_doubt


def is_scheduled(publication: Publication, item: PublicationItem | None) -> bool:
    """Say whether a publication can be undone: no worker has it, and nothing of it can have left."""
    return item is not None and item.is_untouched and not publication.is_over and publication.lease_until is None


def item_of(publication: Publication) -> PublicationItem | None:
    """Return the call of a publication; None once it was undone."""
    found: PublicationItem | None = PublicationItem.objects.filter(run=publication).first()
    return found
