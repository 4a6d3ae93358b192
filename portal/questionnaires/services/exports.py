"""Asking for an export: once, however often and by however many it is asked (guarantee W1)."""

from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.error_messages import error_message
from portal.connections.services import NotConnected, Urgency, client_for
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api import models as remote
from portal.platform_api.errors import NotFound, PlatformError, Unavailable, UnexpectedAnswer
from portal.platform_writes.outcomes import OutcomeUnknown
from portal.questionnaires.models import Export, ExportState, Questionnaire
from portal.questionnaires.models.export import formats_of
from portal.questionnaires.services.decisions import NotAllowed, QuestionnaireGone
from portal.questionnaires.services.export_outcomes import EXPORTS, accept, mark_uncertain, target_of
from portal.questionnaires.services.stale_requests import ask_for_questionnaire
from portal.tenants.models import Membership, Role

MAX_REQUEST = timedelta(seconds=150)
"""A request that has not come to an end by then was cut off: its process died. Longer than any call takes."""


def request_export(questionnaire: Questionnaire, *, member: Membership, export_format: str) -> tuple[Export, bool]:
    """Ask for an export, or find the one that runs (platform-api U22). Says whether it is a new one.

    Raises NotAllowed, QuestionnaireGone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    client = client_for(Urgency.PERSON)
    export, is_new = begin(questionnaire, member=member, export_format=export_format)
    if is_new:
        _ask(export, client, member)
        export = Export.objects.get(pk=export.pk)
        if export.state == ExportState.UNCERTAIN:
            raise OutcomeUnknown
    return export, is_new


@transaction.atomic
def begin(questionnaire: Questionnaire, *, member: Membership, export_format: str) -> tuple[Export, bool]:
    """Write down what is about to be asked for, so that whatever happens then, nobody asks a second time unknowingly."""
    # The lock makes the second of two people see the export of the first.
    questionnaire = Questionnaire.objects.select_for_update().get(pk=questionnaire.pk)
    if questionnaire.gone_at:
        raise NotAllowed("The questionnaire was deleted on the platform. Nothing was requested.")
    if export_format not in formats_of(questionnaire):
        raise NotAllowed("A questionnaire from a web portal has no original file. Request CSV.")
    running = Export.objects.running().filter(questionnaire=questionnaire, format=export_format).first()
    if running:
        return running, False
    now = timezone.now()
    export = Export.objects.create(
        questionnaire=questionnaire,
        format=export_format,
        asked_by=member.user,
        asked_by_name=str(member.user)[:120],
        asked_at=now,
        due_at=now + MAX_REQUEST,
    )
    _note(export, "export_request", f"Requested an export of {str(questionnaire)[:150]} ({export}).", member)
    return export, True


def _ask(export: Export, client: Platform, member: Membership) -> None:
    try:
        started: remote.Export = client.questionnaires.exports.start(export.questionnaire.platform_id, export.format)
    except UnexpectedAnswer:
        # It says success and cannot be read: very likely started.
        mark_uncertain(export)
    except NotFound as error:
        withdraw(export, member, error)
        ask_for_questionnaire(export.questionnaire)
        raise QuestionnaireGone from error
    except (PlatformError, NotConnected) as error:
        if not (isinstance(error, Unavailable) and error.sent):
            withdraw(export, member, error)
            raise
        mark_uncertain(export)
    else:
        accept(export, started)


@transaction.atomic
def withdraw(export: Export, member: Membership, error: Exception) -> None:
    """The platform has not begun: there is no export, only the word in the history that one was asked for."""
    Export.objects.filter(pk=export.pk, platform_id="").delete()
    reason = error_message(error, area="questionnaires")
    summary = f"The export of {str(export.questionnaire)[:150]} was not started ({export})."
    _note(export, "export_refused", summary, member, reason=reason[:300])


def _note(export: Export, action: str, summary: str, member: Membership, **details: str) -> None:
    facts = {"format": export.format, **details}
    record(f"questionnaire.{action}", target=target_of(export), summary=summary, actor=member.user, details=facts)
    touch_areas(EXPORTS)
