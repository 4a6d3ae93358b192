"""How activity and conversations are read. No event tells of either: they are read once an hour, as far back as needed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice

from django.utils import timezone

from portal.connections.services import trust_center
from portal.platform_api import Page, Platform
from portal.platform_api import models as remote
from portal.platform_api.errors import NotFound
from portal.sync.mirrors import Mirror
from portal.sync.services import mark_many
from portal.trust_center_activity.models import ACTIVITY, AREA, CONVERSATION, MESSAGES, Conversation
from portal.trust_center_activity.services import reading
from portal.trust_center_activity.services.conversing import (
    FetchedMessages,
    store_conversation,
    store_messages,
    whose_messages_are_old,
)
from portal.trust_center_activity.services.storing import store_activity

STILL_GROWING = timedelta(days=14)
"""A conversation that is older gets no more messages but now and then: the one long reading a day will see."""
WHOLE, NEWS = "whole", "news"
MAX_LOOKED_THROUGH = 1000


def page_of_activity(client: Platform, cursor: str | None) -> Page[remote.Activity]:
    """Read on from a date that stays the same over all pages of one reading: the cursor carries it along."""
    since = reading.activity_since() if cursor is None else None
    text, _, inner = (cursor or f"{since.isoformat() if since else ''}|").partition("|")
    listed = trust_center(client).activity.all
    page = listed.page(inner or None, after_date=datetime.fromisoformat(text)) if text else listed.page(inner or None)
    return _with_prefix(page, text)


def fetch_activity(client: Platform, activity_id: str) -> remote.Activity:
    """Look one entry up that could not be stored: nothing but the list tells of it."""
    since = reading.activity_since()
    listed = trust_center(client).activity.all
    entries = listed(after_date=since) if since else listed()
    found = next((each for each in islice(entries, MAX_LOOKED_THROUGH) if each.id == activity_id), None)
    if found is None:
        raise NotFound("GET", "", message="the list does not name it")
    return found


def page_of_conversations(client: Platform, cursor: str | None) -> Page[remote.Conversation]:
    """Read the list, newest first: all of it once a day, else until a page holds nothing new and nothing recent."""
    now = timezone.now()
    first = WHOLE if reading.looks_further(CONVERSATION, at=now) else NEWS
    mode, _, inner = (cursor or f"{first}|").partition("|")
    page = trust_center(client).conversations.all.page(inner or None)
    if mode == NEWS and _is_old(page.items, now):
        return replace(page, next_cursor=None)
    return _with_prefix(page, mode)


def _is_old(found: Sequence[remote.Conversation], now: datetime) -> bool:
    is_recent = any(each.created_at is None or each.created_at > now - STILL_GROWING for each in found)
    return not is_recent and not whose_messages_are_old(found)


def _with_prefix[T](page: Page[T], prefix: str) -> Page[T]:
    """Carry what holds for the whole reading along in the cursor."""
    return page if page.next_cursor is None else replace(page, next_cursor=f"{prefix}|{page.next_cursor}")


def mark_messages(fetched: Sequence[remote.Conversation]) -> None:
    """Have the messages read of those that are new or have grown."""
    mark_many(MESSAGES, whose_messages_are_old(fetched))


def fetch_messages(client: Platform, conversation_id: str) -> FetchedMessages:
    return FetchedMessages(conversation_id, trust_center(client).conversations.messages(conversation_id))


def save_conversation(fetched: remote.Conversation | FetchedMessages) -> bool:
    """Store an item of the list, or what tells that one which the list did not name is still there."""
    return store_messages(fetched) if isinstance(fetched, FetchedMessages) else store_conversation(fetched)


def mark_listed(fetched: Sequence[remote.Conversation | FetchedMessages]) -> None:
    mark_messages([each for each in fetched if isinstance(each, remote.Conversation)])


def known_conversations() -> set[str]:
    """Only a reading of the whole list can tell that something is gone."""
    if not reading.looks_further(CONVERSATION, at=timezone.now()):
        return set()
    return set(Conversation.objects.present().values_list("platform_id", flat=True))


def has_conversation(conversation_id: str) -> bool:
    return Conversation.objects.filter(platform_id=conversation_id).exists()


def mark_conversation_gone(conversation_id: str) -> bool:
    return bool(Conversation.objects.present().filter(platform_id=conversation_id).update(gone_at=timezone.now()))


MIRRORS = (
    Mirror(
        kind=CONVERSATION,
        title="Chatbot conversations",
        area=AREA,
        fetch=fetch_messages,
        before_save=mark_listed,
        save=save_conversation,
        mark_gone=mark_conversation_gone,
        has=has_conversation,
        page=page_of_conversations,
        known=known_conversations,
        has_events=False,
        finish=reading.finish_conversations,
    ),
    Mirror(
        kind=MESSAGES,
        title="Messages of conversations",
        area=AREA,
        is_bulk=True,
        fetch=fetch_messages,
        save=store_messages,
        mark_gone=mark_conversation_gone,
        has=has_conversation,
        identify=lambda fetched: fetched.conversation_id,
    ),
    # Last: the first reading of a million entries takes hours, and everything else goes before each of its turns.
    Mirror(
        kind=ACTIVITY,
        title="Trust Center activity",
        area=AREA,
        fetch=fetch_activity,
        save=store_activity,
        mark_gone=lambda _: False,
        page=page_of_activity,
        has_events=False,
        finish=reading.finish_activity,
    ),
)
