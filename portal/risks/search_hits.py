"""What of this desk a search over all desks finds, and what it offers again."""

from collections.abc import Collection, Iterator, Mapping

from django.urls import reverse

from portal.risks.filters import BY_DUE_DATE, BY_TITLE
from portal.risks.models import Issue, RiskScenario
from portal.saved_views.found import Found


def find_issues(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the issues with the words, those that are due first."""
    for row in Issue.objects.present().first_matching(words, *BY_DUE_DATE).defer("payload", "search")[:most]:
        yield Found(str(row), f"{row.severity_label[0]} · {row.state[0]}", issue_url(slug, row.platform_id))


def find_scenarios(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the risk scenarios with the words, by description."""
    for row in RiskScenario.objects.present().first_matching(words, *BY_TITLE).defer("payload", "search")[:most]:
        yield Found(str(row), row.risk_id or row.review[0], scenario_url(slug, row.platform_id))


def issue_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = Issue.objects.present().filter(platform_id__in=ids).only("platform_id", "title", "readable_id")
    return {row.platform_id: str(row) for row in rows}


def issue_url(slug: str, platform_id: str) -> str:
    return reverse("risks:issue", args=[slug, platform_id])


def scenario_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = RiskScenario.objects.present().filter(platform_id__in=ids).only("platform_id", "title", "risk_id")
    return {row.platform_id: str(row) for row in rows}


def scenario_url(slug: str, platform_id: str) -> str:
    return reverse("risks:scenario", args=[slug, platform_id])
