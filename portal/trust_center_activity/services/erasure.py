"""A person's activity and conversations: found and erased when a deletion request asks for it.

In conversations of others, who may have named the person, their address is replaced.
"""

from functools import partial
from typing import Any

from django.db.models import Q

from portal.page_refresh.services import touch_areas
from portal.platform_api import models as remote
from portal.tenants.mentions import Mentions
from portal.tenants.personal_data import Rows, each_once, fold, register_holding
from portal.tenants.texts import Texts
from portal.trust_center_activity.models import AREA, Activity, Conversation, Message
from portal.trust_center_activity.models.activity import ActivityQuerySet
from portal.trust_center_activity.models.conversations import ConversationQuerySet
from portal.trust_center_activity.normalization import folded
from portal.trust_center_activity.services.conversations import conversation_columns, renew_search
from portal.trust_center_activity.services.sums import uncount

CHANGED = partial(touch_areas, AREA)


def erase_activity(rows: ActivityQuerySet) -> None:
    """Delete what a person did, and take it out of the sums, which hold no person."""
    uncount(rows.defer("payload"))
    rows.delete()
    touch_areas(AREA)


def erase_conversations(rows: ConversationQuerySet) -> None:
    """Delete a person's conversations with every message, and what was found in them."""
    rows.delete()
    touch_areas(AREA)


def _of_conversation(payload: Any) -> dict[str, Any]:
    return conversation_columns(remote.Conversation.read(payload))


def _messages_of_others(email: str) -> Rows:
    rows: Rows = Message.objects.filter(text__contains="@").exclude(conversation__folded_email=fold(email))
    return rows


def _fold_anew(message: Message) -> tuple[str]:
    message.folded = folded(message.text)
    return ("folded",)


NAMED = Mentions(kind=Conversation, columns_of=_of_conversation, changed=CHANGED, own=lambda email: Q(folded_email=fold(email)))
SAID = Texts(kind=Message, columns=("text",), changed=CHANGED, likely=_messages_of_others, renew=_fold_anew)


def erase_from_conversations(rows: Rows, email: str) -> None:
    """Take an address out of how conversations began."""
    keys = list(rows.values_list("pk", flat=True))
    NAMED.erase(rows, email)
    renew_search(keys)


def erase_from_messages(rows: Rows, email: str) -> None:
    """Take an address out of messages, and out of what their conversations are found by."""
    keys = list(rows.values_list("conversation_id", flat=True))
    SAID.erase(rows, email)
    renew_search(keys)


def register_personal_data() -> None:
    register_holding(
        "Trust Center activity",
        rows=lambda email: Activity.objects.of_person(email),
        erase=erase_activity,
        addresses=lambda: each_once(Activity.objects.all()),
        viewer_ids=lambda email: Activity.objects.of_person(email).order_by().values_list("viewer_id", flat=True).distinct(),
    )
    register_holding(
        "Chatbot conversations",
        rows=lambda email: Conversation.objects.of_person(email),
        erase=erase_conversations,
        addresses=lambda: each_once(Conversation.objects.all()),
    )
    register_holding(
        "People named in conversations",
        rows=NAMED.rows,
        erase=erase_from_conversations,
        addresses=NAMED.addresses,
        keeps_rows=True,
    )
    register_holding(
        "People named in chatbot messages",
        rows=SAID.rows,
        erase=erase_from_messages,
        addresses=SAID.addresses,
        keeps_rows=True,
    )
