"""What came of an intake, written into its row; and looking for one whose answer was lost (guarantee W1).

The platform's list tells: a questionnaire of the same name and type that came into being since the call began, and that belongs
to no other intake. One that is not there a minute after the answer was lost did not arrive, and a person may hand it in again;
nothing is ever sent a second time by itself.
"""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.audit.models import Source
from portal.audit.services import record
from portal.connections.services import NotConnected, Urgency, client_for
from portal.lib.enqueue import enqueue_on_commit
from portal.lib.sealed import Locked
from portal.lib.storable import storable
from portal.lib.text_keys import address_key, key_of
from portal.page_refresh.services import touch_areas
from portal.platform_api import Page
from portal.platform_api import models as remote
from portal.platform_api.errors import PlatformError, UnexpectedAnswer
from portal.platform_api.paging import pages
from portal.questionnaires.models import Intake, IntakeState, Questionnaire
from portal.questionnaires.models.intake import LEASE
from portal.questionnaires.services.store import store_questionnaire
from portal.sync.services import mark_stale
from portal.sync.services.waits import wait_after
from portal.sync.wake import wake_drain
from portal.tenants.scope import all_tenants

SETTLE = "portal.questionnaires.tasks.verify_intake"
INTAKE = "questionnaire_intake"
"""The kind of an intake in the history, as long as it has no questionnaire."""
CLOCKS_DIFFER = timedelta(minutes=2)
"""A questionnaire that came of our call may be dated so much earlier than the call."""
UNTIL_SURE = timedelta(seconds=60)
"""The platform may still be at work on a call whose answer was lost."""
VERIFY_AGAIN_AFTER = timedelta(seconds=15)
MAX_SWEPT = 500
MAX_LOOKED_AT = 500
"""Of one name since one moment there are a few; a list that goes on for longer answers something else."""


def mark_uncertain(intake: Intake) -> None:
    """The answer was lost: look for it at once, and again until it is sure."""
    now = timezone.now()
    with transaction.atomic():
        rows = Intake.objects.filter(pk=intake.pk, state=IntakeState.SENDING)
        if rows.update(state=IntakeState.UNCERTAIN, doubted_at=now, due_at=now):
            touch_areas("questionnaires")
            enqueue_on_commit(SETTLE, intake.tenant_id, intake.pk)


def record_created(intake: Intake, created: remote.Questionnaire) -> None:
    """The platform has it: link the questionnaire, and have its questions read."""
    try:
        _settle_as_created(intake, created)
    except IntegrityError:
        # Its event had it stored in the very moment; now that row is seen.
        _settle_as_created(intake, created)


@transaction.atomic
def _settle_as_created(intake: Intake, created: remote.Questionnaire) -> None:
    # Before any row is locked: the event of this very questionnaire may be on its way, and it marks first too.
    mark_stale("questionnaire", created.id)
    mark_stale("responses", created.id)
    store_questionnaire(created)
    questionnaire = Questionnaire.objects.get(platform_id=created.id)
    open_ones = Intake.objects.filter(pk=intake.pk).exclude(state=IntakeState.CREATED)
    settled = {"state": IntakeState.CREATED, "questionnaire": questionnaire, "settled_at": timezone.now()}
    if not open_ones.update(**settled, due_at=None, description=""):
        return
    record(
        "questionnaire.intake",
        target=("questionnaire", questionnaire.platform_id),
        summary=f"Submitted {questionnaire.name[:200]}.",
        actor=intake.begun_by,
        details=intake.what,
    )
    wake_drain()
    touch_areas("questionnaires")


def due_intakes() -> list[tuple[int, int]]:
    """Return tenant and key of the intakes that have to be looked for, the longest waiting first."""
    with all_tenants("the sweep looks for the intakes of every tenant"):
        rows = Intake.objects.due(timezone.now()).order_by("due_at", "id").values_list("tenant_id", "pk")
        return list(rows[:MAX_SWEPT])


def verify_outcome(intake: Intake) -> None:
    """Find out whether an intake has arrived. Failures are written into its row."""
    if not _claim(intake):
        return
    asked_at = timezone.now()
    try:
        found = _find(intake)
    except (PlatformError, NotConnected, Locked) as error:
        _postpone(intake, error)
        return
    if found:
        record_created(intake, found)
    elif intake.doubted_at and asked_at - intake.doubted_at >= UNTIL_SURE:
        _settle_as_absent(intake)
    else:
        Intake.objects.filter(pk=intake.pk, attempts=intake.attempts).update(due_at=timezone.now() + VERIFY_AGAIN_AFTER)


