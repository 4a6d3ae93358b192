"""Entries that are asked for alike: finding them, saying that both are right, and making one of two."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from portal.lib.text_keys import key_of
from portal.library.answers_compared import pair_kind
from portal.library.lexicon import NEGATION
from portal.library.models import Entry, EntryPair, EntryUse, Variant, Wording, labels_of
from portal.library.ranking import NEAR
from portal.library.services.entries import EntryContent, check_may_write, lock_entry, note_change, remove_entry, write_entry
from portal.library.similarity import Search
from portal.library.typed import MAX_LABELS, MAX_VARIANTS
from portal.tenants.models import Membership

MAX_PAIRS = 20
"""Of one entry. One with more is the imported list of a single question, which nobody decides pair by pair."""


@dataclass(frozen=True)
class Likeness:
    """How another entry is asked for, beside the one at hand."""

    score: float
    is_reversed: bool


def find_pairs(entry: Entry, searches: Iterable[tuple[Search, bool]]) -> Mapping[Entry, Likeness]:
    """Find the entries that are asked for in nearly the same words, for the same products and in the same language.

    `searches` are those for each way to ask for the entry, with whether it asks for the contrary.
    """
    found: dict[int, Likeness] = {}
    for search, is_reversed in searches:
        for key, wording, is_other_reversed in _askings(search.wordings):
            turns = (is_reversed, is_other_reversed, NEGATION in search.terms, NEGATION in wording.terms)
            likeness = Likeness(search.likeness(wording), sum(turns) % 2 == 1)
            if key != entry.pk and likeness.score >= max(NEAR, found[key].score if key in found else 0):
                found[key] = likeness
    nearest = sorted(found, key=lambda key: -found[key].score)[:MAX_PAIRS]
    rows = Entry.objects.own().filter(pk__in=nearest, language=entry.language).prefetch_related("labels")
    mine = _products(entry)
    return {row: found[row.pk] for row in rows if not mine or not (theirs := _products(row)) or mine & theirs}


def store_pairs(entry: Entry, pairs: Mapping[Entry, Likeness]) -> None:
    """Store the pairs of an entry in place of those of before; what somebody has decided stays decided."""
    EntryPair.objects.of_entries(entry).open().delete()
    rows = []
    for other, likeness in pairs.items():
        first, second = sorted((entry, other), key=lambda each: each.pk)
        kind = pair_kind(first, second, is_reversed=likeness.is_reversed)
        rows.append(EntryPair(first=first, second=second, kind=kind, **vars(likeness)))
    EntryPair.objects.bulk_create(rows, ignore_conflicts=True)


def dismiss_pair(pair: EntryPair, *, member: Membership) -> None:
    """Say that both entries of a pair are right, until one of them changes. Raises PermissionDenied."""
    check_may_write(member)
    with transaction.atomic():
        EntryPair.objects.filter(pk=pair.pk).update(dismissed_at=timezone.now(), dismissed_by=member.user)
        for entry in (pair.first, pair.second):
            note_change(entry, "kept_apart", "Both entries are right", member)


def merge_pair(pair: EntryPair, *, kept: Entry, seen: Sequence[str], member: Membership) -> Entry:
    """Make one entry of two: what is kept is asked for in the ways of both, has the tags of both and their uses.

    `seen` are the versions that were read, of the kept entry and of the other one.
    Raises PermissionDenied, ChangedMeanwhile, Gone, and ValidationError when there is more than one entry can have.
    """
    check_may_write(member)
    with transaction.atomic():
        # In a fixed order: two who merge the same entries wait for each other, and neither for ever.
        versions = dict(zip((kept.pk, _other(pair, kept).pk), seen, strict=True))
        locked = {each.pk: lock_entry(each, versions[each.pk]) for each in (pair.first, pair.second)}
        kept, other = locked[kept.pk], locked[_other(pair, kept).pk]
        content = _merged(kept, other, is_reversed=pair.is_reversed)
        _move_uses(other, kept)
        note_change(other, "merged", f"Merged into another entry, “{kept}”", member)
        remove_entry(other)
        write_entry(kept, content, kept.review_on)
        note_change(kept, "merged", "Another entry was merged into this one", member)
    return kept


def _other(pair: EntryPair, entry: Entry) -> Entry:
    return pair.second if pair.first_id == entry.pk else pair.first


def _merged(kept: Entry, other: Entry, *, is_reversed: bool) -> EntryContent:
    asked = [(each.question, each.is_reversed) for each in kept.variants.all()]
    asked += [
        (other.question, is_reversed),
        *((each.question, each.is_reversed != is_reversed) for each in other.variants.all()),
    ]
    variants = {key_of(question): (question, turned) for question, turned in reversed(asked)}
    variants.pop(key_of(kept.question), None)
    labels, others = labels_of(kept), labels_of(other)
    tags = {name.casefold(): name for name in reversed([*labels["tags"], *others["tags"]])}
    # One that names no product holds for all of them, and goes on to.
    products = [*dict.fromkeys([*labels["products"], *others["products"]])] if labels["products"] else []
    if len(variants) > MAX_VARIANTS or len(tags) > MAX_LABELS or len(products) > MAX_LABELS:
        raise ValidationError(f"Together they have more than {MAX_VARIANTS} ways to ask or {MAX_LABELS} tags.")
    return EntryContent(
        question=kept.question,
        short=kept.short,
        text=kept.text,
        language=kept.language,
        variants=[*reversed(variants.values())],
        tags=[*reversed(tags.values())],
        products=products,
        owner=kept.owner,
        expires_on=kept.expires_on,
    )


def _move_uses(other: Entry, kept: Entry) -> None:
    """Let the uses of one entry be those of another; an answer that both went into stays that of the kept one."""
    known = EntryUse.objects.filter(entry=kept)
    for kind, object_id in known.values_list("kind", "object_id"):
        EntryUse.objects.filter(entry=other, kind=kind, object_id=object_id).delete()
    # Not through save: when it was used stays as it is.
    EntryUse.objects.filter(entry=other).update(entry=kept)
    kept.use_count = known.count()


def _askings(wordings: Sequence[Wording]) -> list[tuple[int, Wording, bool]]:
    """Return the entries that are asked for in these wordings, each with whether it asks for the contrary."""
    rows = {row.pk: row for row in wordings}
    asked = [(key, rows[place], False) for key, place in Entry.objects.filter(wording__in=rows).values_list("pk", "wording")]
    turned = Variant.objects.filter(wording__in=rows).values_list("entry", "wording", "is_reversed")
    return asked + [(key, rows[place], is_reversed) for key, place, is_reversed in turned]


def _products(entry: Entry) -> set[str]:
    return {*labels_of(entry)["products"]}
