"""What the platform sent becomes rows. Runs in the caller's transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from portal.lib.storable import storable, storable_text
from portal.platform_api.models import knowledge as remote
from portal.tags.models import Category, Context, Use

AREA = "tags"
NAME = 300
MAX_FORMER_TAGS = 500
"""So many tags of a category that are gone are still known by name."""
READ_TAGS_EVERY = timedelta(days=1)
"""A category does not say when its tags changed: they are read one category at a time, so not with every comparison."""


@dataclass(frozen=True)
class FetchedContext:
    """The categories used in one context, and when the platform was asked for them."""

    id: str
    asked_at: datetime
    categories: Sequence[remote.TagCategory]
    problem: str = ""
    """Why the platform does not tell; then what is known so far stays."""

    def uses(self, category: Category) -> bool:
        return any(one.id == category.platform_id for one in self.categories)


def store_category(found: remote.TagCategory) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    name = storable_text(found.display_name)[:NAME]
    return _store(found.id, {"name": name, "payload": storable(found.raw), "gone_at": None})


def store_tags(fetched: remote.TagCategoryWithTags) -> bool:
    """Keep the tags of a category, and those that it had before; True when one of them is another."""
    tags = [{"id": tag.id, "name": storable_text(tag.display_name)[:NAME]} for tag in fetched.tags]
    row = Category.objects.filter(platform_id=fetched.category.id).first() or Category()
    present = {tag["id"] for tag in tags}
    missing = [tag for tag in row.tags if tag["id"] not in present]
    former = [tag for tag in row.former_tags if tag["id"] not in present]
    if _is_whole(fetched):
        former = [*missing, *former][:MAX_FORMER_TAGS]
    else:
        tags += missing
    has_changed = _store(fetched.category.id, {"tags": tags, "former_tags": former})
    Category.objects.filter(platform_id=fetched.category.id).update(tags_read_at=timezone.now())
    return has_changed


def _is_whole(fetched: remote.TagCategoryWithTags) -> bool:
    """Say whether every tag of the list could be read: of others nobody knows that they are gone."""
    listed = fetched.raw.get("tags")
    return isinstance(listed, list) and len(listed) == len(fetched.tags)


def _store(platform_id: str, columns: dict[str, Any]) -> bool:
    row = Category.objects.select_for_update().filter(platform_id=platform_id).first() or Category(platform_id=platform_id)
    if row.pk and all(getattr(row, name) == value for name, value in columns.items()):
        return False
    for name, value in columns.items():
        setattr(row, name, value)
    row.name_sort = row.name.casefold()[:NAME]
    row.search = " ".join([row.name, *(tag["name"] for tag in row.tags)]).casefold()
    row.save()
    return True


def whose_tags_are_old(found: Sequence[remote.TagCategory]) -> list[str]:
    """Name the categories whose tags were not read for a day, or never."""
    recent = Category.objects.filter(tags_read_at__gt=timezone.now() - READ_TAGS_EVERY)
    fresh = set(recent.values_list("platform_id", flat=True))
    return [one.id for one in found if one.id not in fresh]


def store_context(fetched: FetchedContext) -> bool:
    """Make the uses of a context equal to its list; True when one changed.

    The answer to an older question than the one which the rows are equal to is left out: what was pressed meanwhile is newer.
    """
    row = Context.objects.select_for_update().filter(platform_id=fetched.id).first()
    if row and fetched.asked_at <= row.asked_at:
        return False
    problem = storable_text(fetched.problem)[:NAME]
    has_changed = row is None or row.problem != problem
    row = row or Context(platform_id=fetched.id)
    row.asked_at, row.problem = fetched.asked_at, problem
    row.save()
    return (not problem and _store_uses(fetched)) or has_changed


def _unread(fetched: FetchedContext, before: set[int]) -> set[int]:
    """Return the uses that the list may have named where it could not be read: they stay as they are."""
    unread = {each.id for each in getattr(fetched.categories, "unread", ())}
    if "" in unread:
        return before
    return set(Category.objects.filter(pk__in=before, platform_id__in=unread).values_list("pk", flat=True))


def _store_uses(fetched: FetchedContext) -> bool:
    found = fetched.categories
    known = dict(Category.objects.filter(platform_id__in=[one.id for one in found]).values_list("platform_id", "pk"))
    for one in found:
        if one.id not in known:
            # It came into being since all categories were read.
            store_category(one)
            known[one.id] = Category.objects.get(platform_id=one.id).pk
    before = set(Use.objects.filter(context=fetched.id).values_list("category_id", flat=True))
    now = set(known.values()) | _unread(fetched, before)
    Use.objects.filter(context=fetched.id, category__in=before - now).delete()
    Use.objects.bulk_create([Use(category_id=key, context=fetched.id) for key in sorted(now - before)], ignore_conflicts=True)
    return before != now
