from datetime import datetime, timedelta
from typing import Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.contracts.models.contracts import Contract
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

A_MINUTE = 10
"""So many contracts the platform takes in a minute (specification section 8)."""
LEASE = timedelta(seconds=150)
"""How long an attempt owns its upload; longer than the longest task (120 s), so that a live one is never robbed."""


class UploadState(models.TextChoices):
    """waiting -> sending -> done, the good way.

    sending -> uncertain: the platform may have it; the next attempt looks first, and sends only what it did not find.
    sending -> present: it had a contract with this external id before; a person decides what becomes of the file.
    sending -> refused: it said no. A person discards what has not arrived, and sends a refused one again.
    """

    WAITING = "waiting", "Waiting"
    SENDING = "sending", "Being sent"
    UNCERTAIN = "uncertain", "Being checked"
    DONE = "done", "Uploaded"
    PRESENT = "present", "Id already in use"
    REFUSED = "refused", "Refused"
    DISCARDED = "discarded", "Discarded"


TONES = {
    UploadState.WAITING.value: "info",
    UploadState.SENDING.value: "info",
    UploadState.UNCERTAIN.value: "warn",
    UploadState.DONE.value: "good",
    UploadState.PRESENT.value: "warn",
    UploadState.REFUSED.value: "bad",
}
OPEN = (UploadState.WAITING.value, UploadState.SENDING.value, UploadState.UNCERTAIN.value)
ATTENTION = (UploadState.REFUSED.value, UploadState.PRESENT.value)
"""A person has to decide about these. Their files are kept until then."""
OVER = (UploadState.DONE.value, UploadState.DISCARDED.value)
"""Nothing needs the file anymore."""


def stored_name(upload: "Upload", filename: str) -> str:
    """Name the stored file by chance: nothing of the person's file name becomes part of a path."""
    return f"contracts/{upload.tenant_id}/{uuid4().hex}.pdf"


class UploadQuerySet(TenantQuerySet["Upload"]):
    """Chains of uploads."""

    def open(self) -> Self:
        return self.filter(state__in=OPEN)

    def shown(self) -> Self:
        """Those that are on their way or need a person."""
        return self.filter(state__in=(*OPEN, *ATTENTION))

    def free(self, now: datetime) -> Self:
        """Nobody is working on them right now."""
        return self.filter(Q(lease_until=None) | Q(lease_until__lte=now))

    def due(self, now: datetime) -> Self:
        return self.open().free(now).filter(due_at__lte=now)

    def cancelable(self, now: datetime) -> Self:
        """Those of which nothing has left yet."""
        return self.filter(state=UploadState.WAITING).free(now)

    def with_leftover_file(self) -> Self:
        return self.filter(state__in=OVER).exclude(file="")


class Upload(TenantModel):
    """One PDF on its way to the platform: the work that waits, and later the proof of what came of it."""

    file = models.FileField(upload_to=stored_name, max_length=200)
    """Empty once nothing needs it anymore. Never served: the storage has no address."""
    filename = models.CharField(max_length=255)
    size = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    """SHA-256 of the document: the same file again is known."""
    external_id = models.CharField(max_length=256)
    account_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    """The customer that the platform is told, by its id there."""
    executed_on = models.DateField(null=True)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    """On whose word it goes out: whoever sends it again, or under another id, takes the place of whoever handed it in."""
    uploaded_by_name = models.CharField(max_length=120)
    uploaded_at = models.DateTimeField(default=timezone.now)
    queue_began_at = models.DateTimeField(default=timezone.now)
    """When the queue was last empty before this one joined it: how far the queue is counts from there."""
    state = models.CharField(max_length=10, choices=UploadState.choices, default=UploadState.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    """Also tells who owns the row: an outcome is written only while the number is still that of its attempt."""
    due_at = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField(null=True)
    in_doubt_since = models.DateTimeField(null=True)
    """When the first attempt began whose answer was lost. A contract that is older than this cannot have come of it."""
    cursor = models.TextField(blank=True)
    """How far a look through the platform's list has come: a long list takes more calls than a minute has."""
    trail = models.JSONField(default=dict)
    """Where that look has been, so that a list that leads in a circle is noticed by the next attempt too (guarantee Q16)."""
    last_error = models.CharField(max_length=300, blank=True)
    """What kept it from arriving, in words for people."""
    contract = models.ForeignKey(Contract, on_delete=models.SET_NULL, null=True, related_name="uploads")
    settled_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(UploadQuerySet)()

    class Meta:
        ordering = ["id"]
        constraints = [
            # Two people with the same document: the second one is told that it is on its way.
            models.UniqueConstraint(
                fields=["tenant", "external_id"], condition=Q(state__in=OPEN), name="one_open_upload_per_external_id"
            )
        ]
        indexes = [
            models.Index(fields=["tenant", "state", "id"], name="contract_uploads_of_a_state"),
            models.Index(fields=["due_at"], condition=Q(state__in=OPEN), name="contract_uploads_to_do"),
            models.Index(fields=["tenant", "due_at", "id"], condition=Q(state__in=OPEN), name="contract_uploads_in_line"),
            models.Index(fields=["tenant", "queue_began_at", "state"], name="contract_uploads_of_a_queue"),
        ]

    def __str__(self) -> str:
        return self.filename

    @property
    def tone(self) -> str:
        return TONES.get(self.state, "muted")

    def is_free(self, now: datetime) -> bool:
        return self.lease_until is None or self.lease_until <= now

    @property
    def is_discardable(self) -> bool:
        """One that may have arrived as well: if it has, the list shows the contract by itself."""
        return self.state in (UploadState.WAITING, UploadState.UNCERTAIN, *ATTENTION)

    @property
    def is_repeatable(self) -> bool:
        return self.state == UploadState.REFUSED

    @property
    def is_undecided(self) -> bool:
        """Its external id is in use: it can go out under another one."""
        return self.state == UploadState.PRESENT and bool(self.file)
