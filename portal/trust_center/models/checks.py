"""What of the Trust Center's content somebody should look at, and what people have said of it."""

from datetime import date, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel
from portal.trust_center.kinds import RESOURCE
from portal.trust_center.models.renewals import FAR

MAX_TITLE_LENGTH, MAX_DIFFERENCE_LENGTH, MAX_REASON_LENGTH = 300, 80, 500
CHECKED_EVERY = timedelta(minutes=5)
COMPARED_AGAIN = timedelta(hours=1)
"""A FAQ that stays the same may be contradicted by an answer that was sent since."""


class Cause(models.TextChoices):
    """How content of the Trust Center comes to be wrong without anybody changing it."""

    EXPIRES = "expires", "Expires"
    OLD_REPORT = "old-report", "A year old"
    CONTRADICTION = "contradiction", "Contradicts a sent answer"


class ContentCheckQuerySet(SearchedQuerySet["ContentCheck"]):
    """Chains of checks."""

    def open(self) -> Self:
        return self.filter(is_open=True)

    def dismissed(self) -> Self:
        """Those of which somebody has said that it is right so."""
        return self.filter(is_open=False)

    def about(self, subject: str, object_key: int) -> Self:
        return self.filter(subject=subject, object_key=object_key)


class ContentCheck(SearchedModel):
    """One document or FAQ that somebody should look at. It goes when what is wrong with it has gone."""

    subject = models.CharField(max_length=20)
    """The kind of the object, and below it its key here and its id on the platform."""
    object_key = models.BigIntegerField()
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    cause = models.CharField(max_length=20, choices=Cause.choices)
    title = models.CharField(max_length=MAX_TITLE_LENGTH, blank=True)
    due_on = models.DateField(default=FAR)
    """When it has to be right; FAR for what has no day."""
    difference = models.CharField(max_length=MAX_DIFFERENCE_LENGTH, blank=True)
    """How far a FAQ and the sent answers are apart."""
    answers = models.JSONField(default=list)
    """The keys of sent answers that say otherwise, the newest first."""
    sign = models.CharField(max_length=64)
    """Stands for what was found: another object or another answer has another one."""
    found_at = models.DateTimeField(default=timezone.now)
    is_open = models.BooleanField(default=True)
    reason = models.TextField(blank=True)
    """Why somebody has dismissed it. An address of a person is never in it."""
    dismissed_sign = models.CharField(max_length=64, blank=True)
    """What was dismissed: with another `sign` it is open again."""
    dismissed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    dismissed_by_name = models.CharField(max_length=120, blank=True)
    dismissed_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(ContentCheckQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["due_on", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "subject", "object_key"], name="one_check_per_content")]
        indexes = [models.Index(fields=["tenant", "is_open", "due_on", "id"], name="content_checks_listed")]

    def __str__(self) -> str:
        return named(self.title)

    @property
    def is_document(self) -> bool:
        return self.subject == RESOURCE

    @property
    def has_day(self) -> bool:
        return self.due_on != FAR

    @property
    def tone(self) -> str:
        return "info" if self.cause == Cause.EXPIRES else "warn"

    def is_over(self, today: date) -> bool:
        """Say whether its day has passed."""
        return self.due_on < today

    @property
    def label(self) -> str:
        return str(Cause(self.cause).label)


class ContentSweep(TenantModel):
    """When the content of a tenant's Trust Center was last looked at as a whole."""

    checked_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_content_sweep_per_tenant")]

    def __str__(self) -> str:
        return f"checked at {self.checked_at}"
