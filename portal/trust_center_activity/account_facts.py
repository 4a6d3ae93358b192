"""What this room tells of a customer: what its people did in the Trust Center, by their mail domain."""

from collections.abc import Iterator
from datetime import datetime

from portal.accounts.links import Link
from portal.accounts.timeline import Customer, TimelineEntry
from portal.trust_center_activity.display_names import subject_names
from portal.trust_center_activity.models import Activity, Conversation

ICONS = {"RESOURCE_DOWNLOAD": "download", "VIDEO_PLAY": "play", "PAGE_VIEW": "eye", "RESOURCE_VIEW": "file-text"}


def activity_timeline(customer: Customer, until: datetime, number: int) -> Iterator[TimelineEntry]:
    """Tell what people of the customer's mail domain looked at and took along."""
    if not customer.domains:
        return
    rows = Activity.objects.filter(domain__in=customer.domains, at__lte=until).defer("payload").order_by("-at", "-id")
    found = list(rows[:number])
    titles = subject_names({row.subject for row in found})
    for row in found:
        link = Link("trust_center_activity:activity", query={"domain": row.domain})
        title = f"{row.type_label}: {titles[row.subject]}"
        yield TimelineEntry(at=row.at, title=title, text=row.email, icon=ICONS.get(row.event_type, "activity"), link=link)


def conversation_timeline(customer: Customer, until: datetime, number: int) -> Iterator[TimelineEntry]:
    """Tell what people of the customer's mail domain asked the chatbot."""
    if not customer.domains:
        return
    rows = Conversation.objects.present().filter(domain__in=customer.domains, created_at__lte=until).defer("payload", "search")
    for row in rows.order_by("-created_at", "-id")[:number]:
        link = Link("trust_center_activity:conversation", (row.platform_id,))
        title = f"Asked the chatbot: “{str(row)[:160]}”"
        yield TimelineEntry(
            at=row.created_at, title=title, text=row.email, icon="message-circle-question-mark", tone="info", link=link
        )
