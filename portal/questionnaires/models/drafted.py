"""Answers that the portal drafts, and the runs that make them. What a person types and has not saved is `draft.Draft`."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Count, Q
from django.utils import timezone

from portal.platform_writes.models import Run, RunQuerySet
from portal.questionnaires.models.questionnaire import Questionnaire
from portal.questionnaires.models.response import Response
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

DEFAULT_LEAST = 75
"""Percent: what is less sure is not drafted unless somebody asks for it."""


class DraftReason(models.TextChoices):
    """Why there is a draft, or none."""

    SAME = "same", "Same question"
    NEAR = "near", "Similar question"
    ASSEMBLED = "assembled", "Assembled from several sources"
    NOTHING = "nothing", "Nothing similar was answered before"
    UNSURE = "unsure", "Less sure than you asked for"
    CONTRARY = "contrary", "The closest answer may be to the opposite question"
    SCOPE = "scope", "The closest answer covers something else, or only part of it"
    NUMBERS = "numbers", "The closest answer lacks a figure or frequency from the question"
    TIME = "time", "The question depends on the date, and the closest answer is old"
    CONTRADICTION = "contradiction", "Sources contradict each other"
    FORM = "form", "The closest answer doesn't fit this form"
    DISMISSED = "dismissed", "The same draft was dismissed before"
    ANSWERED = "answered", "Answered in the meantime"


DRAFTED_FOR = (DraftReason.SAME, DraftReason.NEAR, DraftReason.ASSEMBLED)


class DraftState(models.TextChoices):
    """waiting -> offered or left out; offered -> accepted, edited, dismissed, superseded or removed."""

    WAITING = "waiting", "Waiting"
    LEFT_OUT = "left-out", "Not drafted"
    OFFERED = "offered", "Draft"
    ACCEPTED = "accepted", "Accepted"
    EDITED = "edited", "Edited"
    DISMISSED = "dismissed", "Dismissed"
    SUPERSEDED = "superseded", "Answered differently"
    REMOVED = "removed", "Undone"


DRAFT_TONES = {"waiting": "muted", "left-out": "muted", "offered": "info", "accepted": "good", "edited": "good"}


class DraftingRunQuerySet(RunQuerySet["DraftingRun"]):
    """Chains of drafting runs."""


class DraftingRun(Run):
    """The wish of a person that all unanswered questions of a questionnaire are drafted, and what came of it."""

    questionnaire = models.ForeignKey(Questionnaire, on_delete=models.CASCADE, related_name="drafting_runs")
    least = models.PositiveSmallIntegerField(default=DEFAULT_LEAST)
    """Percent that a draft has to reach."""
    stopped_at = models.DateTimeField(null=True)
    """When somebody ended it before its end, or undid it."""
    rewrites = models.BooleanField(default=False)
    """Drafts of similar questions are rewritten by the language model."""
    rewriting_ended = models.CharField(max_length=80, blank=True)
    """Why the model was asked no more, in words."""

    objects = TenantManager.from_queryset(DraftingRunQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["questionnaire"], condition=Q(finished_at=None), name="one_drafting_run_at_a_time"),
        ]
        indexes = [models.Index(fields=["due_at"], condition=Q(finished_at=None), name="drafting_runs_to_do")]

    def __str__(self) -> str:
        return f"Drafts at {self.least}% or more"

    @property
    def nouns(self) -> tuple[str, str]:
        return "question", "questions"


class DraftedAnswerQuerySet(TenantQuerySet["DraftedAnswer"]):
    def waiting(self) -> Self:
        return self.filter(state=DraftState.WAITING)

    def offered(self) -> Self:
        return self.filter(state=DraftState.OFFERED)

    def counts(self) -> dict[str, int]:
        """Count the rows of each state that there are any of."""
        return dict(self.order_by().values_list("state").annotate(number=Count("pk")))


class DraftedAnswer(TenantModel):
    """One question of a run, and the draft that the portal offers for it. Nothing of it is sent until a person saves it."""

    run = models.ForeignKey(DraftingRun, on_delete=models.CASCADE, related_name="items")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="drafted")
    state = models.CharField(max_length=10, choices=DraftState.choices, default=DraftState.WAITING)
    reason = models.CharField(max_length=13, choices=DraftReason.choices, blank=True)
    confidence = models.PositiveSmallIntegerField(default=0)
    values = models.JSONField(default=dict)
    """By part id, as the platform takes them."""
    sources = models.JSONField(default=list)
    """What it was made of, or what stood in its way: `{"kind": "entry" or "response", "id", "percent", "is_reversed"}`."""
    sentences = models.JSONField(default=list)
    """Where the language model has rewritten it: `{"text", "sources"}`, with the places of the sources from 0 on."""
    seen = models.CharField(max_length=64, blank=True)
    """Stands for the question and the form that it was made for: with others it counts no more."""
    made_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    objects = TenantManager.from_queryset(DraftedAnswerQuerySet)()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "response"], name="one_drafted_answer_per_question_and_run"),
            models.UniqueConstraint(fields=["response"], condition=Q(state="offered"), name="one_offered_draft_per_question"),
        ]
        indexes = [models.Index(fields=["run", "state", "id"], name="drafted_answers_of_a_state")]

    def __str__(self) -> str:
        return str(self.response)

    @property
    def tone(self) -> str:
        return DRAFT_TONES.get(self.state, "muted")

    @property
    def pill(self) -> str:
        """What its page calls it: a draft with how sure it is."""
        label = str(DraftState(self.state).label)
        return f"{label} · {self.confidence}%" if self.state == DraftState.OFFERED else label