def _claim(intake: Intake) -> bool:
    """Take the row for one look. One that was still being sent lost its process on the way: the call may have left."""
    now = timezone.now()
    doubted_at = intake.doubted_at or now
    still = Intake.objects.due(now).filter(pk=intake.pk, attempts=intake.attempts)
    columns = {"state": IntakeState.UNCERTAIN, "doubted_at": doubted_at, "attempts": intake.attempts + 1}
    if not still.update(**columns, due_at=now + LEASE):
        return False
    intake.state, intake.doubted_at, intake.attempts = IntakeState.UNCERTAIN, doubted_at, intake.attempts + 1
    return True


def _find(intake: Intake) -> remote.Questionnaire | None:
    """Look through the platform's list for what came of the call.

    Raises UnexpectedAnswer where it may be one that cannot be read: nobody can say then that the platform has none.
    """
    began_at = intake.sent_at or intake.begun_at
    since = began_at - CLOCKS_DIFFER
    listed = client_for(Urgency.NEWS).questionnaires.all
    candidates, looked_at, problem = list[remote.Questionnaire](), 0, ""
    for page in pages(lambda cursor: listed.page(cursor, q=intake.name, created_after=since)):
        candidates += [one for one in page.items if (one.created_date or began_at) >= since and _is_like(one, intake)]
        problem = problem or _problem_of(page, since)
        looked_at += len(page.items) + len(page.unread)
        if looked_at >= MAX_LOOKED_AT:
            break
    taken = {
        *Intake.objects.filter(questionnaire__platform_id__in=[one.id for one in candidates]).values_list(
            "questionnaire__platform_id", flat=True
        )
    }
    free = [one for one in candidates if one.id not in taken and one.id not in intake.seen_before]
    if problem and not free:
        raise UnexpectedAnswer("GET", "", message=problem)
    return min(free, key=lambda one: abs((one.created_date or began_at) - began_at), default=None)


def _problem_of(page: Page[remote.Questionnaire], since: datetime) -> str:
    """Say why a questionnaire of a page could not be read, unless it was here before: those are other ones."""
    ids = [each.id for each in page.unread if each.id]
    before = Questionnaire.objects.filter(platform_id__in=ids, created_at__lt=since)
    known = set(before.values_list("platform_id", flat=True))
    return next((f"one of the questionnaires: {each.problem}" for each in page.unread if each.id not in known), "")


def _is_like(one: remote.Questionnaire, intake: Intake) -> bool:
    """Say whether this may be what came of the call. The platform decides a file's type, and may name the customer later."""
    is_named_alike = key_of(str(storable(one.display_name))) == key_of(intake.name)
    if not is_named_alike or (one.customer_trust_account_id or intake.account_id) != intake.account_id:
        return False
    return bool(intake.filename) or address_key(one.url or "") == intake.fingerprint


@transaction.atomic
def _settle_as_absent(intake: Intake) -> None:
    rows = Intake.objects.filter(pk=intake.pk, state=IntakeState.UNCERTAIN)
    if not rows.update(state=IntakeState.ABSENT, due_at=None, settled_at=timezone.now(), description=""):
        return
    summary = f"{intake.name[:150]} did not arrive at the platform."
    record(
        "questionnaire.intake_absent", target=(INTAKE, str(intake.pk)), summary=summary, details=intake.what, source=Source.SYNC
    )
    touch_areas("questionnaires")


@transaction.atomic
def _postpone(intake: Intake, error: Exception) -> None:
    wait = wait_after(error, attempts=intake.attempts)
    rows = Intake.objects.filter(pk=intake.pk, attempts=intake.attempts, state=IntakeState.UNCERTAIN)
    if rows.update(due_at=timezone.now() + wait.delay, description=wait.description[:300]):
        touch_areas("questionnaires")


@transaction.atomic
def wake_intakes() -> None:
    """The tenant has a new connection: what waited for one is looked for now."""
    now = timezone.now()
    waiting = Intake.objects.filter(state=IntakeState.UNCERTAIN, due_at__gt=now)
    for tenant_id, intake_id in waiting.values_list("tenant_id", "pk"):
        enqueue_on_commit(SETTLE, tenant_id, intake_id)
    waiting.update(due_at=now)
