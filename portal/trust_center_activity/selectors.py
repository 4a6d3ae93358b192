"""Reads of the room, for its own pages and for the desks above."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, Q
from django.utils import timezone

from portal.page_refresh.services import cached_by_version
from portal.tenants.personal_data import fold
from portal.trust_center_activity.display_names import document_names, domain_names
from portal.trust_center_activity.models import (
    Activity,
    ActivityQuerySet,
    Conversation,
    Follower,
    Mention,
    Message,
    WatchedWord,
)
from portal.users.models import User

CHUNK = 500
THIS_WEEK = timedelta(days=7)
PEOPLE_SHOWN = 50


def last_seen(addresses: Iterable[str]) -> dict[str, datetime]:
    """Return when each of these mail addresses was last active in the Trust Center, spelled as given; never: left out."""
    spelled: dict[str, list[str]] = {}
    for address in addresses:
        spelled.setdefault(fold(address), []).append(address)
    spelled.pop("", None)
    wanted, found = sorted(spelled), dict[str, datetime]()
    for start in range(0, len(wanted), CHUNK):
        rows = Activity.objects.filter(folded_email__in=wanted[start : start + CHUNK]).order_by()
        for folded_email, at in rows.values_list("folded_email").annotate(Max("at")):
            found.update(dict.fromkeys(spelled[folded_email], at))
    return found


def unseen_mentions() -> int:
    """Count the questions about watched words that nobody has marked as seen. Kept: the navigation of every page asks."""
    rows = Mention.objects.unseen().filter(conversation__gone_at__isnull=True)
    return cached_by_version("trust_center_activity", "unseen", lambda: rows.count())


@dataclass(frozen=True)
class Asked:
    """What was asked about one word this week from one domain."""

    domain: str
    name: str
    number: int
    last_at: datetime


@dataclass(frozen=True)
class WordLine:
    """A watched word with what was asked about it."""

    word: WatchedWord
    unseen: int
    ever: int
    asked: list[Asked]
    is_followed: bool
    followers: int


def word_lines(user: User) -> list[WordLine]:
    """Return the watched words, those with unseen questions first, each with what was asked this week from where."""
    present = Q(mentions__conversation__gone_at__isnull=True)
    words = list(
        WatchedWord.objects.annotate(
            unseen=Count("mentions", filter=present & Q(mentions__seen_at__isnull=True)),
            ever=Count("mentions", filter=present),
        ).order_by("text", "pk")
    )
    asked = _asked_this_week()
    names = domain_names({each[1] for each in asked})
    lists: dict[int, list[Asked]] = {word.pk: [] for word in words}
    for word_id, domain, number, last_at in asked:
        if word_id in lists:
            lists[word_id].append(Asked(domain, names[domain], number, last_at))
    followers = dict(Follower.objects.order_by().values_list("word").annotate(Count("pk")))
    mine = set(Follower.objects.filter(user=user).values_list("word_id", flat=True))
    lines = [
        WordLine(word, word.unseen, word.ever, lists[word.pk], word.pk in mine, followers.get(word.pk, 0)) for word in words
    ]
    return sorted(lines, key=lambda line: (-line.unseen, line.word.text.casefold()))


def _asked_this_week() -> list[tuple[int, str, int, datetime]]:
    rows = Mention.objects.filter(at__gt=timezone.now() - THIS_WEEK, conversation__gone_at__isnull=True).order_by()
    counted = rows.values_list("word_id", "domain").annotate(Count("pk"), Max("at"))
    return sorted(counted, key=lambda each: (-each[2], each[1]))


@dataclass(frozen=True)
class Person:
    """Somebody of a domain, and what they did within a period."""

    email: str
    number: int
    last_at: datetime


def people_of(rows: ActivityQuerySet) -> list[Person]:
    """Return who did most of it; anonymous visitors are nobody."""
    counted = rows.exclude(folded_email="").order_by().values_list("folded_email")
    found = counted.annotate(number=Count("pk"), last=Max("at")).order_by("-number", "folded_email")[:PEOPLE_SHOWN]
    return [Person(*each) for each in found]


@dataclass(frozen=True)
class Said:
    """One message with the names of the documents that it rests on."""

    message: Message
    documents: list[str]


def messages_of(conversation: Conversation) -> list[Said]:
    messages = list(conversation.messages.all())
    names = document_names({each for message in messages for each in message.references})
    return [Said(message, [names[each] for each in message.references]) for message in messages]


def words_asked_in(conversation: Conversation) -> list[str]:
    """Return the watched words that the visitor asked about."""
    found = WatchedWord.objects.filter(mentions__conversation=conversation).distinct()
    return list(found.values_list("text", flat=True))
