"""A person's activity and conversations: counted and erased when a deletion request asks for it."""

from portal.interest.models import AREA, Activity, Conversation
from portal.interest.services.sums import uncount
from portal.live.services import changed
from portal.tenants.personal_data import register_holding

CHUNK = 500


def count_activity(email: str) -> int:
    return Activity.objects.of_person(email).count()


def erase_activity(email: str) -> int:
    """Delete what a person did, and take it out of the sums, which hold no person."""
    keys = list(Activity.objects.of_person(email).values_list("pk", flat=True))
    for start in range(0, len(keys), CHUNK):
        rows = Activity.objects.filter(pk__in=keys[start : start + CHUNK])
        uncount(rows.defer("payload"))
        rows.delete()
    if keys:
        changed(AREA)
    return len(keys)


def count_conversations(email: str) -> int:
    return Conversation.objects.of_person(email).count()


def erase_conversations(email: str) -> int:
    """Delete a person's conversations with every message, and what was found in them."""
    rows = Conversation.objects.of_person(email)
    number = rows.count()
    rows.delete()
    if number:
        changed(AREA)
    return number


def register_personal_data() -> None:
    register_holding("Trust Center activity", count=count_activity, erase=erase_activity)
    register_holding("Chatbot conversations", count=count_conversations, erase=erase_conversations)
