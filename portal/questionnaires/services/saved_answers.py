"""What is written down once an answer is saved: what became of its draft, which texts it was made of, and the time it took."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from portal.lib.row_keys import row_keys
from portal.library.services import is_still_in
from portal.questionnaires.library_uses import note_inserted
from portal.questionnaires.models import OF_DRAFTS, AnswerOrigin, DraftState, LastSave, Response, SavedAnswer
from portal.questionnaires.services.drafted_answers import settle_draft, show_drafts
from portal.tenants.models import Membership

WORK_GAP = timedelta(minutes=10)
"""A person who saves two answers within this time worked on the second in between, in whichever questionnaires they are.

Longer gaps are set aside whole, and so is what was read and written before the first save: nobody can tell what was done then.
The sum is thus the least that people spent, and no minute of a person counts twice.
"""
MAX_INSERTED = 20
"""Earlier answers that one answer is compared with."""
ORIGIN_OF_DRAFT = {DraftState.ACCEPTED: AnswerOrigin.ACCEPTED, DraftState.EDITED: AnswerOrigin.EDITED}


@dataclass(frozen=True, kw_only=True)
class Inserted:
    """What the form says that the answer was made of: keys as the browser sent them."""

    drafted: str = ""
    entries: Collection[str] = field(default_factory=tuple)
    earlier: Collection[str] = field(default_factory=tuple)


@transaction.atomic
def note_save(
    before: Response,
    saved: Response,
    *,
    inserted: Inserted,
    parts: Mapping[str, Any],
    member: Membership,
    is_timed: bool = True,
) -> None:
    """Write down what an answer was made of; `before` is the row as it was, `parts` is what was saved.

    `is_timed`: a person has pressed Save for this one answer, so the time since their save before was spent on it.
    """
    state, of_draft = settle_draft(saved, inserted.drafted, parts=parts, member=member)
    used = note_inserted(saved, row_keys(inserted.entries) | {*of_draft}, member=member)
    if not parts:
        return
    known = SavedAnswer.objects.select_for_update().filter(response=saved).first()
    row = known or SavedAnswer(response=saved)
    origin, is_of_library = _origin_of(
        row if known else None, before, saved, inserted=inserted, state=state, is_used=bool(used)
    )
    row.origin, row.is_of_library, row.digest = origin, is_of_library, saved.answer_digest
    if is_timed:
        row.seconds += _seconds_since_last_save(member)
    row.save()
    show_drafts([saved.questionnaire_id])


def _origin_of(
    known: SavedAnswer | None,
    before: Response,
    saved: Response,
    *,
    inserted: Inserted,
    state: DraftState | None,
    is_used: bool,
) -> tuple[AnswerOrigin, bool]:
    """Say what an answer was made of, and whether the library is in it."""
    if state in ORIGIN_OF_DRAFT:
        return ORIGIN_OF_DRAFT[state], is_used
    # A correction of what stood there keeps where it came from, as long as enough of it is left.
    is_kept = known is not None and known.digest == before.answer_digest and is_still_in(before.answer_text, saved.answer_text)
    if known and is_kept and known.origin in OF_DRAFTS:
        return AnswerOrigin.EDITED, is_used or known.is_of_library
    if is_used:
        return AnswerOrigin.LIBRARY, True
    earlier = Response.objects.filter(pk__in=row_keys(inserted.earlier))[:MAX_INSERTED]
    if any(is_still_in(each.answer_text, saved.answer_text) for each in earlier):
        return AnswerOrigin.EARLIER, False
    return (AnswerOrigin(known.origin), known.is_of_library) if known and is_kept else (AnswerOrigin.HAND, False)


def _seconds_since_last_save(member: Membership) -> int:
    """Note that a person has saved now; return the time since their save before, none when that is long ago."""
    now = timezone.now()
    last, is_first = LastSave.objects.select_for_update().get_or_create(user=member.user, defaults={"saved_at": now})
    gap = now - last.saved_at
    LastSave.objects.filter(pk=last.pk).update(saved_at=now)
    return 0 if is_first or gap > WORK_GAP else max(int(gap.total_seconds()), 0)
