"""How activity and conversations are read. No event tells of either: they are read once an hour, as far back as needed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from portal.connections.services import trust_center
from portal.platform_api import Page, Platform
from portal.platform_api import models as remote
from portal.sync.mirrors import Mirror, names_of_rows
from portal.sync.services import mark_many
from portal.sync.services.positions import find_listed, looks_further, note_read, page_since, read_since, with_prefix
from portal.trust_center_activity.models import ACTIVITY, AREA, CONVERSATION, MESSAGES, Activity, Conversation
from portal.trust_center_activity.services.conversations import (
    FetchedMessages,
    store_conversation,
    store_messages,
    whose_messages_are_old,
)
from portal.trust_center_activity.services.store import store_activity

STILL_GROWING = timedelta(days=14)
"""A conversation that is older gets no more messages but now and then: the one long reading a day will see."""
WHOLE, NEWS = "whole", "news"


def page_of_activity(client: Platform, cursor: str | None) -> Page[remote.Activity]:
    listed = trust_center(client).activity.all
    return page_since(
        lambda inner, since: listed.page(inner, after_date=since) if since else listed.page(inner), ACTIVITY, cursor
    )


def fetch_activity(client: Platform, activity_id: str) -> remote.Activity:
    """Look one entry up that could not be stored: nothing but the list tells of it."""
    since = read_since(ACTIVITY)
    listed = trust_center(client).activity.all
    return find_listed(listed(after_date=since) if since else listed(), activity_id)


def page_of_conversations(client: Platform, cursor: str | None) -> Page[remote.Conversation]:
    """Read the list, newest first: all of it once a day, else until a page holds nothing new and nothing recent."""
    now = timezone.now()
    first = WHOLE if looks_further(CONVERSATION, at=now) else NEWS
    mode, _, inner = (cursor or f"{first}|").partition("|")
    page = trust_center(client).conversations.all.page(inner or None)
    if mode == NEWS and _is_old(page.items, now):
        return replace(page, next_cursor=None)
    return with_prefix(page, mode)


def _is_old(found: Sequence[remote.Conversation], now: datetime) -> bool:
    is_recent = any(each.created_at is None or each.created_at > now - STILL_GROWING for each in found)
    return not is_recent and not whose_messages_are_old(found)


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


def finish_activity(began_at: datetime) -> None:
    note_read(ACTIVITY, began_at, newest_at=Activity.objects.filter(at__lte=began_at).aggregate(at=Max("at"))["at"])


def known_conversations() -> set[str]:
    """Only a reading of the whole list can tell that something is gone."""
    if not looks_further(CONVERSATION, at=timezone.now()):
        return set()
    return set(Conversation.objects.present().values_list("platform_id", flat=True))


def has_conversation(conversation_id: str) -> bool:
    return Conversation.objects.filter(platform_id=conversation_id).exists()


def mark_conversation_gone(conversation_id: str) -> bool:
    return bool(Conversation.objects.present().filter(platform_id=conversation_id).update(gone_at=timezone.now()))


MIRRORS = (
    Mirror(
        kind=CONVERSATION,
        names=names_of_rows(Conversation),
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
        finish=lambda began_at: note_read(CONVERSATION, began_at),
    ),
    Mirror(
        kind=MESSAGES,
        names=names_of_rows(Conversation),
        title="Messages of conversations",
        area=AREA,
        is_bulk=True,
        fetch=fetch_messages,
        save=store_messages,
        mark_gone=mark_conversation_gone,
        has=has_conversation,
        identify=lambda fetched: fetched.conversation_id,
    ),
    Mirror(
        kind=ACTIVITY,
        title="Trust Center activity",
        area=AREA,
        fetch=fetch_activity,
        save=store_activity,
        mark_gone=lambda _: False,
        page=page_of_activity,
        has_events=False,
        is_log=True,
        finish=finish_activity,
    ),
)
