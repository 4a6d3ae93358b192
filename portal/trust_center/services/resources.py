"""Changing a document of the Trust Center: only what is different is sent."""

from dataclasses import dataclass

from django.db import transaction

from portal.audit.services import record
from portal.connections.services import Urgency, client_for, trust_center
from portal.page_refresh.services import touch_areas
from portal.platform_api.bodies.showcase import ResourceChanges
from portal.platform_api.models.trust_center import Resource as RemoteResource
from portal.tenants.models import Membership, Role
from portal.trust_center.kinds import AREA, RESOURCE
from portal.trust_center.models import Resource
from portal.trust_center.services.store import store_resource
from portal.trust_center.services.writes import check, update_object


@dataclass(frozen=True, kw_only=True)
class ResourceChange:
    """What is to be different; None leaves it as it is."""

    title: str | None = None
    description: str | None = None
    is_public: bool | None = None

    @property
    def body(self) -> ResourceChanges:
        """What the platform is told."""
        body: ResourceChanges = {}
        if self.title is not None:
            body["title"] = self.title
        if self.description is not None:
            body["description"] = self.description
        if self.is_public is not None:
            body["is_public"] = self.is_public
        return body

    @property
    def field_names(self) -> str:
        """The fields that it changes, for people."""
        parts = {"title": self.title, "description": self.description, "access level": self.is_public}
        return ", ".join(name for name, value in parts.items() if value is not None)

    def is_done(self, found: RemoteResource) -> bool:
        """Say whether the platform has it as it should be."""
        return (
            self.title in (None, found.title)
            and self.description in (None, found.description or "")
            and self.is_public in (None, found.is_public)
        )


def change_resource(resource: Resource, change: ResourceChange, *, member: Membership) -> Resource:
    """Change a document on the platform; who may see it is an admin's to change.

    Raises PermissionDenied, Gone, OutcomeUnknown, NotConnected, NoTrustCenter or a PlatformError.
    """
    check(member, Role.ANALYST if change.is_public is None else Role.ADMIN)
    resources = trust_center(client_for(Urgency.PERSON)).resources
    found = update_object(
        RESOURCE,
        resource.platform_id,
        write=lambda: resources.update(resource.platform_id, **change.body),
        look=lambda: resources.get(resource.platform_id),
        is_done=change.is_done,
    )
    before = facts_of(resource)
    with transaction.atomic():
        store_resource(found)
        resource = Resource.objects.get(pk=resource.pk)
        summary = f"Changed {change.field_names} of the document “{str(resource)[:150]}”."
        details = {"before": before, "after": facts_of(resource)}
        target = (RESOURCE, resource.platform_id)
        record("resource.change", target=target, summary=summary, actor=member.user, details=details)
        touch_areas(AREA)
    return resource


def facts_of(resource: Resource) -> dict[str, str | bool]:
    return {"title": resource.title, "description": resource.description[:300], "is_public": resource.is_public}
