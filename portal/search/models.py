from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Self, cast

from django.db import models
from django.db.models import Case, Value, When

from portal.search.indexes import MIN_PART_LENGTH, few, looked_up, tenants_among
from portal.tenants.models import TenantModel, TenantQuerySet

LOOKED_AT = 2000
"""Rows that a word of one or two letters is looked for in, where nobody reads on through a list."""


class SearchedQuerySet[M: TenantModel](TenantQuerySet[M]):
    """Rows of which those can be found that have some words."""

    def parts_of(self, words: str) -> list[str]:
        """Return what has to be in a row's `search`, each part somewhere, for the row to have these words."""
        return words.casefold().split()

    def matching(self, words: str) -> Self:
        """Every word has to be there, in any order. Asks the index at once: what it answers decides how the rows are read."""
        return self.having(self.parts_of(words))

    def first_matching(self, words: str, *order_by: str) -> Self:
        """Give those with the words in an order that has an index, at a cost that does not grow with the table.

        Words too short for the index are looked for in the first rows of that order only.
        """
        return self.worth_a_look(words, *order_by).matching(words).order_by(*order_by)

    def tenants_with(self, words: str, tenant_ids: Sequence[int]) -> set[int]:
        """Name those of the tenants that can have a row with the words: all, if nobody knows. In their scope only."""
        found = tenants_among(self.model._meta.db_table, self.parts_of(words), tenant_ids)
        return set(tenant_ids) if found is None else found

    def worth_a_look(self, words: str, *order_by: str, of: Self | None = None) -> Self:
        """Keep the rows that may cost a look each: all where the index knows one of the words, else the first in an order.

        The first ones are those of `of`, where these rows were narrowed by something that has no index.
        """
        if any(len(part) >= MIN_PART_LENGTH for part in self.parts_of(words)):
            return self
        first = (self if of is None else of).order_by(*order_by)
        return self.filter(pk__in=first.values("pk")[:LOOKED_AT])

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


def matching_at_once(searched: Iterable[type[Any] | None], words: str) -> AbstractContextManager[None]:
    """Look for the words in all of these models at once: where none has them, `matching` asks nothing meanwhile.

    Those without an index are left out.
    """
    indexed = [model for model in searched if model is not None and issubclass(model, SearchedModel)]
    rows = {model._meta.db_table: cast(SearchedQuerySet[Any], model._default_manager.all()) for model in indexed}
    return looked_up({table: every.parts_of(words) for table, every in rows.items()})
