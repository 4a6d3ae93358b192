from datetime import datetime, timedelta
from pathlib import PurePath
from typing import Any, Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.questionnaires.models.questionnaire import Questionnaire
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

LEASE = timedelta(seconds=150)
"""A call that has not come to an end by then was cut off: its process died. Longer than any call takes."""
FILE_KEPT = timedelta(days=1)
"""How long a file waits for the word of a person who was shown what looks like a duplicate."""
SHOWN_FOR = timedelta(days=7)
"""So long the list tells of an intake that did not arrive."""


class IntakeState(models.TextChoices):
    """sending -> created, the good way; or refused, in the platform's words.

    asking: it looks like one that is here; the file is kept until a person decides, and when it is kept no more -> absent.
    sending -> uncertain: the answer was lost, so the platform may have it; its list is looked through. -> absent: it is not
    there. What is absent a person may hand in again.
    """

    ASKING = "asking", "Decision needed"
    SENDING = "sending", "Being sent"
    UNCERTAIN = "uncertain", "Being checked"
    CREATED = "created", "Submitted"
    ABSENT = "absent", "Did not arrive"
    REFUSED = "refused", "Refused"


TONES = {"asking": "warn", "sending": "info", "uncertain": "warn", "created": "good", "absent": "bad", "refused": "bad"}
ON_ITS_WAY = (IntakeState.SENDING.value, IntakeState.UNCERTAIN.value)
THERE = (*ON_ITS_WAY, IntakeState.CREATED.value)
"""The platform has these, or may have them."""


def stored_name(intake: "Intake", filename: str) -> str:
    """Name the stored file by chance: nothing of the person's file name but its ending becomes part of a path."""
    return f"intakes/{intake.tenant_id}/{uuid4().hex}{PurePath(filename).suffix.lower()}"


class IntakeQuerySet(TenantQuerySet["Intake"]):
    """Chains of intakes."""

    def there(self) -> Self:
        return self.filter(state__in=THERE)

    def due(self, now: datetime) -> Self:
        """Those whose outcome has to be looked for now."""
        return self.filter(state__in=ON_ITS_WAY, due_at__lte=now)

    def forgotten(self, now: datetime) -> Self:
        """Those that nobody decided on for as long as their file is kept. An address waits on: it takes no room."""
        return self.filter(state=IntakeState.ASKING, begun_at__lte=now - FILE_KEPT).exclude(file="")

    def with_leftover_file(self) -> Self:
        return self.exclude(state=IntakeState.ASKING).exclude(state=IntakeState.SENDING).exclude(file="")

    def shown(self, now: datetime) -> Self:
        """Those that people have to know of: not settled yet, or not arrived lately and not handed in again."""
        lately = Q(state=IntakeState.ABSENT, settled_at__gt=now - SHOWN_FOR, successor=None)
        return self.filter(Q(state__in=(*ON_ITS_WAY, IntakeState.ASKING)) | lately)


class Intake(TenantModel):
    """One questionnaire that a person hands in: written down before the platform is called, and later what came of it."""

    name = models.CharField(max_length=500)
    kind = models.CharField(max_length=40)
    account_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    filename = models.CharField(max_length=255, blank=True)
    size = models.PositiveBigIntegerField(default=0)
    url = models.CharField(max_length=2000, blank=True)
    fingerprint = models.CharField(max_length=64)
    """SHA-256 of the file, or of the address as `wording.address_key` writes it."""
    file = models.FileField(upload_to=stored_name, max_length=200, blank=True)
    """Only while a person is asked about a duplicate. Never served: the storage has no address."""
    origin = models.JSONField(default=dict)
    """What else goes with it, as the platform takes it."""
    typed = models.JSONField(default=dict)
    """What stood in the form, so that it can be handed in again without typing."""
    is_repeat = models.BooleanField(default=False)
    """A person has seen what looks like it and sends it all the same."""
    seen_before = models.JSONField(default=list)
    """Ids of questionnaires of this name that were here before the call: none of them came of it."""
    begun_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    begun_by_name = models.CharField(max_length=120)
    begun_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=IntakeState.choices, default=IntakeState.SENDING)
    sent_at = models.DateTimeField(null=True)
    """When the call began. A questionnaire that is older than this cannot have come of it."""
    doubted_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True)
    """The next look for it; None once nothing is left to find out."""
    attempts = models.PositiveIntegerField(default=0)
    description = models.CharField(max_length=300, blank=True)
    """What keeps us from knowing, or why it was refused, in words for people."""
    questionnaire = models.ForeignKey(Questionnaire, on_delete=models.SET_NULL, null=True, related_name="intakes")
    successor = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    """The intake that hands it in again."""
    settled_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(IntakeQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [
            # A second click, or two people with the same file: the second one is shown the first.
            models.UniqueConstraint(
                fields=["tenant", "fingerprint"],
                condition=Q(state__in=ON_ITS_WAY, is_repeat=False),
                name="one_intake_on_its_way_per_file",
            )
        ]
        indexes = [
            models.Index(fields=["tenant", "fingerprint"], name="intakes_by_fingerprint"),
            models.Index(fields=["tenant", "state", "-id"], name="intakes_of_a_state"),
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="intakes_to_look_for"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def tone(self) -> str:
        return TONES.get(self.state, "muted")

    @property
    def is_on_its_way(self) -> bool:
        return self.state in ON_ITS_WAY

    @property
    def what(self) -> dict[str, Any]:
        """Name what was handed in, for the history. Behind the `?` of an address may stand what lets people in."""
        if self.filename:
            return {"file": self.filename, "sha256": self.fingerprint}
        return {"address": self.url.partition("?")[0].partition("#")[0]}
