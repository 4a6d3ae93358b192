from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.questionnaires.models.questionnaire import Questionnaire
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

ORIGINAL, CSV = "original", "csv"
FORMATS = {ORIGINAL: "Original file", CSV: "CSV"}
SAME_REQUEST = timedelta(minutes=2)
"""How far the platform's time of a request may lie from ours: a slow answer, and clocks that differ."""


class ExportState(models.TextChoices):
    """asking -> pending -> completed, the good way; or failed, in the platform's words.

    asking -> uncertain: the answer was lost, so the platform may be at it. It has no list of exports (platform-api 4.1.5):
    only its event tells. -> unanswered: that took too long, a person may ask again; the event still counts if it comes.
    completed -> expired: the platform hands out the file no more.
    """

    ASKING = "asking", "Requesting"
    UNCERTAIN = "uncertain", "Being checked"
    PENDING = "pending", "In progress"
    COMPLETED = "completed", "Ready"
    FAILED = "failed", "Failed"
    EXPIRED = "expired", "Expired"
    UNANSWERED = "unanswered", "No answer"


TONES = {
    ExportState.ASKING.value: "info",
    ExportState.UNCERTAIN.value: "warn",
    ExportState.PENDING.value: "info",
    ExportState.COMPLETED.value: "good",
    ExportState.FAILED.value: "bad",
    ExportState.EXPIRED.value: "muted",
    ExportState.UNANSWERED.value: "warn",
}
WORDS = {
    ExportState.ASKING.value: "Requesting it from the platform.",
    ExportState.UNCERTAIN.value: "The platform's answer was lost, so it may be creating the file. It tells us when it's done. "
    "Nothing is requested twice in the meantime.",
    ExportState.PENDING.value: "The platform is creating the file. It'll show up here automatically.",
    ExportState.EXPIRED.value: "This file has expired on the platform. Request a new one.",
}
NEVER_HEARD = "We don't know if the platform got the request. If the file comes, it shows up here. Or request it again."
NEVER_ENDED = "The platform has not finished it in hours. If the file comes, it shows up here. Or request it again."
RUNNING = (ExportState.ASKING.value, ExportState.UNCERTAIN.value, ExportState.PENDING.value)
NAMELESS = (ExportState.UNCERTAIN.value, ExportState.UNANSWERED.value)
"""While they have no id: the event of an export that nobody knows may be theirs."""


class ExportQuerySet(TenantQuerySet["Export"]):
    """Chains of exports."""

    def running(self) -> Self:
        return self.filter(state__in=RUNNING)

    def due(self, now: datetime) -> Self:
        return self.filter(due_at__lte=now)

    def newest_first(self) -> Self:
        return self.order_by("-asked_at", "-id")


class Export(TenantModel):
    """One export of a questionnaire. The file stays at the platform, and so does its address: who has it has the file."""

    questionnaire = models.ForeignKey(Questionnaire, on_delete=models.CASCADE, related_name="exports")
    platform_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    """Empty until the platform has told it."""
    format = models.CharField(max_length=40, blank=True)  # free text: an event may name one that we never ask for
    state = models.CharField(max_length=10, choices=ExportState.choices, default=ExportState.ASKING)
    is_confirmed = models.BooleanField(default=False)
    """How it ended was read from the platform; an event alone is a hint."""
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    asked_by_name = models.CharField(max_length=120, blank=True)
    is_elsewhere = models.BooleanField(default=False)
    """Nobody asked for it here: an event told of it."""
    asked_at = models.DateTimeField(default=timezone.now)
    told_at = models.DateTimeField(null=True)
    """When an event last said how it ended. A look that began earlier does not take that back."""
    ended_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=500, blank=True)
    """Why it failed, or what keeps us from looking, in words for people."""
    due_at = models.DateTimeField(null=True, default=timezone.now)
    """The next look at it; None once nothing is left to find out."""
    attempts = models.PositiveIntegerField(default=0)

    objects = TenantManager.from_queryset(ExportQuerySet)()

    class Meta:
        ordering = ["-asked_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "platform_id"], condition=~Q(platform_id=""), name="one_row_per_export_of_the_platform"
            )
        ]
        indexes = [
            models.Index(fields=["tenant", "questionnaire", "-asked_at", "-id"], name="exports_newest_first"),
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="exports_to_look_at"),
        ]

    def __str__(self) -> str:
        return FORMATS.get(self.format, self.format or "Format not known")

    @property
    def tone(self) -> str:
        return TONES.get(self.state, "muted")

    @property
    def description(self) -> str:
        """Say in a sentence where it stands."""
        match self.state:
            case ExportState.FAILED:
                return self.reason or "The platform gave no reason."
            case ExportState.UNANSWERED:
                return NEVER_ENDED if self.platform_id else NEVER_HEARD
            case ExportState.COMPLETED if not self.is_confirmed:
                return "Ready (confirming)."
        return f"{WORDS.get(self.state, '')} {self.reason}".strip()

    @property
    def is_running(self) -> bool:
        return self.state in RUNNING

    @property
    def is_ready(self) -> bool:
        return self.state == ExportState.COMPLETED

    @property
    def is_settled(self) -> bool:
        """Nothing that comes later changes it."""
        return self.is_confirmed or self.state == ExportState.EXPIRED

    @property
    def may_be_asked_again(self) -> bool:
        return self.state in (ExportState.FAILED, ExportState.EXPIRED, ExportState.UNANSWERED) and self.format in FORMATS

    def is_of_request(self, at: datetime | None) -> bool:
        """Say whether an export that the platform says was requested then can have come of this request."""
        return at is not None and abs(at - self.asked_at) <= SAME_REQUEST


def formats_of(questionnaire: Questionnaire) -> tuple[str, ...]:
    """Say how a questionnaire can be exported: one from a web portal has no original file (platform-api 4.1.5)."""
    return (CSV,) if questionnaire.kind == "WEBSITE" else (ORIGINAL, CSV)
