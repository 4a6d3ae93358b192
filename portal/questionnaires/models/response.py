from functools import cached_property
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from portal.lib.unnamed import named
from portal.library.models import MAX_THEME
from portal.platform_api import models as remote
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.questionnaires.answers import Answer, person_name, words
from portal.questionnaires.models.questionnaire import Questionnaire
from portal.questionnaires.models.standing import NEWEST, SIGNS, STANDING, Standing
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager

ORIGINS = {
    "AI": "Platform draft",
    "ANSWER_LIBRARY": "Answer library",
    "MANUAL": "Written by a person",
    "ORIGINAL_QUESTIONNAIRE": "Prefilled",
    "RESOURCE": "From a document",
}
LISTS = {
    "unanswered": Q(is_answered=False),
    "answered": Q(is_answered=True) & ~Q(standing=Standing.APPROVED),
    "returned": Q(standing=Standing.RETURNED),
    "approved": Q(standing=Standing.APPROVED),
    "changed": Q(is_changed=True),
    "pending": Q(is_pending=True),
    "asked": Q(asked__gt=""),
    "drafted": Q(draft_confidence__isnull=False, is_answered=False),
}
"""The lists beside the answer, of rows that know their standing (`reviewed`)."""
SHOWN_AS_STANDING = (Standing.RETURNED, Standing.APPROVED, Standing.CHANGED)


class Asked(models.TextChoices):
    """Whether somebody without a login has been asked, and has answered."""

    NOBODY = "", "No one was asked"
    WAITING = "waiting", "Asked"
    ANSWERED = "answered", "Expert answered"


REMEMBERED = Q(is_answered=True, gone_at__isnull=True)
APPROVED_THERE = REMEMBERED & Q(is_approved=True)


class ResponseQuerySet(SearchedQuerySet["Response"]):
    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def remembered(self) -> Self:
        """The answers that can be given again (`memory`)."""
        return self.filter(REMEMBERED)

    def reviewed(self) -> Self:
        """Let each row know its standing, from the newest verdict of a reviewer."""
        return self.alias(newest=NEWEST).annotate(standing=STANDING)

    def approved(self) -> Self:
        """Those that count as approved, here or on the platform."""
        return self.reviewed().filter(Q(standing=Standing.APPROVED))

    def shown_as(self, which: str) -> Self:
        """Narrow to one of the lists beside the answer; the rows know their standing."""
        return self.filter(LISTS.get(which, Q()))

    def of_person(self, owner_name: str) -> Self:
        # The platform tells a name and an id of its own, never a mail address, so the name is what the two sides share.
        return self.filter(owner_name__iexact=owner_name)


class Response(SearchedModel):
    """Our copy of one question of a questionnaire with its answer."""

    # Other indexes begin with it, and every index costs each write.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    questionnaire = models.ForeignKey(Questionnaire, on_delete=models.CASCADE, related_name="responses")
    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    position = models.PositiveIntegerField()
    question = models.TextField()
    label = models.CharField(max_length=80, blank=True)
    section_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    owner_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    owner_name = models.CharField(max_length=200, blank=True)
    is_pending = models.BooleanField(default=False)
    is_answered = models.BooleanField(default=False)
    is_approved = models.BooleanField(default=False)
    is_changed = models.BooleanField(default=False)
    """A person had a hand in the answer: a reviewer reads these first."""
    origin = models.CharField(max_length=80, blank=True)
    question_key = models.CharField(max_length=32, blank=True)
    """Equal for two questions of the same words (`wording.key_of`)."""
    answer_text = models.TextField(blank=True)
    """The answer as people read it, for the search (`fulltext`)."""
    answer_key = models.CharField(max_length=32, blank=True)
    theme = models.CharField(max_length=MAX_THEME, blank=True, db_default="")
    """What it is about (`library.themes`), so that all questions of a theme can be put to whoever knows."""
    asked = models.CharField(max_length=10, blank=True, choices=Asked.choices)
    """Where the links to this question stand (`expert.ExpertLink`)."""
    draft_confidence = models.PositiveSmallIntegerField(null=True)
    """Percent of the draft that the portal offers for it (`drafted.DraftedAnswer`)."""
    answer_digest = models.CharField(max_length=32, blank=True)
    """Equal for two answers of the very same text (`Answer.digest`)."""
    payload = models.JSONField(default=dict)
    read_at = models.DateTimeField(default=timezone.now)
    """When the platform was asked for what is stored here; an answer to an earlier question never overwrites it."""
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(ResponseQuerySet)()

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["questionnaire", "platform_id"], name="one_copy_per_response"),
        ]
        indexes = [
            models.Index(fields=["tenant", "questionnaire", "position", "id"], name="responses_in_order"),
            models.Index(fields=["tenant", "question_key", "-id"], name="responses_by_question", condition=REMEMBERED),
            models.Index(
                fields=["tenant", "question_key", "answer_digest"], name="responses_approved_there", condition=APPROVED_THERE
            ),
        ]

    def __str__(self) -> str:
        return self.question[:80]

    standing = ""
    """Where it stands in the review (`standing.Standing`); only rows that were asked for with `reviewed` know it."""

    @cached_property
    def remote(self) -> remote.Response:
        """The object as the platform last sent it."""
        return remote.Response.read(self.payload)

    @property
    def answer(self) -> Answer:
        return Answer(self.remote)

    @property
    def origin_label(self) -> str:
        return ORIGINS.get(self.origin, self.origin)

    @property
    def editor(self) -> str:
        return person_name(self.remote.edited_by)

    @property
    def approver(self) -> str:
        return person_name(self.remote.approved_by)

    @property
    def evidence(self) -> list[str]:
        """The names of the files that people attached."""
        documents = [entry.get("uploadedDocument") for entry in self.remote.attached_evidence or []]
        return [named(words(document.get("filename"))) for document in documents if isinstance(document, dict)]

    @property
    def state(self) -> tuple[str, str]:
        """Words and tone for the list beside the answer."""
        if self.is_pending:
            return "Being written", "info"
        if self.standing in SHOWN_AS_STANDING:
            return self.review_sign
        if self.is_approved:
            return "Approved", "good"
        if self.asked:
            return Asked(self.asked).label, "info" if self.asked == Asked.WAITING else "warn"
        if self.draft_confidence is not None and not self.is_answered:
            return f"Draft · {self.draft_confidence}%", "info"
        return ("Answered", "accent") if self.is_answered else ("Unanswered", "muted")

    @property
    def review_sign(self) -> tuple[str, str]:
        """Words and tone for where it stands in the review."""
        return SIGNS[Standing(self.standing)]
