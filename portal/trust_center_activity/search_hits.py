"""The conversations with the chatbot that a search over all desks finds."""

from collections.abc import Iterator

from django.urls import reverse

from portal.saved_views.found import Found
from portal.trust_center_activity.models import Conversation

NEWEST = ("-created_at", "-id")
MAX_TITLE_LENGTH = 120
"""Letters of what a stranger wrote; the page has the rest."""


def find_conversations(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words, or words that begin so, the newest first."""
    rows = Conversation.objects.present().first_matching(words, *NEWEST).defer("payload", "search")
    for row in rows[:most]:
        url = reverse("trust_center_activity:conversation", args=[slug, row.platform_id])
        yield Found(str(row)[:MAX_TITLE_LENGTH], row.email or row.domain, url)
