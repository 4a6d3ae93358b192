"""The words a tenant watches, and who follows them."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.lib.counted import counted
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import current_tenant_id
from portal.trust_center_activity.models import AREA, Follower, Mention, Notice, WatchedWord
from portal.trust_center_activity.normalization import folded
from portal.trust_center_activity.services.mentions import find_in_the_past

MAX_WORDS = 100
"""Each message is looked through for all of them."""


class NotAWord(Exception):
    """Nothing is left of it once case and punctuation are gone."""


class TooManyWords(Exception):
    """The tenant watches as many words as one may."""


class WordGone(Exception):
    """Somebody has just removed the word."""


@transaction.atomic
def watch(text: str, *, member: Membership) -> tuple[WatchedWord, bool]:
    """Watch a word from now on, followed by whoever adds it; also found in what is here. True when it is new."""
    _check(member)
    text, spelled = " ".join(text.split())[:100], folded(text)[:220]
    if not spelled:
        raise NotAWord
    # Whoever adds one at the same moment waits, and counts this one.
    Tenant.objects.select_for_update().get(pk=current_tenant_id())
    known = WatchedWord.objects.select_for_update().filter(folded=spelled).first()
    if known is None and WatchedWord.objects.count() >= MAX_WORDS:
        raise TooManyWords
    first = {"text": text, "added_by": member.user, "added_by_name": str(member.user)[:120]}
    word = known or WatchedWord.objects.create(folded=spelled, **first)
    Follower.objects.get_or_create(word=word, user=member.user)
    if known is None:
        found = find_in_the_past(word)
        _record("watch", f"Started watching “{word}”. It was asked about {counted(found, 'time')} before.", word, member)
    touch_areas(AREA)
    return word, known is None


@transaction.atomic
def unwatch(word: WatchedWord, *, member: Membership) -> None:
    """Watch a word no more, for everybody; what was found of it goes."""
    _check(member)
    if not _lock(word):
        return
    _record("unwatch", f"Stopped watching “{word}”.", word, member)
    word.delete()
    touch_areas(AREA)


@transaction.atomic
def follow(word: WatchedWord, *, member: Membership) -> None:
    """Mail this member when somebody asks about the word from now on. Raises WordGone."""
    _check(member)
    if not _lock(word):
        raise WordGone
    _, is_new = Follower.objects.get_or_create(word=word, user=member.user)
    if is_new:
        _record("follow", f"Followed “{word}”.", word, member)
    touch_areas(AREA)


@transaction.atomic
def unfollow(word: WatchedWord, *, member: Membership) -> None:
    """Mail this member about the word no more; what waits to be sent goes too."""
    _check(member)
    number, _ = Follower.objects.filter(word=word, user=member.user).delete()
    if number:
        _record("unfollow", f"Unfollowed “{word}”.", word, member)
    Notice.objects.filter(mention__word=word, user=member.user, told_at__isnull=True).delete()
    touch_areas(AREA)


@transaction.atomic
def forget_follower(user_id: int) -> None:
    """Have somebody who has left the tenant follow no word of it; what waits to be sent goes too."""
    number, _ = Follower.objects.filter(user=user_id).delete()
    Notice.objects.filter(user=user_id, told_at__isnull=True).delete()
    if number:
        touch_areas(AREA)


@transaction.atomic
def mark_seen(word: WatchedWord, *, member: Membership) -> int:
    """Everything that was asked about the word so far has been seen, for all members; returns how much that was."""
    _check(member)
    number = Mention.objects.unseen().filter(word=word).update(seen_at=timezone.now())
    if number:
        _record("seen", f"Marked {number} mention{'' if number == 1 else 's'} of “{word}” as seen.", word, member)
        touch_areas(AREA)
    return number


def note_export(query: str, *, member: Membership) -> None:
    """Write down who took the activity as a file."""
    _check(member)
    record(
        "activity.export",
        target=("activity", "list"),
        summary="Exported Trust Center activity as CSV.",
        actor=member.user,
        details={"filters": query},
    )


def note_conversation_export(query: str, *, member: Membership) -> None:
    """Write down who took the conversations as a file. The search stays out: it may be somebody's name."""
    _check(member)
    record(
        "conversation.export",
        target=("conversation", "list"),
        summary="Exported chatbot conversations as CSV.",
        actor=member.user,
        details={"is_filtered": bool(query)},
    )


def _lock(word: WatchedWord) -> bool:
    """Have nobody remove a word until the transaction ends; False when somebody has."""
    return WatchedWord.objects.select_for_update().filter(pk=word.pk).first() is not None


def _record(verb: str, summary: str, word: WatchedWord, member: Membership) -> None:
    record(f"activity.{verb}", target=("watched_word", str(word.pk)), summary=summary, actor=member.user)


def _check(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied
