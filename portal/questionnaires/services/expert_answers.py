"""What somebody without a login does with their links: they open them, and answer one question after the other.

Each answer is kept by itself, so that nothing of it is lost when the links end in the middle.
"""

from collections.abc import Mapping
from typing import IO, Any

from django.core.files import File
from django.db import transaction
from django.utils import timezone

from portal.lib.storable import storable
from portal.page_refresh.services import touch_areas
from portal.questionnaires.attachments import MAX_FILES
from portal.questionnaires.models import ExpertFile, ExpertLink
from portal.questionnaires.services.experts import record_link, recount_asked
from portal.questionnaires.services.notifications import tell_answered
from portal.tenants.scope import all_tenants, tenant_scope


class LinkEnded(Exception):
    """The link has expired or was revoked, or its question is gone. Nothing was kept."""


class TooManyFiles(Exception):
    """The question has as many files as one link may leave. Nothing was kept."""


def open_expert_link(token: str) -> ExpertLink | None:
    """Return what is behind a token, also when it has ended; None when the token was not signed here."""
    with all_tenants("the token is all that says whose question this is"):
        links = ExpertLink.objects.behind(token).select_related("response__questionnaire", "tenant")
        return links.filter(tenant__closed_at=None).first()


def open_asking(token: str) -> list[ExpertLink]:
    """Return the links to all questions of one asking, also ended ones; none when the token was not signed here."""
    with all_tenants("the token is all that says whose questions these are"):
        links = ExpertLink.objects.behind_all(token).select_related("response", "tenant")
        links = links.filter(tenant__closed_at=None).defer("response__payload", "response__search", "response__answer_text")
        return list(links.order_by("response__position", "pk"))


def may_send_file(token: str) -> bool:
    """Say whether a link may leave a file now. Asked before the body of a request is read (guarantee S20)."""
    link = open_expert_link(token)
    if link is None or link.has_ended or link.response.gone_at:
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


def answer_by_link(link: ExpertLink, *, seen: str, parts: Mapping[str, Any], file: tuple[str, IO[Any]] | None = None) -> None:
    """Keep an expert's answer until somebody here takes it over, and the file that came with it, by name and content.

    Raises LinkEnded, TooManyFiles.
    """
    # The file first: a row never stands for a file that is not there.
    sent = _stored(link, *file) if file else None
    try:
        _keep_answer(link, seen=seen, parts=parts, sent=sent)
    except BaseException:
        if sent:
            sent.file.storage.delete(sent.file.name or "")
        raise


@transaction.atomic
def _keep_answer(link: ExpertLink, *, seen: str, parts: Mapping[str, Any], sent: ExpertFile | None) -> None:
    # Locked, so that an answer and a revocation at the same moment come one after the other.
    link = ExpertLink.objects.select_for_update().select_related("response__questionnaire").get(pk=link.pk)
    if link.has_ended or link.response.gone_at:
        raise LinkEnded
    if sent:
        if not has_room(link):
            raise TooManyFiles
        sent.save()
    now = timezone.now()
    values = {**link.values, **storable(dict(parts))}
    columns = {"values": values, "seen": seen[:64], "answered_at": now, "settled_at": None, "was_used": False}
    ExpertLink.objects.filter(pk=link.pk).update(**columns)
    record_link(link, "answer", "An expert answered by link", None)
    recount_asked([link.response_id])
    tell_answered(link, at=now)


def _stored(link: ExpertLink, name: str, content: IO[Any]) -> ExpertFile:
    """Put a file into the storage, for a row that is not written yet."""
    kept = File(content, name=name)
    row = ExpertFile(tenant_id=link.tenant_id, link=link, filename=name[:255], size=kept.size)
    row.file.save(name, kept, save=False)
    return row
