from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.tags.models.categories import Category, title_of
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

LEASE = timedelta(seconds=150)
"""A call that has not come to an end by then was cut off: its process died. Longer than any call takes."""
SENT_AGAIN_FOR = timedelta(minutes=10)
"""So long after the press a switch that did not arrive is sent again. Later others may have decided anew."""
SHOWN_FOR = timedelta(days=7)
"""So long the matrix tells of a switch that was refused or did not arrive."""


class Step(models.TextChoices):
    """sending -> done, the good way; or refused, in the platform's words.

    sending -> uncertain: the answer was lost, so the context's list is looked at: done, or sent again. -> absent: it is not
    there and the press is long ago; a person may press it again. -> closed: refused or absent, and pressed again since.
    """

    SENDING = "sending", "Being switched"
    UNCERTAIN = "uncertain", "Being checked"
    DONE = "done", "Switched"
    ABSENT = "absent", "Did not arrive"
    REFUSED = "refused", "Refused"
    CLOSED = "closed", "Retried"


ON_ITS_WAY = (Step.SENDING.value, Step.UNCERTAIN.value)
FAILED = (Step.ABSENT.value, Step.REFUSED.value)


class SwitchChangeQuerySet(TenantQuerySet["SwitchChange"]):
    """Chains of switches that people have pressed."""

    def on_their_way(self) -> Self:
        return self.filter(state__in=ON_ITS_WAY)

    def due(self, now: datetime) -> Self:
        """Those whose outcome has to be looked for now."""
        return self.on_their_way().filter(due_at__lte=now)

    def shown(self, now: datetime) -> Self:
        """Those that the matrix tells of: not settled yet, or failed lately."""
        return self.filter(Q(state__in=ON_ITS_WAY) | Q(state__in=FAILED, settled_at__gt=now - SHOWN_FOR))


class SwitchChange(TenantModel):
    """One switch that a person has pressed: written down before the platform is called, and later what came of it."""

    category = models.ForeignKey(Category, on_delete=models.CASCADE, related_name="changes")
    context = models.CharField(max_length=200)
    is_on = models.BooleanField()
    """What is wanted: that the category is used in the context, or that it is not."""
    begun_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    begun_by_name = models.CharField(max_length=120)
    state = models.CharField(max_length=10, choices=Step.choices, default=Step.SENDING)
    sent_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(null=True)
    """The next look for it; None once nothing is left to find out."""
    attempts = models.PositiveIntegerField(default=0)
    description = models.CharField(max_length=300, blank=True)
    """What keeps us from knowing, or why it was refused, in words for people."""
    settled_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(SwitchChangeQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [
            # Two clicks, or two people at the same switch: the second is told that it is on its way.
            models.UniqueConstraint(
                fields=["tenant", "category", "context"],
                condition=Q(state__in=ON_ITS_WAY),
                name="one_change_of_a_switch_on_its_way",
            )
        ]
        indexes = [
            models.Index(fields=["tenant", "category", "state"], name="switch_changes_of_category"),
            models.Index(fields=["due_at"], condition=Q(state__in=ON_ITS_WAY), name="switch_changes_to_look_for"),
        ]

    def __str__(self) -> str:
        return f"{self.category} in {title_of(self.context)}"

    @property
    def is_on_its_way(self) -> bool:
        return self.state in ON_ITS_WAY

    @property
    def wanted(self) -> str:
        return "on" if self.is_on else "off"
