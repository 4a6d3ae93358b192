"""Changing a document of the Trust Center: only what is different is sent."""

from dataclasses import asdict, dataclass
from typing import Any, cast

from django.db import transaction

from portal.audit.services import record
from portal.connections.services import Urgency, client_for, trust_center
from portal.lib.line_breaks import unified
from portal.lib.storable import storable_text
from portal.page_refresh.services import touch_areas
from portal.platform_api.bodies.showcase import ResourceChanges
from portal.platform_api.models.trust_center import Resource as RemoteResource
from portal.tenants.models import Membership, Role
from portal.trust_center.kinds import AREA, RESOURCE
from portal.trust_center.models import Resource
from portal.trust_center.services.store import store_resource
from portal.trust_center.services.writes import check, look_before, update_object, version_of

LABELS = {"title": "title", "description": "description", "is_public": "access level"}
"""What can be changed, by the names of the call: how people call it."""


def said_by(found: Resource | RemoteResource) -> dict[str, str | bool]:
    """Return all that can be changed of the platform's document, or of our copy: columns may be shorter."""
    if isinstance(found, Resource):
        found = RemoteResource.read(found.payload)
    return {
        "title": unified(storable_text(found.title)),
        "description": unified(storable_text(found.description or "")),
        "is_public": found.is_public,
    }


def resource_version(found: Resource | RemoteResource) -> str:
    """Return what stands for everything that a person can change of a document."""
    return version_of([*said_by(found).values()])


@dataclass(frozen=True, kw_only=True)
class ResourceChange:
    """What a document is to say; None leaves it as it is."""

    title: str | None = None
    description: str | None = None
    is_public: bool | None = None

    def differences(self, found: Resource | RemoteResource) -> dict[str, Any]:
        """Return what the document does not say yet, by the names of the call."""
        now = said_by(found)
        return {name: value for name, value in asdict(self).items() if value is not None and value != now[name]}


def change_resource(resource: Resource, change: ResourceChange, *, seen: str, member: Membership) -> Resource:
    """Change a document on the platform, if it still says what the person has seen (`resource_version`).

    Who may see it is an admin's to change. Raises PermissionDenied, Gone, ChangedMeanwhile, OutcomeUnknown, NotConnected,
    NoTrustCenter or a PlatformError.
    """
    check(member, Role.ANALYST if change.is_public is None else Role.ADMIN)
    resources = trust_center(client_for(Urgency.PERSON)).resources

    def fetch() -> RemoteResource:
        return resources.get(resource.platform_id)

    found = before = look_before(
        RESOURCE,
        resource.platform_id,
        fetch,
        is_expected=lambda found: resource_version(found) == seen or not change.differences(found),
        store=store_resource,
    )
    # What a lost answer has changed is there already: nothing is sent then.
    if different := cast(ResourceChanges, change.differences(before)):
        found = update_object(
            RESOURCE,
            resource.platform_id,
            write=lambda: resources.update(resource.platform_id, **different),
            fetch=fetch,
            is_done=lambda found: not change.differences(found),
            said=said_by,
            before=said_by(before),
        )
    changed, facts = change.differences(resource), facts_of(resource)
    with transaction.atomic():
        store_resource(found)
        resource = Resource.objects.get(pk=resource.pk)
        fields = ", ".join(LABELS[name] for name in changed)
        summary = f"Changed the document “{str(resource)[:150]}”{f': {fields}' if fields else ''}."
        details = {"before": facts, "after": facts_of(resource)}
        target = (RESOURCE, resource.platform_id)
        record("resource.change", target=target, summary=summary, actor=member.user, details=details)
        touch_areas(AREA)
    return resource


def facts_of(resource: Resource) -> dict[str, str | bool]:
    return {"title": resource.title, "description": resource.description[:300], "is_public": resource.is_public}
