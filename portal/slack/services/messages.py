"""Posting access requests with their buttons, and changing those messages in place as the requests go on."""

import logging
import time
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from portal.access_requests.models import AccessRequest
from portal.access_requests.selectors import rows_of
from portal.calendars.selectors import office_hours
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.notifications.formats import Message
from portal.notifications.http import NotConfirmed, NotTaken
from portal.notifications.kinds import Channel
from portal.notifications.models import TeamChannel
from portal.notifications.slack_api import SlackRefused, call
from portal.slack.cards import Card, card_of, gone_card
from portal.slack.models import MAX_SLACK_ID, DecisionMessage, MessageState
from portal.tenants.models import Tenant
from portal.tenants.scope import all_tenants, current_tenant_id

logger = logging.getLogger(__name__)

UPDATE_MESSAGES = "portal.slack.tasks.update_messages"
MAX_TENANTS, MAX_MESSAGES = 100, 50
WAITS = (timedelta(minutes=1), timedelta(minutes=5), timedelta(hours=1), timedelta(hours=12), timedelta(days=1))
"""After each failure to change a message; behind the last one it stays as it is."""
UNCHANGEABLE = {"message_not_found", "cant_update_message", "edit_window_closed", "channel_not_found", "is_archived"}


def post_request(row: TeamChannel, object_id: int, message: Message) -> bool:
    """Post an access request with its buttons; False where nobody has to decide it. Raises NotTaken and NotConfirmed."""
    request = AccessRequest.objects.waiting().filter(pk=object_id).first()
    if request is None:
        return False
    card = _card(request, title=message.title)
    answer = call(row, "chat.postMessage", channel=row.conversation, text=card.text, blocks=card.blocks, unfurl_links=False)
    note_message(request, row.conversation, str(answer.get("ts"))[:MAX_SLACK_ID], shown_at=request.touched_at)
    return True


def note_message(request: AccessRequest, conversation: str, message_id: str, *, shown_at: datetime) -> None:
    """Remember a message that shows a request as it was at a time, so that it is kept up to date."""
    DecisionMessage.objects.get_or_create(
        conversation=conversation,
        message_id=message_id,
        defaults={"tenant_id": current_tenant_id(), "access_request": request, "shown_at": shown_at},
    )


def tenants_with_outdated_messages() -> list[int]:
    with all_tenants("messages in Slack that show what was are found over all tenants"):
        rows, now = DecisionMessage.objects, timezone.now()
        looks = (
            each.order_by().values_list("tenant_id", flat=True).distinct() for each in (rows.changed(now), rows.erased(now))
        )
        return sorted({tenant_id for found in looks for tenant_id in found[:MAX_TENANTS]})


def update_messages(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> int:
    """Change the messages of the tenant in scope that show a request as it was; return how many were changed."""
    row, deadline = TeamChannel.objects.filter(channel=Channel.SLACK).first(), time.monotonic() + seconds
    rows, now = DecisionMessage.objects, timezone.now()
    outdated = [*rows.erased(now)[:MAX_MESSAGES], *rows.changed(now).select_related("access_request")[:MAX_MESSAGES]]
    changed = 0
    for message in outdated:
        if row is None or not row.has_app:
            _settle(message, MessageState.DONE)
        elif time.monotonic() > deadline or not _change(row, message):
            break
        else:
            changed += 1
    return changed


def _change(row: TeamChannel, message: DecisionMessage) -> bool:
    """Show what is true now; False where Slack does not take it, and would not take the next one either."""
    request = message.access_request
    card = _card(request) if request else gone_card(row.tenant)
    try:
        call(row, "chat.update", channel=message.conversation, ts=message.message_id, text=card.text, blocks=card.blocks)
    except SlackRefused as refused:
        if refused.code not in UNCHANGEABLE:
            return _try_later(message, refused.description)
        logger.warning("a message in Slack of tenant %s cannot be changed: %s", row.tenant_id, refused.code)
        _settle(message, MessageState.DONE)
        return True
    except NotTaken as refused:
        return _try_later(message, refused.description, refused.pause)
    except NotConfirmed as late:
        return _try_later(message, str(late))
    if request is None:
        _settle(message, MessageState.DONE)
    else:
        is_over = request.is_settled or request.gone_at is not None
        _settle(message, MessageState.SETTLED if is_over else MessageState.OPEN, shown=request)
    return True


@transaction.atomic
def _settle(message: DecisionMessage, state: MessageState, *, shown: AccessRequest | None = None) -> None:
    values = {"shown_at": shown.touched_at} if shown else {}
    DecisionMessage.objects.filter(pk=message.pk).update(state=state, attempts=0, **values)


def _try_later(message: DecisionMessage, words: str, pause: timedelta = timedelta()) -> bool:
    logger.warning("a message in Slack of tenant %s is not up to date: %s", message.tenant_id, words)
    tried = message.attempts + 1
    if tried > len(WAITS):
        _settle(message, MessageState.DONE)
    else:
        due_at = timezone.now() + max(WAITS[tried - 1], pause)
        DecisionMessage.objects.filter(pk=message.pk).update(attempts=tried, due_at=due_at)
    return False


def _card(request: AccessRequest, *, title: str = "") -> Card:
    tenant = Tenant.objects.get(pk=current_tenant_id())
    url = f"{settings.PUBLIC_URL}{reverse('access_requests:detail', args=[tenant.slug, request.platform_id])}"
    # Everybody of the team reads it: its days are those of the office.
    with timezone.override(office_hours().zone):
        return card_of(rows_of([request])[0], tenant, title=title or f"Access request: {request}", url=url)
