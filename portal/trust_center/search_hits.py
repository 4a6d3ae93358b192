"""What of this desk a search over all desks finds, and what it offers again."""

from collections.abc import Collection, Iterator, Mapping
from urllib.parse import urlencode

from django.urls import reverse

from portal.saved_views.found import Found
from portal.trust_center.check_filters import BY_DAY
from portal.trust_center.filters import BY_ADDRESS, BY_CATEGORY, BY_NAME, BY_PLACE, NEWEST_FIRST, SORTS
from portal.trust_center.models import ContentCheck, Faq, Framework, Resource, ShownControl, Subprocessor, Subscriber, Update

MAX_TITLE_LENGTH = 120


def find_resources(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the documents with the words, by title."""
    for row in Resource.objects.present().first_matching(words, *SORTS[""]).defer("payload", "search")[:most]:
        yield Found(str(row), row.access_label, resource_url(slug, row.platform_id))


def find_faqs(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the FAQs with the words, category by category."""
    for row in Faq.objects.present().first_matching(words, *BY_CATEGORY).defer("payload", "search")[:most]:
        yield Found(str(row)[:MAX_TITLE_LENGTH], row.category_label, faq_url(slug, row.platform_id))


def find_controls(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the controls with the words, category by category."""
    for row in ShownControl.objects.present().first_matching(words, *BY_PLACE).defer("payload", "search")[:most]:
        yield Found(str(row), row.category_label, control_url(slug, row.platform_id))


def find_subprocessors(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the subprocessors with the words, by name."""
    for row in Subprocessor.objects.present().first_matching(words, *BY_NAME).defer("payload", "search")[:most]:
        yield Found(str(row), row.purpose[:MAX_TITLE_LENGTH], _in_list("trust_center:subprocessors", slug, row.name))


def find_frameworks(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the compliance frameworks with the words, by name."""
    for row in Framework.objects.present().first_matching(words, *BY_NAME).defer("payload", "search")[:most]:
        yield Found(str(row), "Compliance framework", _in_list("trust_center:frameworks", slug, row.name))


def find_updates(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the updates with the words, the newest first."""
    for row in Update.objects.present().first_matching(words, *NEWEST_FIRST).defer("payload", "search")[:most]:
        yield Found(str(row), row.category_label, update_url(slug, row.platform_id))


def find_subscribers(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the subscribers with the words, by address."""
    for row in Subscriber.objects.present().first_matching(words, *BY_ADDRESS).defer("payload", "search")[:most]:
        yield Found(str(row), "Subscriber of updates", _in_list("trust_center:subscribers", slug, row.email))


def find_checks(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give what there is to check with the words, the most urgent first."""
    for row in ContentCheck.objects.open().first_matching(words, *BY_DAY).defer("search")[:most]:
        yield Found(str(row)[:MAX_TITLE_LENGTH], row.label, check_url(slug, row))


def check_url(slug: str, row: ContentCheck) -> str:
    """Return the page of what a check is about."""
    return resource_url(slug, row.platform_id) if row.is_document else faq_url(slug, row.platform_id)


def resource_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = Resource.objects.present().filter(platform_id__in=ids).only("platform_id", "title")
    return {row.platform_id: str(row) for row in rows}


def resource_url(slug: str, platform_id: str) -> str:
    return reverse("trust_center:resource", args=[slug, platform_id])


def faq_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = Faq.objects.present().filter(platform_id__in=ids).only("platform_id", "question")
    return {row.platform_id: str(row)[:MAX_TITLE_LENGTH] for row in rows}


def faq_url(slug: str, platform_id: str) -> str:
    return reverse("trust_center:faq", args=[slug, platform_id])


def control_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = ShownControl.objects.present().filter(platform_id__in=ids).only("platform_id", "name")
    return {row.platform_id: str(row) for row in rows}


def control_url(slug: str, platform_id: str) -> str:
    return reverse("trust_center:control", args=[slug, platform_id])


def update_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = Update.objects.present().filter(platform_id__in=ids).only("platform_id", "title")
    return {row.platform_id: str(row) for row in rows}


def update_url(slug: str, platform_id: str) -> str:
    return reverse("trust_center:update", args=[slug, platform_id])


def _in_list(url_name: str, slug: str, name: str) -> str:
    """These have no page of their own: the list, narrowed to one, is where they are read."""
    return f"{reverse(url_name, args=[slug])}?{urlencode({'q': name})}"
