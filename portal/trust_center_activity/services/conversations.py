"""What the platform says of conversations becomes rows. Runs in the caller's transaction."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from portal.lib.storable import storable, storable_text
from portal.platform_api import models as remote
from portal.tenants.erased_people import is_erased, without_mentions
from portal.tenants.personal_data import fold
from portal.trust_center_activity.models import USER, Conversation, Message
from portal.trust_center_activity.normalization import domain_of, folded
from portal.trust_center_activity.services.mentions import find_mentions

SHORT, ADDRESS = 200, 320
MAX_MESSAGES = 2000
"""Of one conversation; what is longer is no conversation, and must not fill the database."""
MAX_LETTERS, MAX_SEARCHED = 50_000, 500_000


@dataclass(frozen=True)
class FetchedMessages:
    """All messages of one conversation."""

    conversation_id: str
    items: Sequence[remote.ChatMessage]


def whose_messages_are_old(fetched: Iterable[remote.Conversation]) -> list[str]:
    """Name the conversations that are new here, or have another number of messages than before."""
    named = {each.id: each for each in fetched}
    rows = Conversation.objects.present().filter(platform_id__in=named)
    known = dict(rows.values_list("platform_id", "number_of_messages"))
    # Those of erased people are never here: their messages would be read again and again.
    return [key for key, each in named.items() if known.get(key) != each.num_messages and not _is_left_out(each)]


def store_conversation(fetched: remote.Conversation) -> bool:
    """Make the row equal to what the list says; True when it changed."""
    found = remote.Conversation.read(storable(fetched.raw))
    platform_id = found.id
    if _is_left_out(found):
        number, _ = Conversation.objects.filter(platform_id=platform_id).delete()
        return bool(number)
    # It may speak of somebody who was erased.
    found = remote.Conversation.read(without_mentions(found.raw, besides=found.user_email or ""))
    row = Conversation.objects.select_for_update().filter(platform_id=platform_id).first()
    columns = conversation_columns(found)
    if row is None:
        Conversation.objects.create(
            platform_id=platform_id,
            created_at=found.created_at or timezone.now(),
            search=folded(columns["first_message"]),
            **columns,
        )
        return True
    return _write(row, columns | {"gone_at": None})


def _is_left_out(found: remote.Conversation) -> bool:
    return is_erased(email=storable_text(found.user_email or "").strip(), created_at=found.created_at)


def conversation_columns(found: remote.Conversation) -> dict[str, Any]:
    email = (found.user_email or "").strip()[:ADDRESS]
    return {
        "first_message": (found.first_message or "")[:MAX_LETTERS],
        "number_of_messages": max(found.num_messages, 0),
        "email": email,
        "folded_email": fold(email)[:ADDRESS],
        "domain": domain_of(email)[:ADDRESS],
        "is_public": bool(found.is_public_conversation),
        "payload": found.raw,
    }


def store_messages(fetched: FetchedMessages) -> bool:
    """Make the messages equal to what was fetched, and look for watched words in what is new."""
    row = Conversation.objects.select_for_update().filter(platform_id=fetched.conversation_id).first()
    if row is None:
        return False
    known = {message.platform_id: message for message in row.messages.all()}
    wanted = {message.id: message for message in fetched.items[:MAX_MESSAGES]}
    unread = {each.id for each in getattr(fetched.items, "unread", ())}
    # One that could not be read is still there; one without an id may be any of them.
    gone = [] if "" in unread else [row.pk for key, row in known.items() if key not in wanted and key not in unread]
    Message.objects.filter(pk__in=gone).delete()
    texts = [storable_text(message.message or "")[:MAX_LETTERS] for message in wanted.values()]
    texts = without_mentions(texts, besides=row.email)
    new = []
    for place, ((platform_id, message), text) in enumerate(zip(wanted.items(), texts, strict=True)):
        columns = _message_columns(message, place, text)
        if platform_id not in known:
            new.append(Message.objects.create(conversation=row, platform_id=platform_id, **columns))
        elif _write(known[platform_id], columns):
            new.append(known[platform_id])
    _write(row, {"search": _search_of(row), "messages_at": timezone.now(), "gone_at": None})
    find_mentions(row, [message for message in new if message.role == USER])
    return bool(new or gone)


def _search_of(row: Conversation) -> str:
    return " ".join([folded(row.first_message), *row.messages.values_list("folded", flat=True)])[:MAX_SEARCHED]


def renew_search(keys: Iterable[int]) -> None:
    """Make anew what these conversations are found by: their words are other ones now."""
    for row in Conversation.objects.select_for_update().filter(pk__in=set(keys)).order_by("pk"):
        row.search = _search_of(row)
        row.save(update_fields=["search"])


def _message_columns(found: remote.ChatMessage, place: int, text: str) -> dict[str, Any]:
    return {
        "place": place,
        "role": storable_text(found.role or "")[:40],
        "text": text,
        "folded": folded(text),
        "references": [storable_text(each)[:SHORT] for each in found.references or ()],
        "created_at": found.created_at,
    }


def _write(row: Conversation | Message, columns: dict[str, Any]) -> bool:
    """Save what differs; a row that is equal is not touched."""
    different = {name: value for name, value in columns.items() if getattr(row, name) != value}
    for name, value in different.items():
        setattr(row, name, value)
    if different:
        row.save(update_fields=list(different))
    return bool(different)
