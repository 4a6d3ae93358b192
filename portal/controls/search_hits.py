"""What of this desk a search over all desks finds, and what it offers again."""

from collections.abc import Collection, Iterator, Mapping

from django.urls import reverse

from portal.controls.filters import BY_NAME
from portal.controls.models import DeactivatedControl, Framework, Test
from portal.lib.platform_choices import readable
from portal.saved_views.found import Found
from portal.trust_center.models import Control


def find_controls(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the controls in use with the words, by name."""
    for row in Control.objects.present().first_matching(words, *BY_NAME).defer("search", "description")[:most]:
        yield Found(str(row), row.external_id or readable(row.domain), control_url(slug, row.platform_id))


def find_deactivated(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the controls out of use with the words, by name."""
    rows = DeactivatedControl.objects.present().first_matching(words, *BY_NAME).defer("search", "description")
    for row in rows[:most]:
        yield Found(str(row), readable(row.domain), control_url(slug, row.platform_id))


def find_frameworks(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the frameworks with the words, by name."""
    for row in Framework.objects.present().first_matching(words, *BY_NAME).defer("search", "description")[:most]:
        yield Found(str(row), row.shorthand, framework_url(slug, row.platform_id))


def find_tests(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the tests with the words, by name."""
    for row in Test.objects.present().first_matching(words, *BY_NAME).defer("search", "description")[:most]:
        yield Found(str(row), row.state[0], test_url(slug, row.platform_id))


def control_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = Control.objects.present().filter(platform_id__in=ids).only("platform_id", "name")
    spare = DeactivatedControl.objects.present().filter(platform_id__in=ids).only("platform_id", "name")
    return {row.platform_id: str(row) for row in (*spare, *rows)}


def control_url(slug: str, platform_id: str) -> str:
    return reverse("controls:control", args=[slug, platform_id])


def framework_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = Framework.objects.present().filter(platform_id__in=ids).only("platform_id", "name", "shorthand")
    return {row.platform_id: str(row) for row in rows}


def framework_url(slug: str, platform_id: str) -> str:
    return reverse("controls:framework", args=[slug, platform_id])


def test_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = Test.objects.present().filter(platform_id__in=ids).only("platform_id", "name")
    return {row.platform_id: str(row) for row in rows}


def test_url(slug: str, platform_id: str) -> str:
    return reverse("controls:test", args=[slug, platform_id])
