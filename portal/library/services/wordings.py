"""Keeping the wordings of all questions, and the postings by which wordings and answers of entries are found."""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from portal.lib.text_keys import key_of
from portal.library.lexicon import NEGATION, edition, stems
from portal.library.models import AnswerPosting, Entry, Passage, PassagePosting, Posting, Variant, Wording
from portal.library.terms import Terms, terms_of
from portal.tenants.scope import all_tenants

RENEW = "portal.library.tasks.renew_postings"
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
    _post_wordings(Wording.objects.filter(key__in=[each.key for each in new]))


def post_answers(entries: Iterable[Entry]) -> None:
    """Make the postings of these entries' answers. Call it in the transaction that stores them."""
    rows = list(entries)
    AnswerPosting.objects.filter(entry__in=rows).delete()
    postings = [AnswerPosting(entry=each, term=term) for each in rows for term in _posted(terms_of(each.answer))]
    AnswerPosting.objects.bulk_create(postings, batch_size=BATCH)
    Entry.objects.filter(pk__in=[row.pk for row in rows]).update(edition=edition(), stale_since=timezone.now())


def renew_postings() -> bool:
    """Make some postings anew that were made with another edition of the lexicon; True while there are more."""
    with transaction.atomic():
        wordings = list(Wording.objects.outdated().select_for_update().order_by("pk")[:BATCH])
        Posting.objects.filter(wording__in=wordings).delete()
        _post_wordings(wordings)
        renewed = Wording.objects.filter(pk__in=[row.pk for row in wordings])
        renewed.update(edition=edition())
        renewed.mark_stale()
        entries = list(Entry.objects.outdated().select_for_update().order_by("pk")[:BATCH])
        _name_wordings(entries)
        post_answers(entries)
        passages = list(Passage.objects.outdated().select_for_update().order_by("pk")[:BATCH])
        PassagePosting.objects.filter(passage__in=passages).delete()
        post_passages(passages)
        Passage.objects.filter(pk__in=[row.pk for row in passages]).update(edition=edition())
    return BATCH in (len(wordings), len(entries), len(passages))


def _name_wordings(entries: Iterable[Entry]) -> None:
    """Name the wordings of entries and variants again: they go with the copy of the platform's data, and entries stay."""
    variants = Variant.objects.filter(entry__in=entries, wording=None)
    rows: list[Entry | Variant] = [*(each for each in entries if each.wording_id is None), *variants]
    note_wordings(row.question for row in rows)
    found = {row.key: row for row in Wording.objects.filter(key__in=[key_of(row.question) for row in rows])}
    for row in rows:
        type(row)._default_manager.filter(pk=row.pk).update(wording=found.get(key_of(row.question)))


def tenants_with_outdated_postings() -> list[int]:
    with all_tenants("postings made with another edition of the lexicon are found over all tenants"):
        found = (
            rows.order_by().values_list("tenant_id", flat=True).distinct()[:MAX_TENANTS]
            for rows in (Wording.objects.outdated(), Entry.objects.outdated(), Passage.objects.outdated())
        )
        return sorted({tenant_id for each in found for tenant_id in each})


def _wording(key: str, text: str) -> Wording:
    return Wording(key=key, words=" ".join(stems(text[:MAX_LENGTH])), edition=edition())


def _post_wordings(wordings: Iterable[Wording]) -> None:
    postings = [Posting(wording=each, term=term) for each in wordings for term in _posted(each.terms)]
    Posting.objects.bulk_create(postings, batch_size=BATCH, ignore_conflicts=True)


def post_passages(passages: Iterable[Passage]) -> None:
    """Make the postings of these passages of documents. Call it in the transaction that stores them."""
    postings = [PassagePosting(passage=each, term=term) for each in passages for term in _posted(each.terms)]
    PassagePosting.objects.bulk_create(postings, batch_size=BATCH)


def _posted(terms: Terms) -> list[str]:
    return [term for term in terms if term != NEGATION]
