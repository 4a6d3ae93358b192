"""Adding links to a document. Its address is what tells a link from the others: a lost answer never makes two of one."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from django.db import transaction

from portal.audit.services import record
from portal.documents.errors import AlreadyThere
from portal.documents.kinds import AREA, DOCUMENT
from portal.documents.models import Document, Link
from portal.documents.services.evidence import keep_child, link_columns
from portal.documents.services.writes import check, documents, look_up, read_again
from portal.page_refresh.services import touch_areas
from portal.platform_api.models.documents import Link as RemoteLink
from portal.platform_writes.outcomes import OutcomeUnknown, write_and_verify
from portal.tenants.models import Membership


@dataclass(frozen=True, kw_only=True)
class NewLink:
    """An address that proves something, and what the platform is told of it."""

    url: str
    title: str
    description: str = ""
    effective_on: date | None = None

    @property
    def effective_at(self) -> datetime | None:
        return datetime.combine(self.effective_on, time(), UTC) if self.effective_on else None


def add_link(document: Document, link: NewLink, *, member: Membership) -> None:
    """Add a link to a document.

    Raises PermissionDenied, AlreadyThere, Gone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member)
    links = documents().links

    def there() -> list[RemoteLink]:
        return [each for each in links.all(document.platform_id) if each.url == link.url]

    def write() -> None:
        links.create(
            document.platform_id,
            url=link.url,
            title=link.title,
            description=link.description or None,
            effective_date=link.effective_at,
        )

    if before := look_up(document, there):
        _keep(document, before[0])
        raise AlreadyThere
    try:
        found = look_up(document, lambda: write_and_verify(write=write, fetch=there, is_done=bool, must_show=True))
    except OutcomeUnknown:
        read_again(document)
        raise
    with transaction.atomic():
        read_again(document)
        _keep(document, found[0])
        summary = f"Added the link “{link.title[:120]}” to the document “{str(document)[:120]}”."
        target = (DOCUMENT, document.platform_id)
        record("document.add_link", target=target, summary=summary, actor=member.user, details={"id": found[0].id})


@transaction.atomic
def _keep(document: Document, found: RemoteLink) -> None:
    keep_child(Link, document, found, link_columns)
    touch_areas(AREA)
