"""Which answers an entry went into."""

from collections.abc import Iterable

from django.db.models import F

from portal.library.lexicon import stems
from portal.library.models import Entry, EntryUse
from portal.library.services.entries import AREA, digest_of
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership

ENOUGH = 0.5
"""So much of an entry's words has to be in an answer that it was put into: the rest may have been rewritten."""


def note_uses(keys: Iterable[int], *, kind: str, object_id: int, answer: str, member: Membership) -> None:
    """Note that entries were put into an answer, as far as they are still in it. Call it in a transaction."""
    words = {*stems(answer)}
    for entry in Entry.objects.filter(pk__in=keys):
        own = {*stems(entry.answer)}
        if len(own & words) < ENOUGH * len(own):
            continue
        _, is_new = EntryUse.objects.update_or_create(
            entry=entry,
            kind=kind,
            object_id=object_id,
            defaults={"digest": digest_of(entry), "used_by": member.user},
        )
        if is_new:
            Entry.objects.filter(pk=entry.pk).update(use_count=F("use_count") + 1)
        touch_areas(AREA)
