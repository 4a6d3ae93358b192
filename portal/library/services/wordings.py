"""Keeping the wordings of all questions, with the postings by which they are found."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from portal.lib.text_keys import key_of
from portal.library.lexicon import edition, stems
from portal.library.models import Posting, Wording
from portal.tenants.scope import all_tenants

RENEW = "portal.library.tasks.renew_wordings"
BATCH = 500
MAX_TENANTS = 100
MAX_LENGTH = 4000
"""Letters of a question. What comes behind so many is an attachment that somebody has pasted."""


def note_wordings(questions: Iterable[str]) -> None:
    """Keep the wordings of these questions that are new. Call it in the transaction that stores the questions."""
    texts = {key: text for text in questions if (key := key_of(text))}
    known = set(Wording.objects.filter(key__in=texts).values_list("key", flat=True))
    # In a fixed order: of two who store the same questions at once, neither waits for the other's rows.
    new = [_wording(key, texts[key]) for key in sorted(texts.keys() - known)]
    if not new:
        return
    Wording.objects.bulk_create(new, batch_size=BATCH, ignore_conflicts=True)
    _post(Wording.objects.filter(key__in=[each.key for each in new]))


def renew_wordings() -> bool:
    """Make the postings of some wordings anew, which were made with another lexicon; True while there are more."""
    with transaction.atomic():
        rows = list(Wording.objects.outdated().select_for_update().order_by("pk")[:BATCH])
        Posting.objects.filter(wording__in=rows).delete()
        _post(rows)
        Wording.objects.filter(pk__in=[row.pk for row in rows]).update(edition=edition())
    return len(rows) == BATCH


def tenants_with_outdated_wordings() -> list[int]:
    with all_tenants("wordings made with another edition of the lexicon are found over all tenants"):
        return list(Wording.objects.outdated().order_by().values_list("tenant_id", flat=True).distinct()[:MAX_TENANTS])


def _wording(key: str, text: str) -> Wording:
    return Wording(key=key, words=" ".join(stems(text[:MAX_LENGTH])), edition=edition())


def _post(wordings: Iterable[Wording]) -> None:
    postings: Sequence[Posting] = [Posting(wording=each, term=term) for each in wordings for term in each.terms.terms]
    Posting.objects.bulk_create(postings, batch_size=BATCH, ignore_conflicts=True)
