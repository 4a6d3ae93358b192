"""The desk's copies of a person without a login, and who has worked on a questionnaire: erased when a deletion request asks."""

import json
from functools import partial

from django.db.models import Q, TextField
from django.db.models.functions import Cast, Concat, Lower

from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import DraftedAnswer, DraftState, ExpertLink, Questionnaire, Response
from portal.questionnaires.models.drafted import DraftedAnswerQuerySet
from portal.questionnaires.models.experts import ExpertLinkQuerySet
from portal.questionnaires.services.drafted_answers import withdraw
from portal.questionnaires.services.experts import recount_asked
from portal.tenants.payloads import Payloads, register_payloads
from portal.tenants.personal_data import each_once, fold, register_holding


def erase_links(rows: ExpertLinkQuerySet) -> None:
    """Delete the links to a person, with what they have answered. The history says only that somebody was asked."""
    questions = list(rows.values_list("response_id", flat=True))
    rows.delete()
    recount_asked(questions)
    touch_areas("questionnaires")


def drafts_with(email: str) -> DraftedAnswerQuerySet:
    """Find the drafts whose text has the address: copies of what the library and earlier answers say."""
    # One database keeps other letters as they are, the other one as JSON writes them.
    has_it = Q(text__contains=fold(email)) | Q(text__contains=json.dumps(fold(email))[1:-1])
    words = Concat(Cast("values", TextField()), Cast("sentences", TextField()))
    return DraftedAnswer.objects.annotate(text=Lower(words)).filter(has_it)


def erase_drafts(rows: DraftedAnswerQuerySet) -> None:
    """Delete drafts, those that are offered as well: they can be made anew of what is left."""
    withdraw(rows, DraftState.REMOVED)
    rows.delete()


def register_personal_data() -> None:
    register_holding(
        "Questions to experts",
        rows=lambda email: ExpertLink.objects.filter(email=fold(email)),
        erase=erase_links,
        addresses=lambda: each_once(ExpertLink.objects.all(), "email"),
    )
    # None comes back by itself: a draft is made when somebody asks for it, of texts without the address.
    register_holding("Drafted answers", rows=drafts_with, erase=erase_drafts, addresses=partial(iter, ()))
    show = partial(touch_areas, "questionnaires")
    register_payloads("People named in questionnaires", Payloads(kind=Questionnaire, changed=show))
    register_payloads("People named in answers", Payloads(kind=Response, changed=show))
