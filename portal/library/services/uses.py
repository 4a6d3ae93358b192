"""Which answers an entry went into."""

from collections.abc import Iterable

from django.db.models import F

from portal.library.lexicon import stems
from portal.library.models import Entry, EntryUse
from portal.library.services.entries import AREA, digest_of
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership

MIN_SHARE = 0.5
"""So much of an entry's words has to be in an answer that it was put into: the rest may have been rewritten."""


def is_still_in(text: str, answer: str) -> bool:
    """Say whether enough of a text's words stand in an answer that it was put into."""
    own = {*stems(text)}
    return len(own & {*stems(answer)}) >= MIN_SHARE * len(own)


def note_uses(keys: Iterable[int], *, kind: str, object_id: int, answer: str, member: Membership) -> list[int]:
    """Note that entries were put into an answer, and return those that are still in it. Call it in a transaction."""
    used = list[int]()
    for entry in Entry.objects.filter(pk__in=keys):
        if not is_still_in(entry.answer, answer):
            continue
        used.append(entry.pk)
        _, is_new = EntryUse.objects.update_or_create(
            entry=entry,
            kind=kind,
            object_id=object_id,
            defaults={"digest": digest_of(entry), "used_by": member.user},
        )
        if is_new:
            Entry.objects.filter(pk=entry.pk).update(use_count=F("use_count") + 1)
        touch_areas(AREA)
    return used
