"""What came of a switch, written into its row; and looking for one whose answer was lost (guarantee W1).

The context's list tells. What it does not show is sent again while the press is fresh: the platform takes the same switch twice
and changes nothing the second time (platform-api 4.3). Later nobody sends it: others may have decided anew meanwhile.
"""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.audit.models import Source
from portal.audit.services import record
from portal.connections.error_messages import error_message
from portal.connections.services import NotConnected, Urgency, client_for
from portal.lib.enqueue import enqueue_on_commit
from portal.lib.sealed import Locked
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api.errors import InvalidIdentifier, NotFound, PermissionRefused, PlatformError, ValidationFailed
from portal.platform_writes.outcomes import OutcomeUnknown, write_and_verify
from portal.sync.freshness import fetch_now
from portal.sync.services.waits import Wait, backoff, wait_after
from portal.tags.models import CATEGORY, LEASE, Step, SwitchChange
from portal.tags.models.categories import title_of
from portal.tags.models.switches import SENT_AGAIN_FOR
from portal.tags.services.store import AREA, FetchedContext, store_context
from portal.tags.services.verification import fetch_context
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants

SETTLE = "portal.tags.tasks.verify_switch"
VERIFY_AGAIN_AFTER = timedelta(seconds=15)
MAX_SWEPT = 500
FINAL = (NotFound, PermissionRefused, ValidationFailed, InvalidIdentifier)
"""Answers that will not be another one the next time."""


class DidNotArrive(Exception):
    """The platform does not show what was switched, and the press is too long ago to send it again."""


def send(change: SwitchChange, client: Platform) -> FetchedContext:
    """Have the platform switch, and return the context's list as it is then. Raises as `write_and_look` does."""
    category_id, context = change.category.platform_id, change.context

    def write() -> None:
        if change.is_on:
            client.tag_categories.enable(category_id, context)
        else:
            client.tag_categories.disable(category_id, context)

    return write_and_verify(
        write=write, fetch=lambda: fetch_context(client, context), is_done=lambda found: is_done(change, found)
    )


def is_done(change: SwitchChange, found: FetchedContext) -> bool:
    return not found.problem and found.uses(change.category) == change.is_on


def mark_uncertain(change: SwitchChange) -> None:
    """The answer was lost: verify at once, and again until it is certain."""
    with transaction.atomic():
        rows = SwitchChange.objects.filter(pk=change.pk, state=Step.SENDING)
        if rows.update(state=Step.UNCERTAIN, due_at=timezone.now()):
            touch_areas(AREA)
            enqueue_on_commit(SETTLE, change.tenant_id, change.pk)


def record_outcome(change: SwitchChange, found: FetchedContext) -> None:
    """The platform has it as it was wanted: keep its list."""
    try:
        _settle(change, found)
    except IntegrityError:
        # The comparison had the list stored in the very moment; now its rows are seen.
        _settle(change, found)


@transaction.atomic
def _settle(change: SwitchChange, found: FetchedContext) -> None:
    store_context(found)
    rows = SwitchChange.objects.on_their_way().filter(pk=change.pk)
    if not rows.update(state=Step.DONE, due_at=None, description="", settled_at=timezone.now()):
        return
    verb = "on" if change.is_on else "off"
    summary = f"Switched {str(change.category)[:120]} {verb} for {title_of(change.context)[:60]}."
    note(change, f"tag_category.{verb}", summary)
    touch_areas(AREA)


@transaction.atomic
def refuse(change: SwitchChange, error: Exception, *, state: Step = Step.REFUSED) -> None:
    """The platform has not switched it; say why."""
    rows = SwitchChange.objects.on_their_way().filter(pk=change.pk)
    words = refusal_message(error)[:300]
    if not rows.update(state=state, description=words, due_at=None, settled_at=timezone.now()):
        return
    summary = f"Not switched {change.wanted}: {str(change.category)[:120]} for {title_of(change.context)[:60]}."
    note(change, "tag_category.refused", summary, answer=words)
    if isinstance(error, NotFound):
        fetch_now((CATEGORY, change.category.platform_id))
    touch_areas(AREA)


