"""The desk's copies of a person without a login: counted and erased when a deletion request asks for it."""

from portal.live.services import changed
from portal.questionnaires.models import ExpertLink
from portal.questionnaires.services.experts import recount_asked
from portal.tenants.personal_data import fold, register_holding


def count_links(email: str) -> int:
    return ExpertLink.objects.filter(email=fold(email)).count()


def erase_links(email: str) -> int:
    """Delete the links to a person, with what they have answered. The history says only that somebody was asked."""
    rows = ExpertLink.objects.filter(email=fold(email))
    questions = list(rows.values_list("response_id", flat=True))
    rows.delete()
    if questions:
        recount_asked(questions)
        changed("questionnaires")
    return len(questions)


def register_personal_data() -> None:
    register_holding("Questions to experts", count=count_links, erase=erase_links)
