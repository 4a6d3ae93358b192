"""What somebody without a login does with their links: they open them, and answer one question after the other.

Each answer is kept by itself, so that nothing of it is lost when the links end in the middle.
"""

from collections.abc import Mapping
from typing import IO, Any

from django.core.files import File
from django.db import transaction
from django.utils import timezone

from portal.audit.models import Entry
from portal.lib.storable import storable
from portal.page_refresh.services import touch_areas
from portal.questionnaires.attachments import MAX_FILES
from portal.questionnaires.controls import untouched_value
from portal.questionnaires.models import A_DAY, ExpertFile, ExpertLink
from portal.questionnaires.services.experts import record_link, recount_asked
from portal.questionnaires.services.notifications import tell_answered, tell_taken_back
from portal.tenants.scope import all_tenants, tenant_scope

MAX_ANSWERS_A_DAY = 20
"""By one link. An answer is changed a few times, not all day long, and each is a row of the audit trail for good."""
SENT = ("response.expert.answer", "response.expert.take_back")


class LinkEnded(Exception):
    """The link has expired or was revoked, or its question needs no answer any more. Nothing was kept."""


class TooManyFiles(Exception):
    """The question has as many files as one link may leave. Nothing was kept."""


class TooManyAnswers(Exception):
    """The link has changed its answer as often as it may in a day. Nothing was kept."""


def open_expert_link(token: str) -> ExpertLink | None:
    """Return what is behind a token, also when it has ended; None when the token was not signed here."""
    with all_tenants("the token is all that says whose question this is"):
        links = ExpertLink.objects.behind(token).select_related("response__questionnaire", "tenant")
        return links.filter(tenant__closed_at=None).first()


def open_asking(token: str) -> list[ExpertLink]:
    """Return the links to all questions of one asking, also ended ones; none when the token was not signed here."""
    with all_tenants("the token is all that says whose questions these are"):
        links = ExpertLink.objects.behind_all(token).select_related("response__questionnaire", "tenant")
        unread = ("response__payload", "response__search", "response__answer_text", "response__questionnaire__payload")
        links = links.filter(tenant__closed_at=None).defer(*unread)
        return list(links.order_by("response__position", "pk"))


def may_send_file(token: str) -> bool:
    """Say whether a link may leave a file now. Asked before the body of a request is read (guarantee S20)."""
    link = open_expert_link(token)
    if link is None or not link.is_open:
        return False
    with tenant_scope(link.tenant_id):
        return has_room(link)


def has_room(link: ExpertLink) -> bool:
    """Say whether a link may leave one more file."""
    return ExpertFile.objects.filter(link=link).count() < MAX_FILES


@transaction.atomic
def note_opened(*links: ExpertLink) -> None:
    """Note that the expert has seen these questions."""
    if ExpertLink.objects.filter(pk__in=[link.pk for link in links], opened_at=None).update(opened_at=timezone.now()):
        touch_areas("questionnaires")


def answer_by_link(link: ExpertLink, *, seen: str, parts: Mapping[str, Any], file: tuple[str, IO[Any]] | None = None) -> bool:
    """Keep an expert's answer until somebody here takes it over, and the file that came with it, by name and content.

    `parts` are those that they changed. False when they took back all that they had sent, so that the question is open again.
    Raises LinkEnded, TooManyFiles, TooManyAnswers.
    """
    # The file first: a row never stands for a file that is not there.
    sent = _stored(link, *file) if file else None
    try:
        return _keep_answer(link, seen=seen, parts=parts, sent=sent)
    except BaseException:
        if sent:
            sent.file.storage.delete(sent.file.name or "")
        raise


@transaction.atomic
def _keep_answer(link: ExpertLink, *, seen: str, parts: Mapping[str, Any], sent: ExpertFile | None) -> bool:
    # Locked, so that an answer and a revocation at the same moment come one after the other.
    locked = ExpertLink.objects.select_for_update(of=("self",))
    link = locked.select_related("response__questionnaire").get(pk=link.pk)
    if not link.is_open:
        raise LinkEnded
    if sent:
        if not has_room(link):
            raise TooManyFiles
        sent.save()
    now = timezone.now()
    values = _values_after(link, storable(dict(parts)))
    is_left = bool(values) or link.response.is_answered or link.files.exists()
    if is_left and not sent and _says_the_same(link, values, seen):
        # What somebody here has used or dismissed stays so.
        ExpertLink.objects.filter(pk=link.pk).update(seen=seen[:64])
        return True
    if _sent_lately(link) >= MAX_ANSWERS_A_DAY:
        raise TooManyAnswers
    columns = {"values": values, "seen": seen[:64], "answered_at": now if is_left else None}
    ExpertLink.objects.filter(pk=link.pk).update(**columns, settled_at=None, was_used=False)
    recount_asked([link.response_id])
    if is_left:
        record_link(link, "answer", "An expert answered by link", None)
        tell_answered(link, at=now)
    else:
        record_link(link, "take_back", "An expert withdrew their answer", None)
        tell_taken_back(link, at=now)
    return is_left


def _says_the_same(link: ExpertLink, values: Mapping[str, Any], seen: str) -> bool:
    """Say whether it was sent before. That an answer is right as it is says something else of another answer."""
    return link.answered_at is not None and values == link.values and (bool(values) or seen[:64] == link.seen)


def _sent_lately(link: ExpertLink) -> int:
    of_question = Entry.objects.filter(target_kind="response", target_id=link.response.platform_id)
    return of_question.filter(action__in=SENT, details__link=link.pk, at__gt=timezone.now() - A_DAY).count()


def _values_after(link: ExpertLink, parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an expert has sent in all; a part that is set back to what the platform has is no answer of theirs."""
    answer = link.response.answer
    changed = [(answer.part(part_id), value) for part_id, value in parts.items()]
    set_back = {part.id for part, value in changed if part.is_same(untouched_value(part), value)}
    return {part_id: value for part_id, value in {**link.values, **parts}.items() if part_id not in set_back}


def _stored(link: ExpertLink, name: str, content: IO[Any]) -> ExpertFile:
    """Put a file into the storage, for a row that is not written yet."""
    kept = File(content, name=name)
    row = ExpertFile(tenant_id=link.tenant_id, link=link, filename=name[:255], size=kept.size)
    row.file.save(name, kept, save=False)
    return row
