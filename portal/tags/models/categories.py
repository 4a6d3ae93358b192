from typing import Self

from django.db import models

from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel

CATEGORY, TAGS, CONTEXT = "tag_category", "category_tags", "product_context"
"""The kinds in stale marks."""
CONTEXTS = {
    "EXTERNAL_TRUST_CENTER": "Trust Center",
    "DOCUMENT_SHARING": "Document sharing",
    "CONTROL_SHARING": "Control sharing",
    "QUESTIONNAIRE": "Questionnaires",
}
"""What the platform's product contexts are called here. An open set: others are shown as they came (platform-api 4.3)."""
READ_ONLY = {"QUESTIONNAIRE": "Changed on the platform's own pages only: read-only through the API."}
"""Contexts that the platform lets be read and not written, and why nothing can be pressed there."""
UNKNOWN = "The portal doesn't know what this context is for, so it is read-only here."


class CategoryQuerySet(SearchedQuerySet["Category"]):
    """Chains of tag categories."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def gone(self) -> Self:
        return self.filter(gone_at__isnull=False)


class Category(SearchedModel):
    """Our copy of one of the platform's tag categories, with its tags. Only the platform's own pages make and change them."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=300, blank=True)
    name_sort = models.CharField(max_length=300, blank=True)
    """The name, folded: a list that begins with the capitals is no alphabet."""
    tags = models.JSONField(default=list)
    """Of each tag its `id` and its `name`."""
    former_tags = models.JSONField(default=list)
    """The same of those that the platform has no more: objects may still have them, and their names are worth more than ids."""
    tags_read_at = models.DateTimeField(null=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(CategoryQuerySet)()

    class Meta:
        ordering = ["name_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_tag_category")]
        indexes = [models.Index(fields=["tenant", "name_sort", "id"], name="tag_categories_listed")]

    def __str__(self) -> str:
        return named(self.name)


class Context(TenantModel):
    """One of the platform's product contexts, and when its list of categories was read."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    asked_at = models.DateTimeField()
    """When the list that our rows are equal to was asked for. An answer to an older question is left out (guarantee Q11)."""
    problem = models.CharField(max_length=300, blank=True)
    """Why the platform does not tell its categories, in words for people."""

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_product_context")]

    def __str__(self) -> str:
        return title_of(self.platform_id)


class Use(TenantModel):
    """A category that is used in a context. Where there is no row it is not."""

    category = models.ForeignKey(Category, on_delete=models.CASCADE, related_name="uses")
    context = models.CharField(max_length=200)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "category", "context"], name="one_use_of_a_category_per_context")
        ]
        indexes = [models.Index(fields=["tenant", "context", "category"], name="categories_used_in_context")]

    def __str__(self) -> str:
        return f"{self.category} in {title_of(self.context)}"


def title_of(context: str) -> str:
    """Call a context; one that is not known here by the platform's own word."""
    return CONTEXTS.get(context, context)


def why_fixed(context: str) -> str:
    """Say why nothing can be pressed in a context; empty where switches are."""
    return READ_ONLY.get(context, "" if context in CONTEXTS else UNKNOWN)
