from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from portal.questionnaires.answer_meaning import Severity
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

    def to_correct(self) -> Self:
        """Those that are settled, with customers who have yet to hear of it."""
        return self.filter(pk__in=self.filter(corrections__state="open").values("pk"))

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
    answers = models.JSONField(default=dict)
    """The keys of what the different answers say (`answer_meaning.Meaning`), each with the keys of its wordings."""
    answer_count = models.PositiveIntegerField(default=0)
    severity = models.PositiveSmallIntegerField(choices=Severity, default=Severity.WORDS)
    newest_at = models.DateTimeField()
    checked_at = models.DateTimeField()
    is_open = models.BooleanField(default=True)
    dismissed_answers = models.JSONField(default=list)
    """What the answers say that a person has settled, and their wordings: another one opens the question again.

    The wordings stay the same when the tenant's stock sentences become other ones.
    """
    right_answer = models.JSONField(default=list)
    """The one that a person has said is true, and its wordings; empty where all of them are."""
    settled_responses = models.JSONField(default=list)
    """Where customers had been told otherwise when that was said."""
    entry_id = models.BigIntegerField(null=True)
    """The library entry that was made of it; it may be gone."""
    dismissed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    dismissed_by_name = models.CharField(max_length=120, blank=True)
    dismissed_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(DriftQuerySet)()

    class Meta:
        ordering = ["severity", "-newest_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "question_key"], name="one_drift_per_question")]
        indexes = [
            models.Index(
                fields=["tenant", "is_open", "severity", "-newest_at", "-id"],
                condition=DRIFTING,
                name="drifts_most_serious_first",
            ),
            models.Index(fields=["tenant", "checked_at"], condition=DRIFTING, name="drifts_to_check"),
        ]

    def __str__(self) -> str:
        return self.question[:80]

    @property
    def severity_sign(self) -> tuple[str, str]:
        """Words and tone."""
        severity = Severity(self.severity)
        return str(severity.label), severity.tone

    @property
    def version(self) -> str:
        """Stands for the answers that a person has before them."""
        return sha256(" ".join(sorted(self.answers)).encode()).hexdigest()[:16]

    def take(self, answers: Mapping[str, Collection[str]]) -> None:
        """Take in which answers there are now, and whether somebody has to look at them."""
        self.answers = {key: sorted(wordings) for key, wordings in sorted(answers.items())}
        self.answer_count = len(self.answers)
        self.is_open = self.answer_count > 1 and not all(self._is_among(self.dismissed_answers, key) for key in self.answers)

    def is_right(self, key: str) -> bool:
        """Say whether this is the answer that a person has said is true."""
        return self._is_among(self.right_answer, key)

    def resolve(self, right: str = "", wrong: Iterable[int] = ()) -> None:
        """Take in that all answers are true, or that one of them is and these responses say otherwise."""
        self.dismissed_answers = sorted({*self.answers, *(each for wordings in self.answers.values() for each in wordings)})
        self.right_answer = [right, *self.answers[right]] if right else []
        self.settled_responses = sorted(wrong)
        self.is_open = False

    def _is_among(self, known: Collection[str], key: str) -> bool:
        return not {key, *self.answers.get(key, ())}.isdisjoint(known)


class DriftProgress(TenantModel):
    """How far the answers of a tenant have been compared: up to the questionnaire that was touched here at that moment."""

    seen_at = models.DateTimeField(default=BEGINNING)
    seen_id = models.BigIntegerField(default=0)
    stock = models.JSONField(default=list)
    """The keys of the tenant's stock sentences, which no answer is told apart by (`stock_sentences`)."""
    stock_at = models.DateTimeField(null=True)
    stock_from = models.PositiveIntegerField(default=0)
    """So many answers were read for them."""
    turn_at = models.DateTimeField(null=True)
    """When the last turn began, while there is more to do: it asks for the next one by itself."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_drift_progress_per_tenant")]

    def __str__(self) -> str:
        return f"compared up to {self.seen_at}"
