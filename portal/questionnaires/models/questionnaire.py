from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Self
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import OuterRef, Q
from django.utils import timezone

from portal.accounts.tags import Tag, tags_in
from portal.lib.unnamed import named
from portal.page_refresh.services import PageVersion, own_version
from portal.platform_api import models as remote
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.questionnaires.answers import words
from portal.questionnaires.models.tags import QuestionnaireTag
from portal.questionnaires.stages import FINISHED, OTHER, STAGE_BY_KEY, STAGE_OF, Stage, next_step, stage_of, status_label
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager

NO_DUE_DATE = datetime(9999, 1, 1, tzinfo=UTC)
"""Sorts behind every date: a keyset page needs a column that is never NULL."""
PRESENT = models.Q(gone_at__isnull=True)
PAUSED_CLOCK = datetime(9998, 1, 1, tzinfo=UTC)
"""Behind every target that runs, and ahead of what has none."""
KINDS = {"SPREADSHEET": "Spreadsheet", "DOCUMENT": "Document", "WEBSITE": "Web portal"}


class Priority(models.IntegerChoices):
    """How urgent a tenant finds a questionnaire. The platform knows nothing of it."""

    LOW = 10, "Low"
    NORMAL = 20, "Normal"
    HIGH = 30, "High"
    URGENT = 40, "Urgent"


PRIORITY_TONES = {Priority.URGENT: "bad", Priority.HIGH: "warn", Priority.LOW: "muted"}


class QuestionnaireQuerySet(SearchedQuerySet["Questionnaire"]):
    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def open(self) -> Self:
        return self.exclude(status__in=FINISHED)

    def with_clock(self) -> Self:
        """Those with a target to reach: the open ones that one fits."""
        return self.filter(target_sort__lt=NO_DUE_DATE)

    def in_stage(self, key: str) -> Self:
        if key == OTHER.key:
            return self.exclude(status__in=STAGE_OF)
        return self.filter(status__in=STAGE_BY_KEY[key].statuses)

    def tagged(self, tag: Tag) -> Self:
        return self.filter(pk__in=QuestionnaireTag.objects.of(tag).order_by().values("questionnaire_id"))

    def touched_after(self, at: datetime | OuterRef, key: int | OuterRef) -> Self:
        """Those that were touched here since that one, in the order in which a worker goes through them."""
        behind = Q(touched_at__gt=at) | Q(touched_at=at, pk__gt=key)
        return self.filter(behind, touched_at__gte=at).order_by("touched_at", "pk")

    def due(self, when: str, *, now: datetime) -> Self:
        today = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
        if when == "overdue":
            return self.open().filter(due_sort__lt=now)
        if when == "week":
            return self.open().filter(due_sort__gte=now, due_sort__lt=today + timedelta(days=8))
        return self.filter(due_at__isnull=True) if when == "none" else self


