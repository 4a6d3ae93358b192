"""Have the tags of a category read when an object has one that is not known here: no event tells of a new tag."""

from collections.abc import Set
from datetime import timedelta

from django.utils import timezone

from portal.accounts.tags import Tag
from portal.sync.services import mark_many
from portal.tags.models import TAGS, Category

ASKED_AGAIN = timedelta(hours=1)
"""So long after they were read nobody asks again: an object may name a tag that the platform itself does not list."""


def ask_for_tags(tags: Set[Tag]) -> None:
    """Mark the categories stale that lack one of these tags. Categories that are not known come with the next comparison."""
    due = timezone.now() - ASKED_AGAIN
    rows = Category.objects.present().filter(platform_id__in={category_id for category_id, _ in tags}, tags_read_at__lt=due)
    known = {row.platform_id: {tag["id"] for tag in row.tags} for row in rows.only("platform_id", "tags")}
    mark_many(TAGS, {category_id for category_id, tag_id in tags if tag_id not in known.get(category_id, {tag_id})})
