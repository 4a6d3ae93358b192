"""One change of one viewer on the platform and here. Its outcome is read back and never guessed (guarantee W1)."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.access_requests.kinds import VIEWER
from portal.access_requests.models import Viewer
from portal.access_requests.services.outcomes import AREA
from portal.access_requests.services.store import remove_viewer, store_viewer
from portal.access_requests.services.viewer_reminders import remind
from portal.access_requests.viewer_changes import ViewerChange, ViewerVerb
from portal.audit.services import record
from portal.connections.services import trust_center
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api import models as remote
from portal.platform_api.areas.trust_center import TrustCenter
from portal.platform_writes.outcomes import (
    check_shown,
    delete_and_verify,
    refetching,
    verify_and_write,
    write_and_verify,
)
from portal.sync.freshness import fetch_now
from portal.tenants.models import Membership, Role

type Then = Callable[[], object]


class ViewerGone(Exception):
    """The platform has no such viewer anymore."""


class NotPossible(Exception):
    """The change makes no sense for this viewer; the message says why."""


def change_viewer(
    viewer: Viewer, *, change: ViewerChange, member: Membership, client: Platform, checks_before_retry: bool, then: Then
) -> None:
    """Make a change. `then` runs in the transaction that writes it down.

    Raises ViewerGone, NotPossible, OutcomeUnknown, NoTrustCenter, what `remind` raises, or a PlatformError.
    """
    if not member.may(Role.APPROVER):
        raise PermissionDenied
    center = trust_center(client)
    if viewer.gone_at and not checks_before_retry:
        raise ViewerGone
    with refetching(lambda: fetch_now((VIEWER, viewer.platform_id)), gone=ViewerGone):
        _make(viewer, center, change, checks_before_retry=checks_before_retry, member=member, then=then)


def _make(
    viewer: Viewer, center: TrustCenter, change: ViewerChange, *, checks_before_retry: bool, member: Membership, then: Then
) -> None:
    """Make a change of any kind; what is raised says what the platform answered."""
    match change.verb:
        case ViewerVerb.REMIND:
            if viewer.is_expired:
                raise NotPossible("Their access has ended, so there's nothing to invite them to.")
            remind(viewer, center, then=lambda: _note(viewer, change, member, {}, then))
        case ViewerVerb.REVOKE:
            _revoke(
                viewer,
                center,
                checks_before_retry=checks_before_retry,
                then=lambda: _note(viewer, change, member, {}, then),
            )
        case _:
            _update(viewer, center, change, checks_before_retry=checks_before_retry, member=member, then=then)


def _update(
    viewer: Viewer, center: TrustCenter, change: ViewerChange, *, checks_before_retry: bool, member: Membership, then: Then
) -> None:
    if change.verb == ViewerVerb.SHRINK and not change.left_to(viewer):
        raise NotPossible("This person can open none of the chosen documents, so nothing would be left. Revoke access instead.")
    after: remote.Viewer = (verify_and_write if checks_before_retry else write_and_verify)(
        write=lambda: center.viewers.update(viewer.platform_id, **change.body(viewer)),
        fetch=lambda: center.viewers.get(viewer.platform_id),
        is_done=lambda found: change.is_done(viewer, found),
        of=(VIEWER, [viewer.platform_id]),
    )
    check_shown(change.seen_in(after), before=change.seen_here(viewer), is_done=change.is_done(viewer, after))
    before = facts_of(viewer)
    with transaction.atomic():
        store_viewer(after)
        viewer.refresh_from_db()
        _note(viewer, change, member, {"before": before, "after": facts_of(viewer)}, then)


def _revoke(viewer: Viewer, center: TrustCenter, *, checks_before_retry: bool, then: Then) -> None:
    def is_known_gone() -> bool:
        return Viewer.objects.filter(pk=viewer.pk).exclude(gone_at=None).exists()

    delete_and_verify(
        delete=lambda: center.viewers.delete(viewer.platform_id),
        fetch=lambda: center.viewers.get(viewer.platform_id),
        is_known_gone=is_known_gone,
        checks_before_retry=checks_before_retry,
        # Only a walk through the whole list would tell (platform-api 4.5.3).
        answers_for_removed=True,
        of=(VIEWER, [viewer.platform_id]),
    )
    with transaction.atomic():
        remove_viewer(viewer.platform_id)
        then()


def _note(viewer: Viewer, change: ViewerChange, member: Membership, details: dict[str, Any], then: Then) -> None:
    target = ("viewer", viewer.platform_id)
    record(f"viewer.{change.verb}", target=target, summary=change.sentence, actor=member.user, details=details)
    then()
    touch_areas(AREA)


def facts_of(viewer: Viewer) -> dict[str, Any]:
    """What a change may change, without a word about the person."""
    return {
        "expires_at": viewer.expires_at and viewer.expires_at.isoformat(),
        "access_level": viewer.access_level,
        "resource_ids": viewer.resource_ids,
        "account_id": viewer.account_id,
    }
