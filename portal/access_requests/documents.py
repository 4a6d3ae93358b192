"""The documents of the Trust Center by name: requests and viewers carry their ids."""

from collections.abc import Collection, Iterable, Sequence

from portal.lib.unnamed import named
from portal.trust_center.models import Resource

UNKNOWN = "Unknown document"


def summary_of(titles: Sequence[str]) -> str:
    """Name the first documents of a list and count the others; nothing for an empty list."""
    shown, others = list(titles[:2]), len(titles) - 2
    return " and ".join([", ".join(shown), f"{others} more"]) if others > 0 else ", ".join(shown)


def resource_titles(resource_ids: Iterable[str]) -> dict[str, str]:
    """Name documents; one that is not known here is said to be so, that nobody grants it unseen."""
    wanted = set(resource_ids)
    known = known_titles(wanted)
    return {each: known.get(each, UNKNOWN) for each in wanted}


def known_titles(resource_ids: Collection[str]) -> dict[str, str]:
    """Name those documents that are known here."""
    rows = Resource.objects.filter(platform_id__in=resource_ids).values_list("platform_id", "title")
    return {platform_id: named(title) for platform_id, title in rows}


def choosable_resources(also: Iterable[str] = ()) -> list[tuple[str, str]]:
    """The documents that access can be granted to: first those that were asked for, then those that are not public anyway."""
    asked = set(also)
    private = Resource.objects.present().filter(is_public=False).exclude(platform_id__in=asked)
    wanted = sorted(resource_titles(asked).items(), key=lambda pair: pair[1].casefold())
    return [*wanted, *((platform_id, named(title)) for platform_id, title in private.values_list("platform_id", "title"))]
