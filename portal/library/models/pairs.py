from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from portal.library.models.entries import Entry
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet


class PairKind(models.IntegerChoices):
    """What two entries that are asked for alike have in common, the most pressing first."""

    CONFLICT = 1, "Conflict"
    SAME_ANSWER = 2, "Same answer"
    OTHER_WORDS = 3, "Worded differently"

    @property
    def tone(self) -> str:
        return {self.CONFLICT: "bad", self.SAME_ANSWER: "info", self.OTHER_WORDS: "muted"}[self]


class EntryPairQuerySet(TenantQuerySet["EntryPair"]):
    def open(self) -> Self:
        """Those that nobody has said of that both are right."""
        return self.filter(dismissed_at=None)

    def of_entries(self, *entries: Entry) -> Self:
        """Those with at least one of these entries."""
        return self.filter(Q(first__in=entries) | Q(second__in=entries))


class EntryPair(TenantModel):
    """Two entries that are asked for in nearly the same words; the first one was written first."""

    first = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    kind = models.PositiveSmallIntegerField(choices=PairKind.choices)
    score = models.FloatField()
    """How alike the questions are, from 0 to 1."""
    is_reversed = models.BooleanField(default=False)
    """One asks for the contrary of the other."""
    dismissed_at = models.DateTimeField(null=True)
    """When somebody said that both are right; the row goes when one of them changes."""
    dismissed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    objects = TenantManager.from_queryset(EntryPairQuerySet)()

    class Meta(TenantModel.Meta):
        ordering = ["kind", "-score", "id"]
        constraints = [models.UniqueConstraint(fields=["first", "second"], name="one_pair_of_two_entries")]
        indexes = [
            models.Index(
                fields=["tenant", "kind", "-score", "id"], condition=Q(dismissed_at__isnull=True), name="pairs_to_decide"
            )
        ]

    def __str__(self) -> str:
        return f"{self.first_id} and {self.second_id}"

    @property
    def pill(self) -> tuple[str, str]:
        """Words and tone."""
        kind = PairKind(self.kind)
        return str(kind.label), kind.tone

    @property
    def percent(self) -> int:
        return round(100 * self.score)
