from typing import Self

from django.conf import settings
from django.db import models

from portal.questionnaires.models.response import Response
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet
from portal.users.models import User


class DraftQuerySet(TenantQuerySet["Draft"]):
    def of(self, response: Response, user: User) -> Self:
        return self.filter(response=response, user=user)


class Draft(TenantModel):
    """What a person has typed into an answer and not saved yet (guarantee W2). Nobody else sees it."""

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="drafts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    seen = models.CharField(max_length=64)
    """The fingerprint of the answer that the person had before them."""
    typed = models.JSONField(default=dict)
    """Part id -> what stands in its control, as a browser sends it; only the parts that were touched.

    For a part that was gone already when it was typed: the name of its control.
    """
    typed_at = models.DateTimeField(auto_now=True)

    objects = TenantManager.from_queryset(DraftQuerySet)()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["response", "user"], name="one_draft_per_person_and_response")]

    def __str__(self) -> str:
        return f"draft of {self.response_id}"
