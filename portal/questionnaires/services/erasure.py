"""The desk's copies of a person without a login, and who has worked on a questionnaire: erased when a deletion request asks.

In what people typed on the desk the address is replaced.
"""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from django.db.models import Q, TextField
from django.db.models.functions import Cast, Concat, Lower

from portal.lib.json_texts import texts_in
from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import (
    Assignment,
    BulkRun,
    DraftedAnswer,
    DraftState,
    ExpertFile,
    ExpertLink,
    Intake,
    Questionnaire,
    Response,
    Review,
)
from portal.questionnaires.models.drafted import DraftedAnswerQuerySet
from portal.questionnaires.models.experts import ExpertLinkQuerySet
from portal.questionnaires.services.drafted_answers import withdraw
from portal.questionnaires.services.experts import recount_asked
from portal.tenants.erased_people import without_mention
from portal.tenants.payloads import Payloads, register_payloads
from portal.tenants.personal_data import Rows, each_once, fold, register_holding
from portal.tenants.texts import Texts, alone, named_in, register_texts, set_text

CHANGED = partial(touch_areas, "questionnaires")
NAMES = ("name", "filename", "url", "description")


def erase_links(rows: ExpertLinkQuerySet) -> None:
    """Delete the links to a person, with what they have answered. The history says only that somebody was asked."""
    questions = list(rows.values_list("response_id", flat=True))
    rows.delete()
    recount_asked(questions)
    touch_areas("questionnaires")


def drafts_with(email: str) -> DraftedAnswerQuerySet:
    """Find the drafts whose text has the address: copies of what the library and earlier answers say."""
    drafts: DraftedAnswerQuerySet = _with_address(DraftedAnswer.objects.all(), email, "values", "sentences")
    return drafts


def _with_address(rows: Any, email: str, *columns: str) -> Any:
    """Keep the rows that may have an address in their columns of JSON."""
    # One database keeps other letters as they are, the other one as JSON writes them.
    has_it = Q(text__contains=fold(email)) | Q(text__contains=json.dumps(fold(email))[1:-1])
    words = Concat(*(Cast(column, TextField()) for column in columns))
    return rows.annotate(text=Lower(words)).filter(has_it)


def erase_drafts(rows: DraftedAnswerQuerySet) -> None:
    """Delete drafts, those that are offered as well: they can be made anew of what is left."""
    withdraw(rows, DraftState.REMOVED)
    rows.delete()


def intakes_with(email: str) -> Rows:
    """Find the questionnaires that were handed in with the address: whose it is, whom to ask."""
    pattern, likely = alone(email), _with_address(Intake.objects.order_by(), email, "origin", "typed", *NAMES)
    named = [row.pk for row in likely if any(map(pattern.search, texts_in([getattr(row, name) for name in _columns_of(row)])))]
    rows: Rows = Intake.objects.filter(pk__in=named)
    return rows


def _columns_of(intake: Intake) -> list[str]:
    """Return where an intake may name somebody. The name of one that is on its way tells whether it has arrived, and stays."""
    return ["origin", "typed", *(() if intake.is_on_its_way else NAMES)]


def erase_from_intakes(rows: Rows, email: str) -> None:
    """Take one address out of what was handed in; those of others stay."""
    for row in rows.select_for_update().order_by("pk"):
        columns = _columns_of(row)
        for name in columns:
            set_text(row, name, without_mention(getattr(row, name), email))
        row.save(update_fields=columns)
    CHANGED()


def addresses_of_intakes() -> Iterator[str]:
    seen: set[str] = set()
    for said in Intake.objects.order_by().values_list("origin", "typed", *NAMES).iterator():
        found = {each for text in texts_in(list(said)) for each in named_in(text)}
        yield from found - seen
        seen |= found


def _notes_to_others(email: str) -> Rows:
    rows: Rows = ExpertLink.objects.filter(note__contains="@").exclude(email=fold(email))
    return rows


def _files_of_others(email: str) -> Rows:
    rows: Rows = ExpertFile.objects.filter(filename__contains="@").exclude(link__email=fold(email))
    return rows


NOTES = (
    ("Notes on assigned questions", Texts(kind=Assignment, columns=("note",), changed=CHANGED)),
    ("Notes to experts", Texts(kind=ExpertLink, columns=("note",), changed=CHANGED, likely=_notes_to_others)),
    ("Names of files from experts", Texts(kind=ExpertFile, columns=("filename",), changed=CHANGED, likely=_files_of_others)),
    ("Notes of bulk changes", Texts(kind=BulkRun, columns=("note",), changed=CHANGED)),
    ("Reasons of reviews", Texts(kind=Review, columns=("reason",), changed=CHANGED)),
)


def register_personal_data() -> None:
    register_holding(
        "Questions to experts",
        rows=lambda email: ExpertLink.objects.filter(email=fold(email)),
        erase=erase_links,
        addresses=lambda: each_once(ExpertLink.objects.all(), "email"),
    )
    # None comes back by itself: a draft is made when somebody asks for it, of texts without the address.
    register_holding("Drafted answers", rows=drafts_with, erase=erase_drafts, addresses=partial(iter, ()))
    register_payloads("People named in questionnaires", Payloads(kind=Questionnaire, changed=CHANGED))
    register_payloads("People named in answers", Payloads(kind=Response, changed=CHANGED))
    register_texts(NOTES)
    register_holding(
        "Submitted questionnaires",
        rows=intakes_with,
        erase=erase_from_intakes,
        addresses=addresses_of_intakes,
        keeps_rows=True,
    )
