"""A person's activity and conversations: found and erased when a deletion request asks for it."""

from portal.page_refresh.services import touch_areas
from portal.tenants.personal_data import each_once, register_holding
from portal.trust_center_activity.models import AREA, Activity, Conversation
from portal.trust_center_activity.models.activity import ActivityQuerySet
from portal.trust_center_activity.models.conversations import ConversationQuerySet
from portal.trust_center_activity.services.sums import uncount


def erase_activity(rows: ActivityQuerySet) -> None:
    """Delete what a person did, and take it out of the sums, which hold no person."""
    uncount(rows.defer("payload"))
    rows.delete()
    touch_areas(AREA)


def erase_conversations(rows: ConversationQuerySet) -> None:
    """Delete a person's conversations with every message, and what was found in them."""
    rows.delete()
    touch_areas(AREA)


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
