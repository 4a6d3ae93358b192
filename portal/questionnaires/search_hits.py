"""The questionnaires, and the questions in them, that a search over all desks finds."""

from collections.abc import Collection, Iterator, Mapping

from django.urls import reverse

from portal.accounts.selectors import account_names
from portal.questionnaires.models import Questionnaire, Response
from portal.saved_views.found import Found


def find_questionnaires(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words, the one that changed last first."""
    rows = Questionnaire.objects.present().first_matching(words, "-updated_at", "-id").defer("payload", "search")
    found = list(rows[:most])
    names = account_names({row.account_id for row in found if row.account_id})
    for row in found:
        note = " · ".join(filter(None, (names.get(row.account_id, ""), row.stage.label)))
        yield Found(str(row), note, reverse("questionnaires:questionnaire", args=[slug, row.platform_id]))


def find_questions(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words in questionnaires that are there, the one that came last first."""
    there = Response.objects.present().filter(questionnaire__gone_at=None)
    rows = there.first_matching(words, "-id").select_related("questionnaire")
    rows = rows.only("question", "platform_id", "questionnaire__platform_id", "questionnaire__name")
    for row in rows[:most]:
        url = reverse("questionnaires:response", args=[slug, row.questionnaire.platform_id, row.platform_id])
        yield Found(row.question, str(row.questionnaire), url)


def questionnaire_titles(ids: Collection[str]) -> Mapping[str, str]:
    """Name those of these questionnaires that are there."""
    return {
        row.platform_id: str(row)
        for row in Questionnaire.objects.present().filter(platform_id__in=ids).only("platform_id", "name")
    }


def questionnaire_url(slug: str, platform_id: str) -> str:
    return reverse("questionnaires:questionnaire", args=[slug, platform_id])
