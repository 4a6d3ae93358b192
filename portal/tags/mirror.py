"""How tag categories, their tags and the contexts they are used in are read. No event tells of any: the comparison does.

A category does not tell its contexts, so each context has a list of its own (platform-api 4.3): a page of the second mirror is
the whole list of one context, and its cursor is the name of the next one.
"""

from collections.abc import Sequence

from django.utils import timezone

from portal.platform_api import Page, Platform
from portal.platform_api.models import knowledge as remote
from portal.platform_api.paging import whole_list
from portal.sync.mirrors import Mirror, names_of_rows
from portal.sync.services import mark_many
from portal.tags.models import CATEGORY, CONTEXT, CONTEXTS, TAGS, Category, Context
from portal.tags.services.store import (
    AREA,
    FetchedContext,
    store_category,
    store_context,
    store_tags,
    whose_tags_are_old,
)
from portal.tags.services.verification import fetch_context


def fetch_category(client: Platform, category_id: str) -> remote.TagCategory:
    return client.tag_categories.get(category_id).category


def all_categories(client: Platform, _: str | None) -> Page[remote.TagCategory]:
    """The list comes in one piece."""
    return whole_list(client.tag_categories.all())


def mark_tags(found: Sequence[remote.TagCategory]) -> None:
    mark_many(TAGS, whose_tags_are_old(found))


def has_category(category_id: str) -> bool:
    return Category.objects.filter(platform_id=category_id).exists()


def mark_category_gone(category_id: str) -> bool:
    return bool(Category.objects.present().filter(platform_id=category_id).update(gone_at=timezone.now()))


def known_categories() -> set[str]:
    return set(Category.objects.present().values_list("platform_id", flat=True))


def fetch_tags(client: Platform, category_id: str) -> remote.TagCategoryWithTags:
    return client.tag_categories.get(category_id)


def page_of_contexts(client: Platform, cursor: str | None) -> Page[FetchedContext]:
    """Read the list of one context: of those that are known here, then of others that our rows hold."""
    contexts = contexts_to_read()
    current = cursor if cursor in contexts else contexts[0]
    following = contexts[contexts.index(current) + 1 :]
    return Page([fetch_context(client, current)], following[0] if following else None)


def contexts_to_read() -> list[str]:
    others = Context.objects.exclude(platform_id__in=CONTEXTS).values_list("platform_id", flat=True)
    return [*CONTEXTS, *others]


def has_context(context: str) -> bool:
    return Context.objects.filter(platform_id=context).exists()


MIRRORS = (
    Mirror(
        kind=CATEGORY,
        names=names_of_rows(Category),
        title="Tag categories",
        area=AREA,
        fetch=fetch_category,
        before_save=mark_tags,
        save=store_category,
        mark_gone=mark_category_gone,
        has=has_category,
        page=all_categories,
        known=known_categories,
        has_events=False,
    ),
    Mirror(
        kind=TAGS,
        names=names_of_rows(Category),
        title="Tags",
        area=AREA,
        fetch=fetch_tags,
        save=store_tags,
        # Whether the category itself is gone the comparison of all of them tells.
        mark_gone=lambda _: False,
        has=has_category,
        identify=lambda fetched: fetched.category.id,
        is_named_in_lists=True,
    ),
    Mirror(
        kind=CONTEXT,
        title="Where tag categories are used",
        area=AREA,
        fetch=fetch_context,
        save=store_context,
        # A context has no object that could be gone; one that the platform knows no more says so in its own row.
        mark_gone=lambda _: False,
        has=has_context,
        page=page_of_contexts,
        has_events=False,
    ),
)
