"""Handing a questionnaire in: a file or the address of a portal, sent once, in the request of the person who does it.

What is about to be sent is written down first. What looks like one that is here is not sent until the person has seen it; the
file is kept for that step only.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import IO, Any, BinaryIO, cast

from django.core.exceptions import PermissionDenied
from django.core.files import File
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.error_messages import error_message
from portal.connections.services import NotConnected, Urgency, client_for
from portal.lib.sealed import Locked
from portal.lib.text_keys import key_of
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api import models as remote
from portal.platform_api.errors import PlatformError, Unavailable, UnexpectedAnswer
from portal.questionnaires.duplicates import duplicates
from portal.questionnaires.models import Intake, IntakeState, Questionnaire
from portal.questionnaires.models.intake import LEASE
from portal.questionnaires.services.decisions import NotAllowed
from portal.questionnaires.services.intake_outcomes import INTAKE, mark_uncertain, record_created
from portal.tenants.models import Membership, Role

JUST_BEFORE = timedelta(hours=1)
ALREADY_SENT = "It has already been sent or discarded."


@dataclass(frozen=True, kw_only=True)
class NewQuestionnaire:
    """What a person hands in: a file with its name, or an address."""

    name: str
    kind: str
    fingerprint: str
    file: IO[Any] | None = None
    filename: str = ""
    size: int = 0
    url: str = ""
    account_id: str = ""
    due_at: datetime | None = None
    origin: Mapping[str, Any] = field(default_factory=dict)
    """What else the platform is told, by the names that the client takes."""
    typed: Mapping[str, Any] = field(default_factory=dict)


def begin_intake(new: NewQuestionnaire, *, member: Membership, again: Intake | None = None) -> Intake:
    """Send a questionnaire, or keep it and ask when it looks like one that is here: see the state of what is returned.

    `again` is an intake that did not arrive. Raises NotConnected or a PlatformError when the platform has not taken it.
    """
    check(member)
    client = client_for(Urgency.PERSON)
    intake = Intake(
        tenant_id=member.tenant_id,
        name=new.name,
        kind=new.kind,
        account_id=new.account_id,
        filename=new.filename,
        size=new.size,
        url=new.url,
        fingerprint=new.fingerprint,
        origin={**new.origin, **({"due_date": new.due_at.isoformat()} if new.due_at else {})},
        typed=dict(new.typed),
        begun_by=member.user,
        begun_by_name=str(member.user)[:120],
    )
    if duplicates(intake, now=timezone.now()) or not _begin(intake, again):
        _ask(intake, new.file, again)
    else:
        _send(intake, client, new.file, member)
    return Intake.objects.get(pk=intake.pk)


def send_all_the_same(intake: Intake, *, member: Membership) -> Intake:
    """Send what looks like a duplicate. Raises NotAllowed, NotConnected or a PlatformError; the file is then still kept."""
    check(member)
    client = client_for(Urgency.PERSON)
    with transaction.atomic():
        intake = Intake.objects.select_for_update().get(pk=intake.pk)
        if intake.state != IntakeState.ASKING:
            raise NotAllowed(ALREADY_SENT)
        intake.is_repeat = True
        _mark_as_sending(intake)
    if not intake.filename:
        _send(intake, client, None, member)
    else:
        try:
            file = intake.file.open("rb")
        except FileNotFoundError:
            _refuse(intake, member, "The file is no longer kept. Submit it again.")
            raise NotAllowed("The file is no longer kept. Submit it again.") from None
        with file:
            _send(intake, client, cast(IO[Any], file), member)
    return Intake.objects.get(pk=intake.pk)


@transaction.atomic
def discard_intake(intake: Intake, *, member: Membership) -> None:
    """Do not send what looks like a duplicate. Raises NotAllowed."""
    check(member)
    intake = Intake.objects.select_for_update().get(pk=intake.pk)
    if intake.state != IntakeState.ASKING:
        raise NotAllowed(ALREADY_SENT)
    summary = f"Discarded {intake.name[:200]}, which had not been sent."
    record(
        "questionnaire.intake_discard", target=(INTAKE, str(intake.pk)), summary=summary, actor=member.user, details=intake.what
    )
    forget(intake)
    touch_areas("questionnaires")


def forget(intake: Intake) -> None:
    """Delete an intake that was never sent, with its file."""
    stored = intake.file.name
    if stored:
        transaction.on_commit(partial(intake.file.storage.delete, stored), robust=True)
    intake.delete()


def delete_leftover_file(intake: Intake) -> None:
    """Delete the stored file of an intake that has been sent."""
    if intake.file.name:
        intake.file.storage.delete(intake.file.name)
        Intake.objects.filter(pk=intake.pk).update(file="")


def check(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied


def _begin(intake: Intake, again: Intake | None) -> bool:
    """Write down what is about to be sent; False when the same thing has been sent in this very moment."""
    try:
        with transaction.atomic():
            _mark_as_sending(intake)
            if again:
                Intake.objects.filter(pk=again.pk, successor=None).update(successor=intake)
    except IntegrityError:
        intake.pk = None
        return False
    return True


def _mark_as_sending(intake: Intake) -> None:
    now = timezone.now()
    same = Questionnaire.objects.filter(name_key=key_of(intake.name), created_at__gt=now - JUST_BEFORE)
    intake.state, intake.sent_at, intake.due_at = IntakeState.SENDING, now, now + LEASE
    intake.seen_before = list(same.values_list("platform_id", flat=True)[:200])
    intake.save()
    touch_areas("questionnaires")


def _ask(intake: Intake, file: IO[Any] | None, again: Intake | None) -> None:
    """Keep what looks like a duplicate until the person has decided."""
    intake.state, intake.sent_at, intake.due_at = IntakeState.ASKING, None, None
    if file is not None:
        # The file first: a row never stands for a file that is not there.
        intake.file.save(intake.filename, File(file, name=intake.filename), save=False)
    try:
        with transaction.atomic():
            intake.save(force_insert=True)
            if again:
                Intake.objects.filter(pk=again.pk, successor=None).update(successor=intake)
            touch_areas("questionnaires")
    except Exception:
        if intake.file.name:
            intake.file.storage.delete(intake.file.name)
        raise


def _send(intake: Intake, client: Platform, file: IO[Any] | None, member: Membership) -> None:
    try:
        created = _create(intake, client, file)
    except UnexpectedAnswer:
        # It says success and cannot be read: very likely made.
        mark_uncertain(intake)
    except (PlatformError, NotConnected, Locked) as error:
        if isinstance(error, Unavailable) and error.sent:
            mark_uncertain(intake)
        else:
            _refuse(intake, member, error_message(error, area="questionnaires"))
            raise
    else:
        record_created(intake, created)
    delete_leftover_file(Intake.objects.get(pk=intake.pk))


def _create(intake: Intake, client: Platform, file: IO[Any] | None) -> remote.Questionnaire:
    origin: dict[str, Any] = dict(intake.origin)
    if "due_date" in origin:
        origin["due_date"] = datetime.fromisoformat(origin["due_date"])
    if intake.account_id:
        origin["customer_trust_account_id"] = intake.account_id
    if file is None:
        return client.questionnaires.create_from_website(display_name=intake.name, url=intake.url, **origin)
    file.seek(0)
    return client.questionnaires.create_from_file(
        cast(BinaryIO, file), filename=intake.filename, display_name=intake.name, **origin
    )


@transaction.atomic
def _refuse(intake: Intake, member: Membership, words: str) -> None:
    """The platform has not taken it. One whose file is kept waits for another word of the person."""
    words = words[:300]
    state, now = IntakeState.ASKING if intake.is_repeat else IntakeState.REFUSED, timezone.now()
    settled = None if intake.is_repeat else now
    Intake.objects.filter(pk=intake.pk).update(state=state, description=words, due_at=None, settled_at=settled)
    if state == IntakeState.REFUSED:
        # One that it was to hand in again still waits for that.
        Intake.objects.filter(successor=intake).update(successor=None)
    summary = f"{intake.name[:150]} was not created on the platform."
    details = {**intake.what, "answer": words}
    record("questionnaire.intake_refused", target=(INTAKE, str(intake.pk)), summary=summary, actor=member.user, details=details)
    touch_areas("questionnaires")
