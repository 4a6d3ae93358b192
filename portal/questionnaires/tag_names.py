"""How pages name the tags of questionnaires, and which of them the list can be narrowed to."""

from collections.abc import Callable, Iterable
from typing import Final

from portal.accounts.tags import NamedTag, key_of_tag, name_tags, tag_of_key
from portal.page_refresh.services import area_version, cached_for_version
from portal.questionnaires.models import Questionnaire, QuestionnaireTag

AREAS: Final = ("questionnaires", "tags")
"""What a page shows that names tags: a tag is called otherwise once the desk of tags has read it anew."""
MAX_KEPT: Final = 2000
"""So many tags are named for all pages at once; others are named where they are shown."""


def used_tags() -> dict[str, NamedTag]:
    """Return the tags that questionnaires have, by their keys. Kept until one of them or a name changes."""
    return cached_for_version(f"tags:{area_version(*AREAS)}", "of-questionnaires", _used_tags)


def _used_tags() -> dict[str, NamedTag]:
    rows = QuestionnaireTag.objects.order_by("category_id", "tag_id").values_list("category_id", "tag_id").distinct()
    return {named.key: named for named in name_tags(rows[:MAX_KEPT]).values()}


def known_key(key: str) -> str:
    """Return a tag of an address if this tenant has it, on a questionnaire or among its tags; nothing for any other."""
    return key if key and find_tag(key) else ""


def find_tag(key: str) -> NamedTag | None:
    if found := used_tags().get(key):
        return found
    tag = tag_of_key(key)
    if tag is None:
        return None
    named = name_tags([tag])[tag]
    return named if named.is_known or QuestionnaireTag.objects.of(tag).exists() else None


def tag_options(chosen: str, *, most: int) -> dict[str, str]:
    """Return the tags that can be chosen, by what they are called; one that is gone there only while it is chosen."""
    offered = sorted((each.label.casefold(), key, each.label) for key, each in used_tags().items() if not each.is_removed)
    options = {key: label for _, key, label in offered[:most]}
    if chosen and chosen not in options and (found := find_tag(chosen)):
        options[chosen] = found.label
    return options


def tags_of_rows(rows: Iterable[Questionnaire]) -> dict[int, list[NamedTag]]:
    """Name the tags of questionnaires, each by its own key. Asks nothing as long as all are among those that are kept."""
    ids = {row.pk: row.tag_ids for row in rows}
    used = used_tags()
    others = name_tags(tag for tags in ids.values() for tag in tags if key_of_tag(tag) not in used)
    return {key: [used.get(key_of_tag(tag)) or others[tag] for tag in tags] for key, tags in ids.items()}


def tag_words(tags: Iterable[NamedTag]) -> str:
    """Write tags into one cell of a file."""
    return "; ".join(tag.label for tag in tags)


def tag_links(tags: Iterable[NamedTag], link: Callable[[str], str]) -> list[dict[str, str]]:
    """Return tags as `components/tags.html` shows them; `link` takes the key of one."""
    return [{"label": tag.name, "title": tag.label, "url": link(tag.key)} for tag in tags]
