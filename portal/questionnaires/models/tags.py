from typing import Self

from django.db import models

from portal.accounts.tags import Tag
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet


class QuestionnaireTagQuerySet(TenantQuerySet["QuestionnaireTag"]):
    def of(self, tag: Tag) -> Self:
        category_id, tag_id = tag
        return self.filter(category_id=category_id, tag_id=tag_id)


class QuestionnaireTag(TenantModel):
    """A tag of a questionnaire that is there: what lists are narrowed by. Pages show `Questionnaire.tags`."""

    # Other indexes begin with it, and every index costs each write.
    tenant = models.ForeignKey("tenants.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    questionnaire = models.ForeignKey("questionnaires.Questionnaire", on_delete=models.CASCADE, related_name="+")
    category_id = models.CharField(max_length=MAX_ID_LENGTH)
    tag_id = models.CharField(max_length=MAX_ID_LENGTH)

    objects = TenantManager.from_queryset(QuestionnaireTagQuerySet)()

    class Meta:
        ordering = ["id"]
        constraints = [
            # In this order: those of a tag are found by it, and the tags that there are without a look at the rows.
            models.UniqueConstraint(
                fields=["tenant", "category_id", "tag_id", "questionnaire"], name="one_row_per_tag_of_a_questionnaire"
            )
        ]

    def __str__(self) -> str:
        return f"{self.category_id}/{self.tag_id}"
