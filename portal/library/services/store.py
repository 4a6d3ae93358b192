"""What the platform's answer library says becomes entries, found like the tenant's own. Runs in the caller's transaction."""

from datetime import date, timedelta

from django.utils import timezone

from portal.accounts.tags import name_tags, tags_in
from portal.lib.storable import storable_text
from portal.lib.text_keys import key_of
from portal.library.models import MAX_LABEL, MAX_QUESTION, Entry, Origin, labels_of
from portal.library.services.entries import EntryContent, remove_entry, write_entry
from portal.platform_api.models import knowledge as remote
from portal.tenants.erased_people import without_mentions

MAX_TEXT_LENGTH = 50_000
EXPIRED = "EXPIRED"
DAY = timedelta(days=1)


def store_answer(fetched: remote.Answer) -> bool:
    """Make the entry equal to an answer that was fetched; True when it changed.

    One whose question has no word is left out: entries are found by their words.
    """
    content = _entry_content(fetched)
    if not key_of(content.question):
        return remove_answer(fetched.id)
    entry = Entry.objects.select_for_update().filter(platform_id=fetched.id).first()
    if entry is None:
        entry = Entry(platform_id=fetched.id, origin=Origin.PLATFORM)
    elif (entry.verified_at, entry.changed_at) == (fetched.last_verified, fetched.last_updated) and _says(entry, content):
        return False
    entry.verified_at = fetched.last_verified
    write_entry(entry, content, review_on=None)
    # Not through save, which would put the moment of reading there.
    Entry.objects.filter(pk=entry.pk).update(changed_at=fetched.last_updated)
    return True


def remove_answer(answer_id: str) -> bool:
    """Delete the copy of an answer that the platform has no more; True when there was one."""
    entry = Entry.objects.filter(platform_id=answer_id).first()
    if entry is not None:
        remove_entry(entry)
    return entry is not None


def _entry_content(found: remote.Answer) -> EntryContent:
    question, answer = without_mentions([storable_text(found.question), storable_text(found.answer)])
    named = name_tags(tags_in(found.tags)).values()
    tags = sorted({each.name[:MAX_LABEL] for each in named if each.is_known})
    return EntryContent(
        question=question[:MAX_QUESTION], text=answer[:MAX_TEXT_LENGTH], tags=tags, expires_on=_last_day_of(found)
    )


def _last_day_of(found: remote.Answer) -> date | None:
    """Return the last day on which it may be used. What the platform calls expired is so, whatever its date says."""
    ends_on = timezone.localdate(found.expiration_date) if found.expiration_date else None
    if found.expiration_status != EXPIRED:
        return ends_on
    return min(ends_on, timezone.localdate() - DAY) if ends_on else timezone.localdate(found.last_updated) - DAY


def _says(entry: Entry, content: EntryContent) -> bool:
    if (entry.question, entry.text, entry.expires_on) != (content.question, content.text, content.expires_on):
        return False
    return sorted(labels_of(entry)["tags"]) == list(content.tags)
