"""Bringing what is due to the channels of a team; one that does not deliver is shown, and told to its admins otherwise."""

import logging
import time
from collections.abc import Sequence
from datetime import timedelta
from itertools import chain

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from portal.lib.sealed import Locked
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.notifications.cards import has_card, post_card
from portal.notifications.formats import Message, payload_of, signature_headers
from portal.notifications.http import NotConfirmed, NotTaken, encode, post
from portal.notifications.kinds import TEAM_CHANNEL, Channel
from portal.notifications.models import AREA, Dispatch, DispatchQuerySet, DispatchState, TeamChannel
from portal.notifications.selectors import members_from
from portal.notifications.services.dispatches import claim, due_in_turn, postpone, record_outcome, release, without_done_work
from portal.notifications.services.notifications import notify
from portal.notifications.slack_api import call
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Role, Tenant
from portal.tenants.turns import serve_in_turn

logger = logging.getLogger(__name__)

MAX_IN_ONE = 20
TOLD_AFTER = timedelta(minutes=5)
"""A channel that has not delivered for so long is one that admins have to look after."""


def post_due(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> int:
    """Post what is due to the channels of every tenant, as far as the time goes; return how many messages were taken."""
    taken, deadline = list[int](), time.monotonic() + seconds
    turns = due_in_turn(DispatchQuerySet.by_team_channel, "channel")
    serve_in_turn(
        turns, lambda channel: taken.append(_post_to(Channel(channel), deadline)), what="posting to a channel", seconds=seconds
    )
    return sum(taken)


def _post_to(channel: Channel, deadline: float) -> int:
    """Post what waits for one channel: to a chat as one message, to a webhook one after the other until it takes no more.

    Return how many messages were taken.
    """
    row = TeamChannel.objects.filter(channel=channel).first()
    claimed = claim(Dispatch.objects.filter(channel=channel).order_by("notification_id"), MAX_IN_ONE)
    if row is None:
        record_outcome(claimed, DispatchState.NOT_NEEDED)
        return 0
    parts, taken = _parts(row, without_done_work(claimed)), 0
    for number, part in enumerate(parts):
        if time.monotonic() > deadline:
            release(chain(*parts[number:]))
            break
        failure = _post(row, part)
        if failure is None:
            taken += 1
        elif not (isinstance(failure, NotTaken) and failure.is_of_message):
            # Nor would it take the others now, which were not tried.
            release(chain(*parts[number + 1 :]), due_at=part[0].due_at)
            break
    return taken


def _parts(row: TeamChannel, claimed: Sequence[Dispatch]) -> list[list[Dispatch]]:
    """Divide what goes to a channel into messages: what can be done in a chat has one of its own."""
    if row.is_webhook:
        return [[each] for each in claimed]
    alone = [each for each in claimed if has_card(row, each.notification)]
    together = [each for each in claimed if each not in alone]
    return [*([each] for each in alone), *([together] if together else [])]


def _post(row: TeamChannel, part: Sequence[Dispatch]) -> NotTaken | NotConfirmed | None:
    """Post one message, and record what became of it; return why it did not arrive, or None."""
    try:
        _bring(row, part)
    except NotTaken as refused:
        postpone(part, not_before=refused.pause)
        _note_failure(row, refused.description)
        return refused
    except NotConfirmed as late:
        _note_failure(row, str(late))
        if row.is_webhook:
            # Its receiver knows by the id what it had already.
            postpone(part)
        else:
            # A chat would show it twice, and most likely has it.
            record_outcome(part, DispatchState.UNCONFIRMED)
        return late
    record_outcome(part, DispatchState.SENT)
    note_success(row)
    return None


def _bring(row: TeamChannel, part: Sequence[Dispatch]) -> None:
    messages = [_message(each) for each in part]
    if not post_card(row, part[0].notification, messages[0]):
        send(row, messages)


def send(row: TeamChannel, messages: Sequence[Message]) -> None:
    """Post messages to a channel. Raises NotTaken and NotConfirmed."""
    payload = payload_of(Channel(row.channel), str(Tenant.objects.get(pk=row.tenant_id)), messages)
    if row.has_app:
        call(row, "chat.postMessage", channel=row.conversation, **payload)
        return
    body = encode(payload)
    try:
        url, secret = row.open("url"), row.open("secret") if row.is_webhook else ""
    except Locked:
        raise NotTaken("We can't read the address because an encryption key of this portal is missing.") from None
    timestamp = int(timezone.now().timestamp())
    post(url, body, signature_headers(body, secret=secret, key=messages[0].key, timestamp=timestamp) if secret else {})


def _message(dispatch: Dispatch) -> Message:
    row = dispatch.notification
    return Message(
        key=f"msg_{dispatch.pk}",
        kind=row.kind,
        title=row.title,
        text=row.text,
        url=f"{settings.PUBLIC_URL}{row.path}",
        made_at=row.made_at,
    )


def note_success(row: TeamChannel) -> None:
    _note(row, delivered_at=timezone.now(), failing_since=None, error="")


@transaction.atomic
def _note_failure(row: TeamChannel, words: str) -> None:
    """Keep why, and tell the admins once it has lasted."""
    now = timezone.now()
    since = row.failing_since or now
    logger.warning("%s of tenant %s does not deliver: %s", row, row.tenant_id, words)
    _note(row, failing_since=since, error=words)
    if now - since >= TOLD_AFTER:
        notify(
            TEAM_CHANNEL,
            members_from(Role.ADMIN),
            key=f"channel:{row.pk}:{int(since.timestamp())}",
            title=f"{row} stopped delivering",
            text=words,
            url=lambda slug: reverse("notification_settings:channel", args=[slug, row.channel]),
        )


def _note(row: TeamChannel, **columns: object) -> None:
    with transaction.atomic():
        TeamChannel.objects.filter(pk=row.pk).update(**columns)
        touch_areas(AREA)
    # The next message of this turn goes on from what is known now.
    for name, value in columns.items():
        setattr(row, name, value)
