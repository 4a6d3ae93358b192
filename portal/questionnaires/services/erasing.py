"""The desk's copies of a person without a login, and who has worked on a questionnaire: erased when a deletion request asks."""

from functools import partial

from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import ExpertLink, Questionnaire, Response
from portal.questionnaires.models.experts import ExpertLinkQuerySet
from portal.questionnaires.services.experts import recount_asked
from portal.tenants.payloads import Payloads, register_payloads
from portal.tenants.personal_data import each_once, fold, register_holding


def erase_links(rows: ExpertLinkQuerySet) -> None:
    """Delete the links to a person, with what they have answered. The history says only that somebody was asked."""
    questions = list(rows.values_list("response_id", flat=True))
    rows.delete()
    recount_asked(questions)
    touch_areas("questionnaires")


def register_personal_data() -> None:
    register_holding(
        "Questions to experts",
        rows=lambda email: ExpertLink.objects.filter(email=fold(email)),
        erase=erase_links,
        addresses=lambda: each_once(ExpertLink.objects.all(), "email"),
    )
    show = partial(touch_areas, "questionnaires")
    register_payloads("People named in questionnaires", Payloads(kind=Questionnaire, changed=show))
    register_payloads("People named in answers", Payloads(kind=Response, changed=show))
