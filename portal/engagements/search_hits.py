"""What of this desk a search over all desks finds, and what it offers again."""

from collections.abc import Collection, Iterator, Mapping

from django.urls import reverse

from portal.engagements.filters import BY_END
from portal.engagements.models import Engagement, EvidenceItem, InformationRequest
from portal.saved_views.found import Found

BY_DUE_DATE, BY_POSITION = ("due_sort", "id"), ("position", "id")


def find_engagements(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the audits with the words, those that end first."""
    for row in Engagement.objects.present().first_matching(words, *BY_END).defer("payload", "search")[:most]:
        yield Found(str(row), row.customer, engagement_url(slug, row.platform_id))


def find_requests(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the information requests with the words, those that are due first."""
    found = InformationRequest.objects.present().first_matching(words, *BY_DUE_DATE).select_related("engagement")
    for row in found.defer("payload", "search", "engagement__payload", "engagement__search")[:most]:
        yield Found(str(row), f"{row.engagement.customer} · {row.status_pill[0]}", request_url(slug, row))


def find_evidence(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the evidence with the words."""
    found = EvidenceItem.objects.present().first_matching(words, *BY_POSITION).select_related("engagement")
    for row in found.defer("payload", "search", "engagement__payload", "engagement__search")[:most]:
        yield Found(str(row), f"{row.engagement.customer} · {row.status_pill[0]}", evidence_url(slug, row))


def engagement_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = Engagement.objects.present().filter(platform_id__in=ids).only("platform_id", "name")
    return {row.platform_id: str(row) for row in rows}


def engagement_url(slug: str, platform_id: str) -> str:
    return reverse("engagements:requests", args=[slug, platform_id])


def request_url(slug: str, row: InformationRequest) -> str:
    return reverse("engagements:request", args=[slug, row.engagement.platform_id, row.platform_id])


def evidence_url(slug: str, row: EvidenceItem) -> str:
    return reverse("engagements:evidence_item", args=[slug, row.engagement.platform_id, row.platform_id])
