from datetime import UTC, datetime
from typing import Self

from django.db import models

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet
from portal.tenants.personal_data import fold

TYPES = {
    "PAGE_VIEW": "Page views",
    "RESOURCE_VIEW": "Document views",
    "RESOURCE_DOWNLOAD": "Downloads",
    "VIDEO_PLAY": "Videos played",
}
"""The platform's words. An open set: others are shown as they came (platform-api 4.5.4)."""
ONE_OF = {
    "PAGE_VIEW": "Page view",
    "RESOURCE_VIEW": "Document view",
    "RESOURCE_DOWNLOAD": "Download",
    "VIDEO_PLAY": "Video played",
}


def day_of(at: datetime) -> int:
    """Return the number of the day a moment lies in. Days are those of UTC, for every reader the same."""
    return at.astimezone(UTC).date().toordinal()


class ActivityQuerySet(TenantQuerySet["Activity"]):
    """Chains of activity."""

    def of_person(self, email: str) -> Self:
        """What somebody did under an address, and whatever else was done under the same viewer's id."""
        found = self.filter(folded_email=fold(email))
        viewers = set(found.exclude(viewer_id="").values_list("viewer_id", flat=True))
        return self.filter(models.Q(folded_email=fold(email)) | models.Q(viewer_id__in=viewers))


class Activity(TenantModel):
    """One thing that somebody did in the Trust Center. Never changed once it is here."""

    # Other indexes begin with it, and every index costs each write.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    at = models.DateTimeField()
    event_type = models.CharField(max_length=40, blank=True)
    subject = models.CharField(max_length=220, blank=True)
    """The key of the page, document or video, as in `Subject`."""
    viewer_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    email = models.CharField(max_length=320, blank=True)
    folded_email = models.CharField(max_length=320, blank=True)
    domain = models.CharField(max_length=320, blank=True)
    """Empty: an anonymous visitor."""
    city = models.CharField(max_length=100, blank=True)
    country = models.CharField(max_length=10, blank=True)
    payload = models.JSONField(default=dict)

    objects = TenantManager.from_queryset(ActivityQuerySet)()

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_activity")]
        indexes = [
            models.Index(fields=["tenant", "-at", "-id"], name="activity_newest"),
            models.Index(fields=["tenant", "domain", "-at", "-id"], name="activity_of_domain"),
            models.Index(fields=["tenant", "subject", "-at", "-id"], name="activity_of_subject"),
            models.Index(fields=["tenant", "event_type", "-at", "-id"], name="activity_of_type"),
            models.Index(fields=["tenant", "country", "-at", "-id"], name="activity_of_country"),
            models.Index(fields=["tenant", "folded_email", "-at"], name="activity_of_person"),
            models.Index(fields=["tenant", "viewer_id"], condition=~models.Q(viewer_id=""), name="activity_of_viewer"),
        ]

    def __str__(self) -> str:
        return f"{self.type_label} {self.platform_id}"

    @property
    def type_label(self) -> str:
        return ONE_OF.get(self.event_type, self.event_type or "Not named")


class Subject(TenantModel):
    """A page, document or video that somebody has looked at, and what it is called."""

    key = models.CharField(max_length=220)
    title = models.CharField(max_length=300)

    class Meta:
        ordering = ["title", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "key"], name="one_title_per_subject")]

    def __str__(self) -> str:
        return self.title


class DailySum(TenantModel):
    """How much happened on one day, by one side of it, among what another side has in common. Holds no person.

    `cut` "country>domain", `key` "DE", `part` "acme.test": what people of acme.test did from Germany. In a cut ">domain" the
    key is empty: all that people of acme.test did. Always the sum of the rows, whatever order they came in.
    """

    cut = models.CharField(max_length=20)
    key = models.CharField(max_length=320, blank=True)
    day = models.PositiveIntegerField()
    part = models.CharField(max_length=320, blank=True)
    number = models.IntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "cut", "key", "day", "part"], name="one_sum_a_day")]

    def __str__(self) -> str:
        return f"{self.cut} {self.day}: {self.number}"