class Questionnaire(SearchedModel):
    """Our copy of a platform questionnaire. The platform is right when the two differ."""

    # Other indexes begin with it, and every index costs each write.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=500)
    name_key = models.CharField(max_length=32, blank=True)
    """Equal for two names of the same words (`wording.key_of`)."""
    url_key = models.CharField(max_length=64, blank=True)
    """Equal for two addresses of the same portal page (`wording.address_key`)."""
    status = models.CharField(max_length=80)  # free text: the platform adds values without notice
    is_provisional = models.BooleanField(default=False)
    """The status comes from an event and has not been confirmed by a fetch yet."""
    kind = models.CharField(max_length=40, blank=True)
    due_at = models.DateTimeField(null=True)
    due_sort = models.DateTimeField(default=NO_DUE_DATE)
    owner_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    owner_name = models.CharField(max_length=200, blank=True)
    approver_name = models.CharField(max_length=200, blank=True)
    known_to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """The member who last was told that they have it, or who took it."""
    account_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    tags = models.JSONField(default=list)
    """As the platform tells them: by the ids of category and tag. `QuestionnaireTag` has the same for the filter."""
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    completed_at = models.DateTimeField(null=True)

    question_count = models.PositiveIntegerField(default=0)
    answered_count = models.PositiveIntegerField(default=0)
    approved_count = models.PositiveIntegerField(default=0)
    pending_count = models.PositiveIntegerField(default=0)
    unread_count = models.PositiveIntegerField(default=0)
    """Responses that the platform listed last and that could not be read: they are asked for again with every comparison."""
    responses_synced_at = models.DateTimeField(null=True)

    # The portal's own, which a fetch leaves alone.
    priority = models.PositiveSmallIntegerField(choices=Priority, default=Priority.NORMAL)
    target = models.ForeignKey(
        "questionnaires.Target", null=True, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    """A deleted one stays named until the clock is recalculated, in batches: nobody waits for a hundred thousand rows."""
    target_at = models.DateTimeField(null=True)
    """When the target's office time is used up; empty while the clock stands still."""
    target_sort = models.DateTimeField(default=NO_DUE_DATE)
    target_left = models.BigIntegerField(null=True)
    """Seconds of office time that were left when the clock came to stand still."""
    warn_at = models.DateTimeField(null=True)
    remind_at = models.DateTimeField(null=True)
    """When the next mail about the target is due."""
    warned_at = models.DateTimeField(null=True)
    told_missed_at = models.DateTimeField(null=True)
    time_spent = models.JSONField(default=dict)
    """Seconds on the wall by whose turn it was, up to the present status."""
    status_since = models.DateTimeField(null=True)

    payload = models.JSONField(default=dict)
    touched_at = models.DateTimeField(default=timezone.now)
    """When this row or one of its responses last changed here: the page version of its page."""
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(QuestionnaireQuerySet)()

    class Meta:
        ordering = ["due_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_questionnaire")]
        indexes = [
            models.Index(fields=["tenant", "due_sort", "id"], name="questionnaires_by_due"),
            models.Index(fields=["tenant", "-updated_at", "-id"], name="questionnaires_by_update"),
            models.Index(fields=["tenant", "status", "due_sort", "id"], name="questionnaires_by_status"),
            models.Index(fields=["tenant", "owner_id", "due_sort", "id"], name="questionnaires_by_owner"),
            models.Index(fields=["tenant", "target_sort", "id", "status"], condition=PRESENT, name="questionnaires_by_target"),
            models.Index(fields=["remind_at"], condition=models.Q(remind_at__isnull=False), name="questionnaires_to_remind"),
            # What every look at the list counts and offers is answered from these alone, without the rows.
            models.Index(fields=["tenant", "status"], condition=PRESENT, name="questionnaires_counted"),
            models.Index(fields=["tenant", "owner_name", "owner_id"], condition=PRESENT, name="questionnaires_owners"),
            models.Index(fields=["tenant", "touched_at", "id"], name="questionnaires_by_touch"),
            models.Index(fields=["tenant", "account_id"], condition=PRESENT, name="questionnaires_of_account"),
            models.Index(fields=["tenant", "name_key"], name="questionnaires_by_name"),
            models.Index(fields=["tenant", "url_key"], condition=~models.Q(url_key=""), name="questionnaires_by_url"),
        ]

    def __str__(self) -> str:
        return named(self.name)

    @property
    def stage(self) -> Stage:
        return stage_of(self.status)

    @property
    def status_label(self) -> str:
        return status_label(self.status)

    @property
    def next_step(self) -> str:
        return next_step(self.status)

    @property
    def priority_label(self) -> str:
        return str(Priority(self.priority).label)

    @property
    def priority_tone(self) -> str:
        return PRIORITY_TONES.get(Priority(self.priority), "muted")

    @property
    def is_usual(self) -> bool:
        return self.priority == Priority.NORMAL

    @property
    def kind_label(self) -> str:
        return KINDS.get(self.kind, self.kind)

    @property
    def version(self) -> PageVersion:
        """Stands for everything that its page shows."""
        return own_version(self.touched_at.isoformat(), "questionnaires")

    @property
    def is_open(self) -> bool:
        return self.status not in FINISHED

    @property
    def is_over(self) -> bool:
        return not self.is_open

    @property
    def unanswered_count(self) -> int:
        return self.question_count - self.answered_count

    @property
    def answered_percent(self) -> int:
        return 100 * self.answered_count // self.question_count if self.question_count else 0

    @property
    def safe_url(self) -> str:
        """The requester's portal; any other kind of address is no link (guarantee S3)."""
        url = self.remote.url or ""
        return url if self.site else ""

    @property
    def site(self) -> str:
        try:
            parts = urlsplit(self.remote.url or "")
        except ValueError:
            return ""
        return parts.netloc if parts.scheme in ("http", "https") else ""

    @property
    def approver_id(self) -> str:
        # Not by `remote`: of a row that an event alone has made, nothing but its status is known.
        approver = self.payload.get("approverAssignment")
        return words(approver.get("id")) if isinstance(approver, dict) else ""

    @property
    def tag_ids(self) -> list[Tag]:
        return tags_in(self.tags)

    @property
    def metadata(self) -> list[tuple[str, str]]:
        """The notes that stand on it, as pairs of name and text."""
        return [(words(entry.get("key")), words(entry.get("value"))) for entry in self.remote.metadata or []]

    @cached_property
    def remote(self) -> remote.Questionnaire:
        """The object as the platform last sent it."""
        return remote.Questionnaire.read(self.payload)
