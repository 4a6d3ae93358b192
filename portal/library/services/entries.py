"""What people do with entries of the library: write, change, review, delete."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.lib.enqueue import enqueue_coalesced
from portal.lib.text_keys import key_of
from portal.library.lexicon import MAIL
from portal.library.models import DUE_SOON, Entry, EntryPair, Label, LabelKind, Origin, Variant, Wording
from portal.library.services.wordings import note_wordings, post_answers
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role
from portal.tenants.scope import current_tenant_id
from portal.users.models import User

COMPARE = "portal.library.tasks.compare"
AREA = "library"
LIBRARY_ENTRY = "library_entry"
"""The kind of an entry in the history."""


class ChangedMeanwhile(Exception):
    """Somebody was faster: what is stored is not what the person has seen."""

    def __init__(self, entry: Entry) -> None:
        super().__init__("Someone changed this entry in the meantime.")
        self.entry = entry


class Gone(Exception):
    """There is no such entry any more."""

    def __init__(self) -> None:
        super().__init__("Someone deleted or merged it in the meantime.")


@dataclass(frozen=True, kw_only=True)
class EntryContent:
    """All that a person writes into an entry."""

    question: str
    short: str = ""
    text: str = ""
    language: str = ""
    variants: Sequence[tuple[str, bool]] = ()
    """Other ways to ask, each with whether it asks for the contrary."""
    tags: Sequence[str] = ()
    products: Sequence[str] = ()
    owner: User | None = None
    expires_on: date | None = None


def add_entry(
    content: EntryContent, *, member: Membership, origin: Origin = Origin.OWN, review_on: date | None = None
) -> Entry:
    """Add an entry, which whoever adds it has verified by that. Raises PermissionDenied."""
    check_may_write(member)
    with transaction.atomic():
        entry = Entry(origin=origin, verified_at=timezone.now(), verified_by=member.user)
        write_entry(entry, content, review_on)
        note_change(entry, "added", "Added to the library", member)
    return entry


def change_entry(
    entry: Entry, content: EntryContent, *, review_on: date | None, member: Membership, seen: str | None = None
) -> Entry:
    """Change what an entry says; it was verified by whoever changed its answer.

    `seen` is the version that was read; without it whatever is stored is changed.
    Raises PermissionDenied, ChangedMeanwhile, Gone.
    """
    check_may_write(member)
    with transaction.atomic():
        entry = lock_entry(entry, seen)
        before, expired_on = digest_of(entry), entry.expires_on
        if before != sha_of(content.short, content.text):
            entry.verified_at, entry.verified_by = timezone.now(), member.user
        write_entry(entry, content, review_on)
        note_change(entry, "changed", f"Changed in the library{_taken_off(expired_on, content.expires_on)}", member)
    return entry


def verify_entry(entry: Entry, *, review_on: date | None, member: Membership, seen: str | None = None) -> Entry:
    """Say that an entry is still true, and until when nobody has to look again. An expiry that is near or over is taken off.

    `seen` is the version that was read; without it whatever is stored is verified.
    Raises PermissionDenied, ChangedMeanwhile, Gone.
    """
    check_may_write(member)
    with transaction.atomic():
        entry = lock_entry(entry, seen)
        entry.verified_at, entry.verified_by = timezone.now(), member.user
        until = f", next review by {review_on.isoformat()}" if review_on else ""
        expires_on = lasting(entry.expires_on)
        words = f"Verified in the library{until}{_taken_off(entry.expires_on, expires_on)}"
        entry.set_days(review_on, expires_on)
        entry.save()
        note_change(entry, "verified", words, member)
    return entry


def lasting(expires_on: date | None) -> date | None:
    """Return the expiry that an entry has once somebody has said that it is true: one that is near or over is taken off."""
    return None if expires_on and expires_on <= timezone.localdate() + DUE_SOON else expires_on


def _taken_off(before: date | None, after: date | None) -> str:
    return f", no longer expires on {before.isoformat()}" if before and not after else ""


def delete_entry(entry: Entry, *, member: Membership) -> None:
    """Delete an entry; the answers that it went into stay as they are. Raises PermissionDenied, Gone."""
    check_may_write(member)
    with transaction.atomic():
        entry = lock_entry(entry, None)
        note_change(entry, "deleted", "Deleted from the library", member)
        remove_entry(entry)


def remove_entry(entry: Entry) -> None:
    """Delete an entry; what it answered has to be judged again."""
    Wording.objects.filter(best_entry=entry).mark_stale()
    entry.delete()
    enqueue_coalesced(COMPARE, current_tenant_id())


def digest_of(entry: Entry) -> str:
    """Return a digest of what an entry says: equal as long as nobody changes its answer."""
    return sha_of(entry.short, entry.text)


def sha_of(short: str, text: str) -> str:
    return sha256(f"{short}\n\n{text}".encode()).hexdigest()[:32]


def check_may_write(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied


def lock_entry(entry: Entry, seen: str | None) -> Entry:
    row = Entry.objects.select_for_update().filter(pk=entry.pk).first()
    if row is None:
        raise Gone
    if seen is not None and row.version != seen:
        raise ChangedMeanwhile(row)
    return row


def write_entry(entry: Entry, content: EntryContent, review_on: date | None) -> None:
    questions = [content.question, *(question for question, _ in content.variants)]
    note_wordings(questions)
    entry.question, entry.short, entry.text = content.question, content.short, content.text
    entry.language, entry.owner = content.language, content.owner
    entry.set_days(review_on, content.expires_on)
    keys = _keys(questions)
    entry.wording = keys.get(key_of(content.question))
    parts = [
        content.question,
        *(question for question, _ in content.variants),
        content.short,
        content.text,
        *content.tags,
        *content.products,
    ]
    entry.search = "\n".join(parts).casefold()
    if entry.pk:
        entry.variants.all().delete()
        entry.labels.all().delete()
        # What was said of it beside another one was said of what it was.
        EntryPair.objects.of_entries(entry).delete()
    entry.save()
    Variant.objects.bulk_create(
        Variant(entry=entry, question=question, is_reversed=is_reversed, wording=keys.get(key_of(question)))
        for question, is_reversed in content.variants
    )
    post_answers([entry])
    enqueue_coalesced(COMPARE, current_tenant_id())
    named = [(LabelKind.TAG, name) for name in content.tags] + [(LabelKind.PRODUCT, name) for name in content.products]
    Label.objects.bulk_create(Label(entry=entry, kind=kind, name=name) for kind, name in dict.fromkeys(named))


def _keys(questions: Iterable[str]) -> dict[str, Wording]:
    found = Wording.objects.filter(key__in=[key_of(question) for question in questions])
    return {wording.key: wording for wording in found}


def note_change(entry: Entry, verb: str, words: str, member: Membership) -> None:
    # An address in the question may be asked to be erased, and the history is never changed (guarantee S11).
    summary = f"{words}: “{MAIL.sub('[address]', str(entry))}”."
    record(f"{LIBRARY_ENTRY}.{verb}", target=(LIBRARY_ENTRY, str(entry.pk)), summary=summary, actor=member.user)
    touch_areas(AREA)
