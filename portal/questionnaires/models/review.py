from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.questionnaires.models.questionnaire import Questionnaire
from portal.questionnaires.models.response import Response
from portal.questionnaires.models.standing import Verdict
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet
from portal.users.models import User

MAX_REASON_LENGTH = 2000


class ReviewQuerySet(TenantQuerySet["Review"]):
    def standing(self) -> Self:
        """Those that were not taken back."""
        return self.filter(undone_at__isnull=True)

    def newest(self) -> Self:
        """Those that count: one for each answer."""
        return self.filter(is_newest=True)

    def of_questionnaire(self, questionnaire: Questionnaire) -> Self:
        return self.filter(response__questionnaire=questionnaire)

    def of_person(self, user: User) -> Self:
        return self.filter(by=user)


class Review(TenantModel):
    """What one person said of one answer: approved, or returned with a reason. The platform knows nothing of it.

    All of them are kept; the newest counts, and only while the answer is still the one that was reviewed.
    """

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="reviews")
    verdict = models.CharField(max_length=10, choices=Verdict)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    by_name = models.CharField(max_length=120)
    at = models.DateTimeField(default=timezone.now)
    reason = models.TextField(max_length=MAX_REASON_LENGTH, blank=True)
    question_key = models.CharField(max_length=32, blank=True)
    answer_digest = models.CharField(max_length=32)
    """Of question and answer as they were."""
    answer_text = models.TextField(blank=True)
    """The answer as the reviewer read it."""
    batch = models.UUIDField(null=True)
    """Shared by those that were approved in one go."""
    is_newest = models.BooleanField(default=True)
    undone_at = models.DateTimeField(null=True)
    """When whoever said it took it back."""

    objects = TenantManager.from_queryset(ReviewQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["response"], condition=Q(is_newest=True), name="one_verdict_counts_per_answer"),
            models.CheckConstraint(
                condition=Q(verdict=Verdict.APPROVED) | ~Q(reason=""), name="an_answer_is_returned_with_a_reason"
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "response", "-id"], name="reviews_of_one_answer"),
            models.Index(
                fields=["tenant", "question_key", "answer_digest"], condition=Q(is_newest=True), name="reviews_by_question"
            ),
            models.Index(fields=["tenant", "by", "-id"], condition=Q(undone_at__isnull=True), name="reviews_of_one_person"),
        ]

    def __str__(self) -> str:
        return f"{self.get_verdict_display()} by {self.by_name}"

    @property
    def is_return(self) -> bool:
        return self.verdict == Verdict.RETURNED
