"""What of this desk a search over all desks finds, and what it offers again."""

from collections.abc import Collection, Iterator, Mapping

from django.urls import reverse

from portal.lib.counted import counted
from portal.people.filters import BY_NAME
from portal.people.models import Group, Person
from portal.saved_views.found import Found


def find_people(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the people with the words, by name."""
    for row in Person.objects.present().first_matching(words, *BY_NAME).defer("payload", "search")[:most]:
        yield Found(str(row), row.job_title or row.email, person_url(slug, row.platform_id))


def find_groups(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the groups with the words, by name."""
    for row in Group.objects.present().first_matching(words, *BY_NAME).defer("payload", "search")[:most]:
        yield Found(str(row), counted(row.people_count, "person", "people"), group_url(slug, row.platform_id))


def person_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = Person.objects.present().filter(platform_id__in=ids).only("platform_id", "name", "email")
    return {row.platform_id: str(row) for row in rows}


def person_url(slug: str, platform_id: str) -> str:
    return reverse("people:person", args=[slug, platform_id])


def group_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = Group.objects.present().filter(platform_id__in=ids).only("platform_id", "name")
    return {row.platform_id: str(row) for row in rows}


def group_url(slug: str, platform_id: str) -> str:
    return reverse("people:group", args=[slug, platform_id])
