"""What the answer library is told of this desk: where its entries went, and answers that are worth keeping."""

from collections.abc import Collection, Mapping

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from portal.library.models import MAX_ANSWER, MAX_QUESTION, MAX_SHORT, Entry, Origin
from portal.library.services import EntryWords, add_entry, note_uses
from portal.library.typed import REVIEW_AFTER
from portal.library.uses import UsedIn
from portal.questionnaires.answers import Kind
from portal.questionnaires.models import Response
from portal.tenants.models import Membership

RESPONSE = "response"
CHOSEN = (Kind.CHOICE, Kind.CHOICES, Kind.BOOLEAN, Kind.NUMBER)


def used_in(keys: Collection[int], slug: str) -> Mapping[int, UsedIn]:
    """Say of answers what they are of, for the pages of the library."""
    rows = Response.objects.present().filter(pk__in=keys).select_related("questionnaire").defer("payload")
    return {
        row.pk: UsedIn(
            title=str(row.questionnaire),
            url=reverse("questionnaires:response", args=[slug, row.questionnaire.platform_id, row.platform_id]),
            at=row.questionnaire.completed_at,
        )
        for row in rows
    }


def note_inserted(response: Response, inserted: Collection[str], *, member: Membership) -> None:
    """Note which entries a saved answer was made of; `inserted` is what the form said was put into it."""
    keys = {int(key) for key in inserted if key.isascii() and key.isdecimal() and len(key) < 19}
    if keys:
        with transaction.atomic():
            note_uses(keys, kind=RESPONSE, object_id=response.pk, answer=response.answer_text, member=member)


def keep_answer(response: Response, *, member: Membership) -> tuple[Entry, bool]:
    """Keep an answer in the library; return its entry, and whether it is new: a question that is there already stays as it is.

    Raises PermissionDenied.
    """
    with transaction.atomic():
        if known := Entry.objects.worded([response.question_key]).order_by("pk").first():
            return known, False
        chosen = [part.words for part in response.answer.parts if part.kind in CHOSEN and not part.is_empty(part.value)]
        short = ", ".join(" ".join(words.split()) for words in chosen)
        is_short = len(short) <= MAX_SHORT
        rest = [text for _, text in response.answer.given if not (is_short and text in chosen)]
        words = EntryWords(
            question=response.question[:MAX_QUESTION],
            short=short if is_short else "",
            text="\n\n".join(rest)[:MAX_ANSWER],
            owner=member.user,
        )
        entry = add_entry(words, member=member, origin=Origin.ANSWER, review_on=timezone.localdate() + REVIEW_AFTER)
        note_uses([entry.pk], kind=RESPONSE, object_id=response.pk, answer=response.answer_text, member=member)
    return entry, True
