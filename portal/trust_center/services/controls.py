"""Showing controls on the Trust Center, in which categories, and taking them off (specification 4.2, platform-api 4.5.6)."""

from collections.abc import Collection
from contextlib import suppress

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import Urgency, client_for, trust_center
from portal.page_refresh.services import touch_areas
from portal.platform_api.areas.trust_center import TrustCenter
from portal.platform_api.errors import NotFound
from portal.platform_api.models.showcase import ShownControl as RemoteShownControl
from portal.platform_writes.outcomes import OutcomeUnknown, write_and_verify
from portal.sync.freshness import fetch_now
from portal.tenants.models import Membership
from portal.trust_center.errors import Gone
from portal.trust_center.kinds import AREA, CONTROL, CONTROL_CATEGORY, SHOWN_CONTROL
from portal.trust_center.models import Control, ShownControl
from portal.trust_center.services.store_controls import store_shown_control
from portal.trust_center.services.writes import (
    check,
    delete_object,
    look_before,
    look_up,
    update_object,
    version_of_choice,
)


def show_control(control: Control, category_ids: Collection[str], *, member: Membership) -> ShownControl:
    """Show a control of the tenant on the Trust Center, in these categories. The same one twice is one on the platform.

    Raises PermissionDenied, Gone, OutcomeUnknown, NotConnected, NoTrustCenter or a PlatformError.
    """
    check(member)
    controls = trust_center(client_for(Urgency.PERSON)).controls
    shown_id = control.platform_id

    def write() -> None:
        nonlocal shown_id
        shown_id = controls.add(control_id=control.platform_id, category_ids=sorted(category_ids)).id

    def is_done(found: RemoteShownControl) -> bool:
        return set(category_ids) <= categories_of(found)

    try:
        found = look_up(
            CONTROL,
            control.platform_id,
            lambda: write_and_verify(write=write, fetch=lambda: controls.get(shown_id), is_done=is_done, must_show=True),
        )
    except OutcomeUnknown:
        fetch_now((SHOWN_CONTROL, shown_id))
        raise
    except Gone:
        # It may be a category that is not there any more: the answer does not say which of them.
        fetch_now(*((CONTROL_CATEGORY, category_id) for category_id in category_ids))
        raise
    return _keep(found, "show", "Added the control “{}” to the Trust Center.", member)


def set_categories(control: ShownControl, category_ids: Collection[str], *, seen: str, member: Membership) -> ShownControl:
    """Let a control stand in exactly these categories, if it stands in those that the person has seen (`version_of_choice`).

    Raises PermissionDenied, Gone, ChangedMeanwhile, OutcomeUnknown or a PlatformError.
    """
    check(member)
    center, wanted = trust_center(client_for(Urgency.PERSON)), set(category_ids)

    def fetch() -> RemoteShownControl:
        return center.controls.get(control.platform_id)

    before = look_before(
        SHOWN_CONTROL,
        control.platform_id,
        fetch,
        is_expected=lambda found: version_of_choice(categories_of(found)) == seen or categories_of(found) == wanted,
        store=store_shown_control,
    )
    found = update_object(
        SHOWN_CONTROL,
        control.platform_id,
        write=lambda: _move(center, control.platform_id, categories_of(before), wanted),
        fetch=fetch,
        is_done=lambda found: categories_of(found) == wanted,
        said=categories_of,
        before=categories_of(before),
    )
    return _keep(found, "move", "Changed the categories of the control “{}”.", member)


def _move(center: TrustCenter, control_id: str, present: set[str], wanted: set[str]) -> None:
    """Add first, then take out: a control that is in no category in between might not be shown any more."""
    if wanted - present:
        center.controls.add(control_id=control_id, category_ids=sorted(wanted - present))
    for category_id in sorted(present - wanted):
        # A category that was deleted meanwhile has no controls; what came of it all is looked up.
        with suppress(NotFound):
            center.control_categories.change_controls(category_id, controls_to_add=[], controls_to_remove=[control_id])


def hide_control(control: ShownControl, *, member: Membership) -> None:
    """Take a control off the Trust Center; the tenant keeps it. Raises PermissionDenied, OutcomeUnknown or a PlatformError."""
    check(member)
    controls = trust_center(client_for(Urgency.PERSON)).controls
    delete_object(
        SHOWN_CONTROL,
        control.platform_id,
        delete=lambda: controls.delete(control.platform_id),
        fetch=lambda: controls.get(control.platform_id),
        is_known_gone=lambda: ShownControl.objects.filter(pk=control.pk).exclude(gone_at=None).exists(),
    )
    with transaction.atomic():
        if ShownControl.objects.present().filter(pk=control.pk).update(gone_at=timezone.now()):
            _note(control, "hide", "Removed the control “{}” from the Trust Center.", member)


def categories_of(found: RemoteShownControl) -> set[str]:
    return {each.id for each in found.categories}


@transaction.atomic
def _keep(found: RemoteShownControl, verb: str, said: str, member: Membership) -> ShownControl:
    store_shown_control(found)
    control = ShownControl.objects.get(platform_id=found.id)
    _note(control, verb, said, member)
    return control


def _note(control: ShownControl, verb: str, said: str, member: Membership) -> None:
    summary = said.format(str(control)[:150])
    record(f"shown_control.{verb}", target=(SHOWN_CONTROL, control.platform_id), summary=summary, actor=member.user)
    touch_areas(AREA)
