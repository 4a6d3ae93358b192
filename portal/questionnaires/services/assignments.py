"""Giving a question to somebody on the platform, with what they have to know and until when."""

from collections.abc import Callable
from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import Urgency, client_for
from portal.lib.storable import storable
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api import models as remote
from portal.platform_writes.outcomes import check_shown, refetching, verify_and_write, write_and_verify
from portal.questionnaires.changes import Change
from portal.questionnaires.models import Assignment, Response
from portal.questionnaires.services.answers import ResponseGone, check_later
from portal.questionnaires.services.notifications import tell_assigned
from portal.questionnaires.services.store import store_response
from portal.tenants.models import Membership, Role


def assign_question(
    response: Response,
    *,
    member: Membership,
    change: Change,
    client: Platform | None = None,
    checks_before_retry: bool = False,
    then: Callable[[], object] = lambda: None,
) -> Response:
    """Give a question to a user or team of the platform, or to nobody, and keep note and inner due date here.

    `checks_before_retry`: an earlier call may have done it. `then` runs in the transaction that writes it down.
    Raises ResponseGone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    responses = (client or client_for(Urgency.PERSON)).questionnaires.responses
    ids = (response.questionnaire.platform_id, response.platform_id)
    asked_at = timezone.now()
    with refetching(lambda: check_later(response), gone=ResponseGone):
        after: remote.Response = (verify_and_write if checks_before_retry else write_and_verify)(
            write=lambda: responses.set_owner(*ids, change.owner),
            fetch=lambda: responses.get(*ids),
            is_done=change.is_done,
        )
        check_shown(change.seen_in(after), before=change.seen_here(response), is_done=change.is_done(after))
    with transaction.atomic():
        stored = store_response(response.questionnaire, remote.Response.read(storable(after.raw)), asked_at=asked_at)
        _keep(stored, change, member)
        record(
            change.kind,
            target=("response", stored.platform_id),
            summary=f"{change.sentence(f'“{stored.question[:150]}”')}.",
            actor=member.user,
            details={
                "questionnaire": stored.questionnaire.platform_id,
                "before": response.owner_name,
                "after": change.owner_name,
            },
        )
        tell_assigned(stored.questionnaire, change, member=member)
        then()
        touch_areas("questionnaires")
    return stored


@transaction.atomic
def move_question(assignment: Assignment, *, member: Membership, due_at: datetime) -> Assignment:
    """Set until when an assigned question has to be answered. The platform knows no due date of a question."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    assignment = Assignment.objects.select_for_update().get(pk=assignment.pk)
    before, assignment.due_at, assignment.nudged_at = assignment.due_at, due_at, None
    assignment.save(update_fields=["due_at", "nudged_at"])
    response = Response.objects.select_related("questionnaire").get(pk=assignment.response_id)
    record(
        "response.due",
        target=("response", response.platform_id),
        summary=f"Moved the due date of “{response.question[:150]}”.",
        actor=member.user,
        details={
            "questionnaire": response.questionnaire.platform_id,
            "before": before.isoformat() if before else "",
            "after": due_at.isoformat(),
        },
    )
    touch_areas("questionnaires")
    return assignment


def _keep(response: Response, change: Change, member: Membership) -> None:
    if not change.owner_id:
        Assignment.objects.filter(response=response).delete()
        return
    said = {"owner_id": change.owner_id, "note": change.note, "due_at": change.due_at, "nudged_at": None}
    asked = {"made_by": member.user, "made_by_name": str(member.user)[:120], "made_at": timezone.now()}
    Assignment.objects.update_or_create(response=response, defaults=said | asked)
