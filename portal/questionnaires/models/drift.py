from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

DRIFTING = Q(answer_count__gt=1)
BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


class DriftQuerySet(TenantQuerySet["Drift"]):
    def open(self) -> Self:
        return self.drifting().filter(is_open=True)

    def drifting(self) -> Self:
        return self.filter(DRIFTING)

    def dismissed(self) -> Self:
        """Those of which somebody said that every answer is right."""
        return self.drifting().filter(is_open=False)

    def matching(self, words: str) -> Self:
        """Every word has to be there, in any order."""
        for word in words.lower().split():
            self = self.filter(search__contains=word)
        return self


class Drift(TenantModel):
    """How one question was answered to customers, in questionnaires that are finished: in one way, or in different ones.

    Made of the responses and kept beside them, so that no page has to compare all answers there are.
    """

    question_key = models.CharField(max_length=32)
    question = models.TextField(blank=True)
    """Empty as long as there is one answer."""
    search = models.TextField(blank=True)
    answers = models.JSONField(default=list)
    """The keys of the different answers."""
    answer_count = models.PositiveIntegerField(default=0)
    newest_at = models.DateTimeField()
    checked_at = models.DateTimeField()
    is_open = models.BooleanField(default=True)
    dismissed_answers = models.JSONField(default=list)
    """The answers that a person has said are all right. Another one opens the question again."""
    dismissed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    dismissed_by_name = models.CharField(max_length=120, blank=True)
    dismissed_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(DriftQuerySet)()

    class Meta:
        ordering = ["-newest_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "question_key"], name="one_drift_per_question")]
        indexes = [
            models.Index(fields=["tenant", "is_open", "-newest_at", "-id"], condition=DRIFTING, name="drifts_newest_first"),
            models.Index(fields=["tenant", "checked_at"], condition=DRIFTING, name="drifts_to_check"),
        ]

    def __str__(self) -> str:
        return self.question[:80]

    @property
    def version(self) -> str:
        """Stands for the answers that a person has before them."""
        return sha256(" ".join(self.answers).encode()).hexdigest()[:16]

    def take(self, answers: Iterable[str]) -> None:
        """Take in which answers there are now, and whether somebody has to look at them."""
        self.answers = sorted(answers)
        self.answer_count = len(self.answers)
        self.is_open = self.answer_count > 1 and not set(self.answers) <= set(self.dismissed_answers)


class DriftProgress(TenantModel):
    """How far the answers of a tenant have been compared: up to the questionnaire that was touched here at that moment."""

    seen_at = models.DateTimeField(default=BEGINNING)
    seen_id = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_drift_progress_per_tenant")]

    def __str__(self) -> str:
        return f"compared up to {self.seen_at}"
