"""Watched words in what visitors wrote: whole words, whatever their case. One mention for each word and message."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.utils import timezone

from portal.trust_center_activity.models import USER, Conversation, Follower, Mention, Message, Notice, WatchedWord


def find_mentions(conversation: Conversation, messages: Sequence[Message]) -> None:
    """Look for every watched word in messages that were stored just now, and have its followers told."""
    if not messages:
        return
    for word in WatchedWord.objects.all():
        said = [message for message in messages if word.folded in message.folded]
        _note(word, conversation, said)


def _note(word: WatchedWord, conversation: Conversation, messages: Iterable[Message]) -> None:
    for message in messages:
        at = message.created_at or conversation.created_at
        # What was said before the word was watched is no news, however late it is read.
        is_past = at < word.added_at
        mention, is_new = _mention(word, conversation, message, at, seen_at=timezone.now() if is_past else None)
        if is_new and not is_past:
            users = Follower.objects.filter(word=word).values_list("user_id", flat=True)
            Notice.objects.bulk_create([Notice(mention=mention, user_id=user_id) for user_id in users])


def _mention(
    word: WatchedWord, conversation: Conversation, message: Message, at: datetime, *, seen_at: datetime | None
) -> tuple[Mention, bool]:
    values = {"conversation": conversation, "domain": conversation.domain, "at": at, "seen_at": seen_at}
    return Mention.objects.get_or_create(word=word, message=message, defaults=values)


def find_in_the_past(word: WatchedWord) -> int:
    """Find a word in everything that is here, as seen: nobody is mailed. Returns how often it was said."""
    said = Message.objects.select_related("conversation").filter(role=USER, folded__contains=word.folded)
    now = timezone.now()
    mentions = [
        Mention(
            word=word,
            message=message,
            conversation=message.conversation,
            domain=message.conversation.domain,
            at=message.created_at or message.conversation.created_at,
            seen_at=now,
        )
        for message in said.filter(conversation__gone_at__isnull=True)
    ]
    Mention.objects.bulk_create(mentions, ignore_conflicts=True, batch_size=500)
    return len(mentions)
