"""How the answers that were saved here came about, and the time between saves."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from portal.questionnaires.models.response import Response
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet


class AnswerOrigin(models.TextChoices):
    """What a saved answer was made of."""

    ACCEPTED = "accepted", "Draft, accepted unchanged"
    EDITED = "edited", "Draft, edited"
    LIBRARY = "library", "Inserted from the library"
    EARLIER = "earlier", "Inserted from an earlier answer"
    HAND = "hand", "Written by hand"


OF_DRAFTS = (AnswerOrigin.ACCEPTED, AnswerOrigin.EDITED)


class SavedAnswerQuerySet(TenantQuerySet["SavedAnswer"]):
    """Chains of saved answers."""


class SavedAnswer(TenantModel):
    """How the answer came about that a person saved here last, one row per question."""

    response = models.OneToOneField(Response, on_delete=models.CASCADE, related_name="saved_answer")
    origin = models.CharField(max_length=10, choices=AnswerOrigin.choices)
    is_of_library = models.BooleanField(default=False)
    """An entry of the library is in it, inserted by a person or by a draft."""
    digest = models.CharField(max_length=32)
    """`Response.answer_digest` as it was saved: with another one the row says nothing of the answer any more."""
    seconds = models.PositiveIntegerField(default=0)
    """The time that was counted for its saves (`services.saving.WORK_GAP`)."""

    objects = TenantManager.from_queryset(SavedAnswerQuerySet)()

    class Meta(TenantModel.Meta):
        ordering = ["id"]

    def __str__(self) -> str:
        return self.get_origin_display()


class LastSave(TenantModel):
    """When a person saved an answer last, of any questionnaire: what lies between two saves is counted once."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    saved_at = models.DateTimeField(default=timezone.now)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "user"], name="one_last_save_per_person")]

    def __str__(self) -> str:
        return str(self.saved_at)
