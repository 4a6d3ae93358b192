"""Adding, renaming and deleting groups of subscribers."""

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import Urgency, client_for, trust_center
from portal.page_refresh.services import touch_areas
from portal.platform_api.areas.trust_center_news import SubscriberGroups
from portal.platform_api.models import showcase as remote
from portal.tenants.models import Membership
from portal.trust_center.errors import AlreadyThere
from portal.trust_center.kinds import AREA, SUBSCRIBER_GROUP
from portal.trust_center.models import SubscriberGroup, SubscriberInGroup
from portal.trust_center.services.store import column_name
from portal.trust_center.services.store_updates import store_subscriber_group
from portal.trust_center.services.writes import PUBLISHER, add_object, check, delete_object, update_object


def add_subscriber_group(name: str, *, member: Membership) -> SubscriberGroup:
    """Add a group without anybody in it.

    Raises PermissionDenied, AlreadyThere, OutcomeUnknown, NotConnected, NoTrustCenter or a PlatformError.
    """
    check(member, PUBLISHER)
    if SubscriberGroup.objects.present().filter(name=name).exists():
        raise AlreadyThere
    groups = _groups()
    added = add_object(
        write=lambda: groups.create(name, []), fetch=lambda: [each for each in groups.all() if each.name == name]
    )
    with transaction.atomic():
        return _keep(added, "add", "Added", member)


def rename_subscriber_group(group: SubscriberGroup, name: str, *, member: Membership) -> SubscriberGroup:
    """Rename a group on the platform. Raises PermissionDenied, Gone, OutcomeUnknown, NotConnected or a PlatformError."""
    check(member, PUBLISHER)
    groups = _groups()
    found = update_object(
        SUBSCRIBER_GROUP,
        group.platform_id,
        write=lambda: groups.rename(group.platform_id, name),
        fetch=lambda: groups.get(group.platform_id),
        is_done=lambda found: found.name == name,
        said=lambda found: column_name(found.name),
        before=group.name,
    )
    with transaction.atomic():
        return _keep(found, "rename", "Renamed", member)


def delete_subscriber_group(group: SubscriberGroup, *, member: Membership) -> None:
    """Delete a group on the platform; its subscribers stay.

    Raises PermissionDenied, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member, PUBLISHER)
    groups = _groups()
    delete_object(
        SUBSCRIBER_GROUP,
        group.platform_id,
        delete=lambda: groups.delete(group.platform_id),
        fetch=lambda: groups.get(group.platform_id),
        is_known_gone=lambda: SubscriberGroup.objects.filter(pk=group.pk).exclude(gone_at=None).exists(),
    )
    with transaction.atomic():
        if SubscriberGroup.objects.present().filter(pk=group.pk).update(gone_at=timezone.now()):
            SubscriberInGroup.objects.filter(group_id=group.platform_id).delete()
            _note(group, "delete", "Deleted", member)


def _groups() -> SubscriberGroups:
    return trust_center(client_for(Urgency.PERSON)).subscriber_groups


def _keep(found: remote.SubscriberGroup, verb: str, said: str, member: Membership) -> SubscriberGroup:
    store_subscriber_group(found)
    group = SubscriberGroup.objects.get(platform_id=found.id)
    _note(group, verb, said, member)
    return group


def _note(group: SubscriberGroup, verb: str, said: str, member: Membership) -> None:
    summary = f"{said} the subscriber group “{str(group)[:150]}”."
    record(f"subscriber_group.{verb}", target=(SUBSCRIBER_GROUP, group.platform_id), summary=summary, actor=member.user)
    touch_areas(AREA)
