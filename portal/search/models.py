from typing import Self

from django.db import models
from django.db.models import Case, Value, When

from portal.search.indexes import few
from portal.tenants.models import TenantModel, TenantQuerySet


class SearchedQuerySet[M: TenantModel](TenantQuerySet[M]):
    """Rows of which those can be found that have some words."""

    def matching(self, words: str) -> Self:
        """Every word has to be there, in any order. Asks the index at once: what it answers decides how the rows are read."""
        return self.having(words.casefold().split())

    def having(self, parts: list[str]) -> Self:
        """Keep the rows whose `search` has all of these parts, as they are stored there."""
        keys = few(self.model._meta.db_table, parts)
        for part in parts:
            # PostgreSQL takes any part for rare, and would sort all rows that have it; of a condition in a CASE it assumes
            # that half of the rows meet it, and walks in the order of the list until the page is full.
            is_there = Case(When(search__contains=part, then=Value(True)), default=Value(False))
            self = self.filter(is_there) if keys is None else self.filter(search__contains=part)
        return self if keys is None else self.filter(pk__in=keys)


class SearchedModel(TenantModel):
    """A row that is found by its words. Each such table has an index of their parts beside it; see `indexes`."""

    search = models.TextField(blank=True)
    """What a search looks at, folded."""

    class Meta(TenantModel.Meta):
        abstract = True
