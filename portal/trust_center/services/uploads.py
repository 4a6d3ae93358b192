"""Adding documents to the Trust Center, and deleting them there.

The platform takes the same file twice. So a document is known by its title and the name of its file: one whose answer was lost
is looked for, and where one of these names is there already, none is sent (guarantee W1).
"""

from dataclasses import dataclass
from typing import BinaryIO

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import Urgency, client_for, trust_center
from portal.page_refresh.services import touch_areas
from portal.platform_api.models.trust_center import Resource as RemoteResource
from portal.platform_writes.outcomes import write_and_verify
from portal.tenants.models import Membership, Role
from portal.trust_center.errors import SameDocument
from portal.trust_center.kinds import AREA, RESOURCE
from portal.trust_center.models import ContentCheck, Resource
from portal.trust_center.services.resources import facts_of
from portal.trust_center.services.store import store_resource
from portal.trust_center.services.writes import check, delete_object, keep_found


@dataclass(frozen=True, kw_only=True)
class NewResource:
    """A document that somebody hands in."""

    content: BinaryIO
    file_name: str
    title: str
    description: str
    is_public: bool

    def is_named_as(self, found: RemoteResource) -> bool:
        return found.title == self.title and found.file_name in (None, "", self.file_name)


def add_resource(new: NewResource, *, member: Membership) -> Resource:
    """Add a document on the platform; one that everybody sees is an admin's to add.

    Raises PermissionDenied, SameDocument, OutcomeUnknown, NotConnected, NoTrustCenter or a PlatformError.
    """
    check(member, Role.ADMIN if new.is_public else Role.ANALYST)
    if Resource.objects.present().filter(title=new.title, file_name__in=("", new.file_name)).exists():
        raise SameDocument
    resources = trust_center(client_for(Urgency.PERSON)).resources

    def fetch() -> list[RemoteResource]:
        return [each for each in resources.all() if new.is_named_as(each)]

    if before := fetch():
        keep_found(store_resource, before[0])
        raise SameDocument
    found = write_and_verify(
        write=lambda: resources.create(
            new.content,
            filename=new.file_name,
            title=new.title,
            is_public=new.is_public,
            description=new.description or None,
        ),
        fetch=fetch,
        is_done=bool,
        must_show=True,
    )
    with transaction.atomic():
        store_resource(found[0])
        resource = Resource.objects.get(platform_id=found[0].id)
        _note(resource, "add", "Uploaded", member, {"after": facts_of(resource)})
    return resource


def delete_resource(resource: Resource, *, member: Membership) -> None:
    """Delete a document on the platform: viewers lose it, too, which makes it an admin's to do.

    Raises PermissionDenied, OutcomeUnknown, NotConnected, NoTrustCenter or a PlatformError.
    """
    check(member, Role.ADMIN)
    resources = trust_center(client_for(Urgency.PERSON)).resources
    delete_object(
        RESOURCE,
        resource.platform_id,
        delete=lambda: resources.delete(resource.platform_id),
        fetch=lambda: resources.get(resource.platform_id),
        is_known_gone=lambda: Resource.objects.filter(pk=resource.pk).exclude(gone_at=None).exists(),
    )
    with transaction.atomic():
        if Resource.objects.present().filter(pk=resource.pk).update(gone_at=timezone.now()):
            ContentCheck.objects.about(RESOURCE, resource.pk).delete()
            _note(resource, "delete", "Deleted", member, {"before": facts_of(resource)})


def _note(resource: Resource, verb: str, said: str, member: Membership, details: dict[str, object]) -> None:
    summary = f"{said} the document “{str(resource)[:150]}”."
    record(f"resource.{verb}", target=(RESOURCE, resource.platform_id), summary=summary, actor=member.user, details=details)
    touch_areas(AREA)