def refusal_message(error: Exception) -> str:
    match error:
        case NotFound():
            return "The platform no longer has this category."
        case DidNotArrive():
            return str(error)
    return error_message(error, area="tags")


def note(change: SwitchChange, action: str, summary: str, **more: str) -> None:
    details = {"context": change.context, "on": change.is_on, **more}
    source = None if change.begun_by else Source.SYNC
    target = (CATEGORY, change.category.platform_id)
    record(action, target=target, summary=summary, actor=change.begun_by, source=source, details=details)


def due_switches() -> list[tuple[int, int]]:
    """Return tenant and key of the switches that have to be looked for, the longest waiting first."""
    with all_tenants("the sweep looks for the switches of every tenant"):
        rows = SwitchChange.objects.due(timezone.now()).order_by("due_at", "id").values_list("tenant_id", "pk")
        return list(rows[:MAX_SWEPT])


def verify_outcome(change: SwitchChange) -> None:
    """Find out whether a switch has arrived, and send it again if it has not. Failures are written into its row."""
    now = timezone.now()
    if not _claim(change, now):
        return
    try:
        client = client_for(Urgency.NEWS)
        found: FetchedContext | None
        found = shown = fetch_context(client, change.context)
        is_fresh = now - change.sent_at < SENT_AGAIN_FOR
        if is_fresh and not is_done(change, shown) and _may_still(change):
            found = _send_again(change, client)
    except (PlatformError, NotConnected, Locked) as error:
        _postpone(change, wait_after(error, attempts=change.attempts))
    else:
        if found is None:
            return
        if is_done(change, found):
            record_outcome(change, found)
        elif found.problem:
            # It may say so for days.
            _postpone(change, Wait(max(VERIFY_AGAIN_AFTER, timedelta(seconds=backoff(change.attempts))), found.problem))
        elif is_fresh:
            _postpone(change, Wait(VERIFY_AGAIN_AFTER, "The platform does not show it yet."))
        else:
            refuse(change, DidNotArrive("The change did not reach the platform. Press the switch again."), state=Step.ABSENT)


def _may_still(change: SwitchChange) -> bool:
    """Say whether whoever pressed the switch could press it now: a worker sends nothing for somebody who may not."""
    return Membership.objects.who_may(Role.ADMIN).filter(user=change.begun_by_id).exists()


def _send_again(change: SwitchChange, client: Platform) -> FetchedContext | None:
    """Send what looking has shown not to be there; None when that was refused."""
    try:
        return send(change, client)
    except OutcomeUnknown as error:
        raise error.__cause__ or error from None
    except FINAL as error:
        refuse(change, error)
        return None


def _claim(change: SwitchChange, now: datetime) -> bool:
    """Take the row for one look. One that was still being sent lost its process on the way: the call may have left."""
    attempts = change.attempts + 1
    still = SwitchChange.objects.due(now).filter(pk=change.pk, attempts=change.attempts)
    if not still.update(state=Step.UNCERTAIN, attempts=attempts, due_at=now + LEASE):
        return False
    change.state, change.attempts = Step.UNCERTAIN, attempts
    return True


@transaction.atomic
def _postpone(change: SwitchChange, wait: Wait) -> None:
    rows = SwitchChange.objects.filter(pk=change.pk, attempts=change.attempts, state=Step.UNCERTAIN)
    if rows.update(due_at=timezone.now() + wait.delay, description=wait.description[:300]):
        touch_areas(AREA)


@transaction.atomic
def wake_switches() -> None:
    """The tenant has a new connection: what waited for one is looked for now."""
    waiting = SwitchChange.objects.filter(state=Step.UNCERTAIN, due_at__gt=timezone.now())
    for tenant_id, change_id in waiting.values_list("tenant_id", "pk"):
        enqueue_on_commit(SETTLE, tenant_id, change_id)
    waiting.update(due_at=timezone.now())
