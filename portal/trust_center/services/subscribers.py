"""Adding and removing subscribers, and the groups they are in. An address is what tells one from the others."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import Urgency, client_for, trust_center
from portal.page_refresh.services import touch_areas
from portal.platform_api.areas.trust_center_news import Subscribers
from portal.platform_api.models import showcase as remote
from portal.tenants.models import Membership
from portal.tenants.personal_data import fold
from portal.trust_center.errors import AlreadyThere, GroupsNotSet
from portal.trust_center.kinds import AREA, SUBSCRIBER
from portal.trust_center.models import Subscriber
from portal.trust_center.refusals import REFUSALS
from portal.trust_center.services.store_updates import groups_of, store_subscriber
from portal.trust_center.services.writes import (
    PUBLISHER,
    add_object,
    check,
    delete_object,
    look_before,
    update_object,
    version_of_choice,
)


def add_subscriber(email: str, group_ids: Sequence[str], *, member: Membership) -> Subscriber:
    """Add somebody who is told of updates; the platform asks them to confirm their address.

    Raises PermissionDenied, AlreadyThere, OutcomeUnknown, NotConnected, NoTrustCenter or a PlatformError; GroupsNotSet once
    they are added.
    """
    check(member, PUBLISHER)
    if Subscriber.objects.present().of_person(fold(email)).exists():
        raise AlreadyThere
    subscribers = _subscribers()
    added = add_object(
        write=lambda: subscribers.create(email=email),
        fetch=lambda: [each for each in subscribers.all() if fold(each.email) == fold(email)],
    )
    with transaction.atomic():
        subscriber = _keep(added, "add", "Added a subscriber of updates.", member)
    if not group_ids:
        return subscriber
    try:
        return _put_into(subscribers, added, group_ids, member)
    except REFUSALS as error:
        raise GroupsNotSet(subscriber.platform_id, error) from error


def set_groups(subscriber: Subscriber, group_ids: Sequence[str], *, seen: str, member: Membership) -> Subscriber:
    """Put a subscriber into exactly these groups, if they are in those that the person has seen (`version_of_choice`).

    Raises PermissionDenied, Gone, ChangedMeanwhile, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member, PUBLISHER)
    subscribers = _subscribers()
    before = look_before(
        SUBSCRIBER,
        subscriber.platform_id,
        lambda: subscribers.get(subscriber.platform_id),
        is_expected=lambda found: version_of_choice(groups_of(found)) == seen or groups_of(found) == set(group_ids),
        store=store_subscriber,
    )
    return _put_into(subscribers, before, group_ids, member)


def _put_into(subscribers: Subscribers, before: remote.Subscriber, group_ids: Sequence[str], member: Membership) -> Subscriber:
    found = update_object(
        SUBSCRIBER,
        before.id,
        write=lambda: subscribers.set_groups(before.id, [*group_ids]),
        fetch=lambda: subscribers.get(before.id),
        is_done=lambda found: groups_of(found) == set(group_ids),
        said=groups_of,
        before=groups_of(before),
    )
    with transaction.atomic():
        return _keep(found, "groups", "Changed the groups of a subscriber.", member)


def remove_subscriber(subscriber: Subscriber, *, member: Membership) -> None:
    """Remove a subscriber on the platform. Raises PermissionDenied, OutcomeUnknown, NotConnected or a PlatformError."""
    check(member, PUBLISHER)
    subscribers = _subscribers()
    delete_object(
        SUBSCRIBER,
        subscriber.platform_id,
        delete=lambda: subscribers.delete(subscriber.platform_id),
        fetch=lambda: subscribers.get(subscriber.platform_id),
        is_known_gone=lambda: Subscriber.objects.filter(pk=subscriber.pk).exclude(gone_at=None).exists(),
    )
    with transaction.atomic():
        if Subscriber.objects.present().filter(pk=subscriber.pk).update(gone_at=timezone.now()):
            _note(subscriber, "remove", "Removed a subscriber of updates.", member)


def _subscribers() -> Subscribers:
    return trust_center(client_for(Urgency.PERSON)).subscribers


def _keep(found: remote.Subscriber, verb: str, summary: str, member: Membership) -> Subscriber:
    store_subscriber(found)
    subscriber = Subscriber.objects.get(platform_id=found.id)
    _note(subscriber, verb, summary, member)
    return subscriber


def _note(subscriber: Subscriber, verb: str, summary: str, member: Membership) -> None:
    # Without the address: audit rows stay when a person is erased.
    record(f"subscriber.{verb}", target=(SUBSCRIBER, subscriber.platform_id), summary=summary, actor=member.user)
    touch_areas(AREA)
