"""What this desk tells the others: what tags are called. Customers and questionnaires tell their ids alone."""

from collections.abc import Mapping, Set
from typing import Final

from portal.accounts.tags import TagCategory, TagNames
from portal.lib.unnamed import named
from portal.tags.models import Category
from portal.tags.services.freshness import ask_for_tags

COLUMNS: Final = ("platform_id", "name", "tags", "former_tags", "gone_at")


def categories_named(category_ids: Set[str]) -> Mapping[str, TagCategory]:
    """Name categories and their tags, those of gone ones included: what they were called is still worth more than an id."""
    rows = Category.objects.filter(platform_id__in=category_ids).only(*COLUMNS)
    return {row.platform_id: _category_of(row) for row in rows}


def _category_of(row: Category) -> TagCategory:
    tags = {tag["id"]: named(tag["name"]) for tag in [*row.former_tags, *row.tags]}
    removed = {tag["id"] for tag in row.former_tags}
    return TagCategory(str(row), tags, frozenset(tags if row.gone_at else removed))


TAG_NAMES: Final = TagNames(fetch=categories_named, ask=ask_for_tags)
