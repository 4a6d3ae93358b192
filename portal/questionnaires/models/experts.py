import uuid
from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.questionnaires.models.response import Response
from portal.questionnaires.stages import FINISHED
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

SIGNER = Signer(salt="portal.questionnaires.expert-link")
ASKING_SIGNER = Signer(salt="portal.questionnaires.expert-asking")
A_DAY = timedelta(days=1)
"""Nobody is reminded more often than this."""
BEFORE_DUE = timedelta(days=1)
"""So long before the inner due date the portal begins to remind by itself."""
AFTER_DUE = timedelta(days=7)
"""Who has not answered so long after it is a matter for people."""


class AskedQuerySet[Row: "QuestionAsked"](TenantQuerySet[Row]):
    def rested(self, now: datetime) -> Self:
        """Those of whom nobody was reminded in the last day."""
        return self.filter(Q(nudged_at=None) | Q(nudged_at__lte=now - A_DAY), made_at__lte=now - A_DAY)

    def pressing(self, now: datetime) -> Self:
        """Those whose inner due date is near, or has passed not long ago."""
        return self.filter(due_at__lte=now + BEFORE_DUE, due_at__gt=now - AFTER_DUE)

    def needed(self) -> Self:
        """Those whose question is still there, in a questionnaire that is not finished."""
        is_there = Q(response__gone_at=None, response__questionnaire__gone_at=None)
        return self.filter(is_there, ~Q(response__questionnaire__status__in=FINISHED))


class QuestionAsked(TenantModel):
    """What goes with a question that was put to somebody."""

    note = models.TextField(blank=True)
    """What they have to know."""
    due_at = models.DateTimeField(null=True)
    """The inner due date: before that of the questionnaire, and known in the portal alone."""
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    made_by_name = models.CharField(max_length=120)
    made_at = models.DateTimeField(default=timezone.now)
    nudged_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class AssignmentQuerySet(AskedQuerySet["Assignment"]):
    def open(self) -> Self:
        """Those whose owner still is the one who was asked, and has not answered."""
        return self.needed().filter(response__owner_id=F("owner_id"), response__is_answered=False)


class Assignment(QuestionAsked):
    """Why a question was given to its owner on the platform, and until when."""

    response = models.OneToOneField(Response, on_delete=models.CASCADE, related_name="assignment")
    owner_id = models.CharField(max_length=MAX_ID_LENGTH)
    """Whom it was said to. It counts only while the platform names the same owner."""

    objects = TenantManager.from_queryset(AssignmentQuerySet)()

    def __str__(self) -> str:
        return f"assignment of {self.response_id}"


class ExpertLinkQuerySet(AskedQuerySet["ExpertLink"]):
    def alive(self, now: datetime) -> Self:
        """Those that have not ended."""
        return self.filter(revoked_at=None, expires_at__gt=now)

    def unanswered(self) -> Self:
        return self.filter(answered_at=None)

    def unsent(self) -> Self:
        return self.filter(mailed_at=None)

    def behind(self, token: str) -> Self:
        """The link that a token was signed for; none when it was not signed here."""
        try:
            return self.filter(public_id=uuid.UUID(SIGNER.unsign(token)))
        except (BadSignature, ValueError):
            return self.none()

    def behind_all(self, token: str) -> Self:
        """The links to all questions of one asking that a token was signed for."""
        try:
            return self.filter(asking=uuid.UUID(ASKING_SIGNER.unsign(token)))
        except (BadSignature, ValueError):
            return self.none()

    def asked_with(self, link: "ExpertLink") -> Self:
        """The links to the questions that were asked together with this one, itself among them."""
        return self.filter(asking=link.asking) if link.asking else self.filter(pk=link.pk)


class ExpertLink(QuestionAsked):
    """One question put to one person who has no login here: they open the link in their mail, answer, and that is all."""

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="expert_links")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True)
    asking = models.UUIDField(null=True, db_index=True)
    """Equal for the questions that one person was asked together, so that one link opens them all; None for a single one."""
    name = models.CharField(max_length=120, blank=True)
    email = models.EmailField(max_length=254)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    mailed_at = models.DateTimeField(null=True)
    opened_at = models.DateTimeField(null=True)
    answered_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)
    """When somebody here took the answer over, or put it aside."""
    was_used = models.BooleanField(default=False, db_default=False)
    """Of a settled answer: it was put into the form."""
    seen = models.CharField(max_length=64, blank=True)
    """The fingerprint of the answer that the expert had before them."""
    values = models.JSONField(default=dict)
    """The expert's answer: part id -> value, as the platform takes it."""

    objects = TenantManager.from_queryset(ExpertLinkQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["response", "email"], condition=Q(revoked_at=None), name="one_link_per_question_and_expert"
            )
        ]
        indexes = [models.Index(fields=["tenant", "mailed_at", "id"], condition=Q(mailed_at=None), name="expert_links_to_mail")]

    def __str__(self) -> str:
        return self.name or self.email

    @property
    def token(self) -> str:
        """What stands in the address. It is made of the row and the site's key, so it is stored nowhere."""
        return SIGNER.sign(str(self.public_id))

    @property
    def asking_token(self) -> str:
        """What stands in the address of all questions of one asking; empty for a question that was asked by itself."""
        return ASKING_SIGNER.sign(str(self.asking)) if self.asking else ""

    @property
    def has_ended(self) -> bool:
        return self.revoked_at is not None or self.expires_at <= timezone.now()

    @property
    def is_needed(self) -> bool:
        """The question is still there, in a questionnaire that is not finished: `AskedQuerySet.needed` for one row."""
        questionnaire = self.response.questionnaire
        is_there = self.response.gone_at is None and questionnaire.gone_at is None
        return is_there and questionnaire.status not in FINISHED

    @property
    def is_open(self) -> bool:
        """It opens its question."""
        return not self.has_ended and self.is_needed

    @property
    def state(self) -> tuple[str, str]:
        """Words and tone for people here."""
        if self.answered_at:
            if self.settled_at:
                return "Used" if self.was_used else "Dismissed", "muted"
            return "Has answered", "good"
        if self.revoked_at:
            return "Revoked", "muted"
        if self.has_ended:
            return "Expired", "warn"
        if not self.is_needed:
            return "No longer needed", "muted"
        if self.mailed_at is None:
            return "Email on its way", "info"
        return ("Has opened it", "info") if self.opened_at else ("Waiting", "info")
