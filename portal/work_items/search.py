"""The work of several tenants, found by the words of what it is about."""

from collections.abc import Collection
from typing import Any, cast

from django.db.models import Q

from portal.search.models import SearchedModel, SearchedQuerySet
from portal.work_items.kinds import kinds

MAX_FOUND = 1000
"""Of one kind: who finds more has to say more."""


def with_words(words: str, tenant_ids: Collection[int]) -> Q:
    """Return the condition that an item of these tenants is about something with all of the words.

    Only within the scope of all tenants. Those tenants that have no such row at all are left out first, in one query for each
    table: what is found in one tenant costs the same however many there are beside it.
    """
    tenants_of: dict[type[SearchedModel], set[int]] = {}
    found = Q(pk=None)
    for kind in kinds():
        if kind.searched is None:
            continue
        model, path = kind.searched.model, kind.searched.path
        if model not in tenants_of:
            tenants_of[model] = _rows(model).tenants_with(words, list(tenant_ids))
        if tenants := tenants_of[model]:
            rows = _rows(model).filter(tenant__in=tenants).matching(words)
            objects = kind.objects().filter(tenant__in=tenants, **{f"{path}__in": rows.order_by().values("pk")})
            keys = list(objects.order_by("-pk").values_list("pk", flat=True)[:MAX_FOUND])
            found |= Q(kind=kind.name, object_id__in=keys)
    return found


def _rows(model: type[SearchedModel]) -> SearchedQuerySet[Any]:
    return cast(SearchedQuerySet[Any], model.objects.all())
