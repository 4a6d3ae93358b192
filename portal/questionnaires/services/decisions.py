"""Moving a questionnaire on: its status, its approval, its completion."""

from collections.abc import Callable

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.audit.services import record
from portal.connections.services import Urgency, client_for
from portal.lib.storable import storable
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api import models as remote
from portal.platform_writes.outcomes import OutcomeUnknown, check_shown, refetching, verify_and_write, write_and_verify
from portal.questionnaires import four_eyes
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.services.stale_requests import ask_for_questionnaire
from portal.questionnaires.services.store import store_questionnaire
from portal.questionnaires.stages import SETTABLE
from portal.sync.services import mark_stale
from portal.tenants.models import Membership, Role


class NotAllowed(Exception):
    """The questionnaire is not where this step begins; the message says it in words."""


class QuestionnaireGone(Exception):
    """The platform has no such questionnaire any more."""


def change_status(questionnaire: Questionnaire, *, member: Membership, status: str) -> Questionnaire:
    """Set one of the statuses that people may set (platform-api 4.1.4)."""
    if status not in SETTABLE:
        raise NotAllowed("This status cannot be set; only the platform sets it.")
    try:
        return move(
            questionnaire,
            member=member,
            role=Role.ANALYST,
            wanted=status,
            write=lambda client: client.questionnaires.update(questionnaire.platform_id, status=status),
            summary=f"Set {questionnaire} to {SETTABLE[status].lower()}",
        )
    except OutcomeUnknown:
        record_attempt(questionnaire, member, status)
        raise


def approve(questionnaire: Questionnaire, *, member: Membership, message: str = "") -> Questionnaire:
    """Approve a questionnaire; the message goes into the platform's log of statuses."""
    refuse_own_work(questionnaire, member)
    said = {"message": message} if message else {}
    return move(
        questionnaire,
        member=member,
        role=Role.APPROVER,
        wanted="APPROVED",
        write=lambda client: client.questionnaires.approve(questionnaire.platform_id, **said),
        summary=f"Approved {questionnaire}",
    )


def complete(questionnaire: Questionnaire, *, member: Membership, keep_answers: bool = True) -> Questionnaire:
    """Complete a questionnaire; with `keep_answers` the platform copies approved answers into its library."""
    if questionnaire.status != "APPROVED":
        refuse_own_work(questionnaire, member)
    return move(
        questionnaire,
        member=member,
        role=Role.APPROVER,
        wanted="COMPLETE",
        write=lambda client: client.questionnaires.complete(questionnaire.platform_id, sync_to_answer_library=keep_answers),
        summary=f"Completed {questionnaire}",
    )


def record_attempt(questionnaire: Questionnaire, member: Membership, status: str) -> None:
    """Nobody knows whether it was done: if it was, it was this person (`four_eyes`)."""
    record(
        "questionnaire.status_unconfirmed",
        target=("questionnaire", questionnaire.platform_id),
        summary=f"Asked to set {questionnaire} to {SETTABLE[status].lower()}; the platform did not confirm it.",
        actor=member.user,
        details={"before": questionnaire.status, "after": status},
    )


def refuse_own_work(questionnaire: Questionnaire, member: Membership) -> None:
    if words := four_eyes.own_work(questionnaire, member):
        raise NotAllowed(words)


def status_details(before: Questionnaire, after: remote.Questionnaire) -> dict[str, str]:
    return {"before": before.status, "after": after.status}


def move(
    questionnaire: Questionnaire,
    *,
    member: Membership,
    role: Role,
    wanted: object,
    write: Callable[[Platform], object],
    summary: str,
    seen_in: Callable[[remote.Questionnaire], object] = lambda found: found.status,
    seen_here: Callable[[Questionnaire], object] = lambda row: row.status,
    kind: str = "questionnaire.status",
    details: Callable[[Questionnaire, remote.Questionnaire], dict[str, str]] = status_details,
    client: Platform | None = None,
    checks_before_retry: bool = False,
    then: Callable[[], object] = lambda: None,
) -> Questionnaire:
    """Make one step, look at what came of it and write it down.

    `wanted`: the value to reach; `seen_in` reads it from the platform's questionnaire, `seen_here` from our row before.
    `checks_before_retry`: an earlier call may have done it. `then` runs in the transaction that writes it down.
    Raises QuestionnaireGone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    if not member.may(role):
        raise PermissionDenied
    client = client or client_for(Urgency.PERSON)

    def is_done(found: remote.Questionnaire) -> bool:
        return seen_in(found) == wanted

    with refetching(lambda: ask_for_questionnaire(questionnaire), gone=QuestionnaireGone):
        after: remote.Questionnaire = (verify_and_write if checks_before_retry else write_and_verify)(
            write=lambda: write(client),
            fetch=lambda: client.questionnaires.get(questionnaire.platform_id),
            is_done=is_done,
        )
        check_shown(seen_in(after), before=seen_here(questionnaire), is_done=is_done(after))
    # What is written into the history is what the platform says now, and no database takes all of that.
    after = remote.Questionnaire.read(storable(after.raw))
    with transaction.atomic():
        # Before the row is locked: the event of this very step may be on its way, and it marks first too.
        mark_stale("responses", questionnaire.platform_id)
        store_questionnaire(after)
        target = ("questionnaire", questionnaire.platform_id)
        record(kind, target=target, summary=f"{summary}.", actor=member.user, details=details(questionnaire, after))
        then()
        touch_areas("questionnaires")
    return Questionnaire.objects.get(pk=questionnaire.pk)
