"""Setting up where a team reads outside of the portal."""

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.notifications.formats import Message, new_secret
from portal.notifications.http import NotConfirmed, NotTaken, host_of, is_address
from portal.notifications.kinds import Channel
from portal.notifications.models import Dispatch, DispatchState, TeamChannel
from portal.notifications.services.posts import note_success, send
from portal.notifications.slack_api import HOST, call
from portal.tenants.models import Membership
from portal.tenants.scope import current_tenant_id

MAX_SLACK_ID = 40


class NotAnAddress(ValueError):
    """This is no address of such a channel. The message never holds it."""


@transaction.atomic
def set_up(channel: Channel, *, name: str, url: str, actor: Membership) -> TeamChannel:
    """Set a channel up, or change it; an empty address keeps the one that is there. Raises NotAnAddress."""
    known = TeamChannel.objects.select_for_update().filter(channel=channel).first()
    row = known or TeamChannel(tenant_id=current_tenant_id(), channel=channel)
    if url or known is None:
        if not is_address(channel, url):
            raise NotAnAddress(channel)
        row.url, row.host = row.seal("url", url), host_of(url)
        row.set_up_by, row.set_up_at = actor.user, timezone.now()
        row.delivered_at, row.failing_since, row.error = None, None, ""
    if row.is_webhook and not row.secret:
        row.secret = row.seal("secret", new_secret())
    row.name = name
    row.save()
    verb, words = ("change", "Changed") if known else ("set_up", "Set up")
    _record(row, verb, f"{words} notifications by {row} to {row.host}.", actor)
    return row


def set_up_app(*, name: str, token: str, signing_secret: str, conversation: str, actor: Membership) -> TeamChannel:
    """Set a Slack app up, or change it; an empty token or secret keeps the one that is there. Raises NotTaken, NotConfirmed."""
    known = TeamChannel.objects.filter(channel=Channel.SLACK).first()
    row = known or TeamChannel(tenant_id=current_tenant_id(), channel=Channel.SLACK)
    if token:
        row.token = row.seal("token", token)
    if signing_secret:
        row.signing_secret = row.seal("signing_secret", signing_secret)
    # Slack says whose token it is. Not inside the transaction: an answer may take its time.
    row.workspace = str(call(row, "auth.test").get("team_id"))[:MAX_SLACK_ID]
    row.name, row.conversation, row.host, row.url = name, conversation, HOST, b""
    row.set_up_by, row.set_up_at = actor.user, timezone.now()
    row.delivered_at, row.failing_since, row.error = None, None, ""
    with transaction.atomic():
        row.save()
        verb, words = ("change", "Changed") if known else ("set_up", "Set up")
        _record(row, verb, f"{words} notifications by the Slack app in workspace {row.workspace}.", actor)
    return row


@transaction.atomic
def replace_secret(row: TeamChannel, *, actor: Membership) -> None:
    """Sign a webhook with another secret from now on."""
    row.secret = row.seal("secret", new_secret())
    row.save(update_fields=["secret"])
    _record(row, "replace_secret", f"Replaced the secret of notifications by {row} to {row.host}.", actor)


@transaction.atomic
def remove(row: TeamChannel, *, actor: Membership) -> None:
    """Post nothing there any more, and forget its address."""
    Dispatch.objects.filter(channel=row.channel, state=DispatchState.WAITING).update(
        state=DispatchState.NOT_NEEDED, settled_at=timezone.now()
    )
    _record(row, "remove", f"Removed notifications by {row} to {row.host}.", actor)
    row.delete()


def send_test_message(row: TeamChannel, *, url: str) -> str:
    """Post a test, with the address of the settings; return why it did not arrive, in words, or nothing."""
    now = timezone.now()
    words = f"Test: notifications reach {row.name}."
    message = Message(key=f"test_{row.pk}_{int(now.timestamp())}", kind="test", title=words, text="", url=url, made_at=now)
    try:
        send(row, [message])
    except NotTaken as refused:
        return refused.description
    except NotConfirmed as late:
        return str(late)
    note_success(row)
    # What was tried in vain meanwhile, and what waits behind it, comes now: not hours later, behind what is newer.
    waiting = Dispatch.objects.filter(channel=row.channel, state=DispatchState.WAITING, due_at__gt=now)
    waiting.filter(due_at__in=waiting.filter(attempts__gt=0).values("due_at")).update(due_at=now)
    return ""


def _record(row: TeamChannel, verb: str, summary: str, actor: Membership) -> None:
    record(f"team_channel.{verb}", target=("team_channel", row.channel), summary=summary, actor=actor.user)
