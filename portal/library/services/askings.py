"""How often each wording was asked: counted by the writes that store questions, never anew."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from django.utils import timezone

from portal.library.models import Asking, Wording

BATCH = 500
COLUMNS = ("asked_count", "asked_at", "asked_as", "stale_since")


def note_asked(questions: Mapping[int, str], *, object_id: int, at: datetime) -> None:
    """Count questions that a questionnaire has asked for the first time: their keys, and those of their wordings.

    Call it in the transaction that stores them, after `note_wordings`. `object_id` is the questionnaire, `at` when it came.
    """
    counts = Counter(key for key in questions.values() if key)
    newest = {wording: question for question, wording in sorted(questions.items())}
    # In a fixed order: two questionnaires that ask the same wait for each other, and neither for ever.
    rows = list(Wording.objects.filter(key__in=counts).select_for_update().order_by("pk"))
    for row in rows:
        row.asked_count += counts[row.key]
        row.stale_since = timezone.now()
        if row.asked_at is None or at >= row.asked_at:
            row.asked_at, row.asked_as = at, newest[row.key]
    Wording.objects.bulk_update(rows, COLUMNS, batch_size=BATCH)
    askings = [Asking(wording=row, object_id=object_id) for row in rows]
    Asking.objects.bulk_create(askings, batch_size=BATCH, ignore_conflicts=True)
