"""The questionnaires that a search over all desks finds."""

from collections.abc import Iterator

from django.urls import reverse

from portal.accounts.selectors import account_names
from portal.questionnaires.models import Questionnaire
from portal.saved_views.found import Found


def find_questionnaires(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words, the one that changed last first."""
    rows = Questionnaire.objects.present().matching(words).order_by("-updated_at", "-id").defer("payload", "search")
    found = list(rows[:most])
    names = account_names({row.account_id for row in found if row.account_id})
    for row in found:
        note = " · ".join(filter(None, (names.get(row.account_id, ""), row.stage.label)))
        yield Found(str(row), note, reverse("questionnaires:questionnaire", args=[slug, row.platform_id]))
