from typing import Self

from django.db import models

from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

MAX_NAME_LENGTH = 300
MAX_SORT_LENGTH = 150
"""An entry of an index holds both sort keys, and PostgreSQL takes 2,700 bytes of one."""
UNCATEGORIZED = "Uncategorized"


class FaqCategoryQuerySet(TenantQuerySet["FaqCategory"]):
    """Chains of categories."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)


class FaqCategory(TenantModel):
    """Our copy of a category of FAQs."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    name_sort = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(FaqCategoryQuerySet)()

    class Meta:
        ordering = ["name_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_faq_category")]
        indexes = [models.Index(fields=["tenant", "name_sort", "id"], name="faq_categories_listed")]

    def __str__(self) -> str:
        return named(self.name)


class FaqQuerySet(SearchedQuerySet["Faq"]):
    """Chains of FAQs."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)


class Faq(SearchedModel):
    """Our copy of a question that the Trust Center answers."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    question = models.TextField(blank=True)
    question_sort = models.CharField(max_length=MAX_SORT_LENGTH, blank=True)
    answer = models.TextField(blank=True)
    category_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    """The platform's id of its category; empty for one that is in none."""
    category_name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    category_sort = models.CharField(max_length=MAX_SORT_LENGTH + 1, blank=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)
    compared_at = models.DateTimeField(null=True)
    """When it was last compared with what customers were told; empty: not since it changed."""

    objects = TenantManager.from_queryset(FaqQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["category_sort", "question_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_faq")]
        indexes = [
            models.Index(fields=["tenant", "category_sort", "question_sort", "id"], name="faqs_by_category"),
            models.Index(fields=["tenant", "category_id"], name="faqs_of_category"),
            models.Index(fields=["tenant", "compared_at", "id"], name="faqs_to_compare"),
        ]

    def __str__(self) -> str:
        return named(self.question)

    @property
    def category_label(self) -> str:
        return named(self.category_name) if self.category_id else UNCATEGORIZED


def category_sort_key(category_id: str, name: str) -> str:
    """Return what FAQs are ordered by: the categories by name, and behind them what is in none."""
    return f"0{name.casefold()[:MAX_SORT_LENGTH]}" if category_id else "1"
