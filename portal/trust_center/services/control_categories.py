"""Adding, renaming, ordering and deleting categories of controls (platform-api 4.5.6). Only their list tells their order."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import Urgency, client_for, trust_center
from portal.page_refresh.services import touch_areas
from portal.platform_api.areas.trust_center_documents import ControlCategories
from portal.platform_api.errors import UnexpectedAnswer
from portal.platform_api.paging import whole_list
from portal.platform_writes.outcomes import OutcomeUnknown, check_shown, write_and_verify
from portal.sync.copies import lock_in_order
from portal.sync.freshness import fetch_now
from portal.sync.services.positions import find_listed
from portal.tenants.models import Membership
from portal.trust_center.errors import AlreadyThere, Gone
from portal.trust_center.kinds import AREA, CONTROL_CATEGORY, SHOWN_CONTROL
from portal.trust_center.models import ControlCategory, ControlPlacement, ShownControl
from portal.trust_center.services.store import column_name
from portal.trust_center.services.store_controls import PlacedCategory, placed, sort_controls, store_control_category
from portal.trust_center.services.writes import add_object, check, delete_object, update_object


def add_control_category(name: str, *, member: Membership) -> ControlCategory:
    """Add a category on the platform.

    Raises PermissionDenied, AlreadyThere, OutcomeUnknown, NotConnected, NoTrustCenter or a PlatformError.
    """
    check(member)
    if ControlCategory.objects.present().filter(name=name).exists():
        raise AlreadyThere
    categories = _categories()
    added = add_object(
        write=lambda: categories.create(name),
        fetch=lambda: [each for each in placed(categories.all()) if each.found.name == name],
    )
    with transaction.atomic():
        return _keep(added, "add", "Added", member)


def rename_control_category(category: ControlCategory, name: str, *, member: Membership) -> ControlCategory:
    """Rename a category on the platform. Raises PermissionDenied, Gone, OutcomeUnknown, NotConnected or a PlatformError."""
    check(member)
    categories = _categories()
    found = update_object(
        CONTROL_CATEGORY,
        category.platform_id,
        write=lambda: categories.update(category.platform_id, name=name),
        fetch=lambda: find_listed(placed(categories.all()), category.platform_id),
        is_done=lambda each: each.found.name == name,
        said=lambda each: column_name(each.found.name),
        before=category.name,
    )
    with transaction.atomic():
        return _keep(found, "rename", "Renamed", member)


def move_control_category(category: ControlCategory, *, up: bool, member: Membership) -> None:
    """Let a category change places with its neighbour in the platform's list of this moment.

    Raises PermissionDenied, Gone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member)
    categories = _categories()
    listed = whole_list(categories.all())
    if listed.unread:
        # The platform is told the order of all of them: what cannot be read would be left out of it.
        raise UnexpectedAnswer("GET", "", message="some of the categories")
    now = [each.id for each in listed.items]
    if category.platform_id not in now:
        fetch_now((CONTROL_CATEGORY, category.platform_id))
        raise Gone
    wanted = exchanged(now, category.platform_id, up=up)
    if wanted == now:
        return
    try:
        found = write_and_verify(
            write=lambda: categories.reorder(wanted),
            fetch=lambda: placed(categories.all()),
            is_done=lambda listed: [each.id for each in listed] == wanted,
            of=(CONTROL_CATEGORY, wanted),
        )
        order = [each.id for each in found]
        check_shown(order, before=now, is_done=order == wanted)
    except OutcomeUnknown:
        moved = (category.platform_id, wanted[now.index(category.platform_id)])
        fetch_now(*((CONTROL_CATEGORY, each) for each in moved))
        raise
    with transaction.atomic():
        for each in found:
            store_control_category(each)
        _note(category, "move", f"Moved {'up' if up else 'down'}", member)


def exchanged(ids: Sequence[str], moved: str, *, up: bool) -> list[str]:
    """Return an order in which one has changed places with its neighbour; the same one where it has none there."""
    place = ids.index(moved)
    other = place - 1 if up else place + 1
    changed = [*ids]
    if 0 <= other < len(ids):
        changed[place], changed[other] = changed[other], changed[place]
    return changed


def delete_control_category(category: ControlCategory, *, member: Membership) -> None:
    """Delete a category on the platform; controls that stand in no other one leave the Trust Center with it.

    Raises PermissionDenied, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member)
    categories = _categories()
    delete_object(
        CONTROL_CATEGORY,
        category.platform_id,
        delete=lambda: categories.delete(category.platform_id),
        fetch=lambda: find_listed(placed(categories.all()), category.platform_id),
        is_known_gone=lambda: ControlCategory.objects.filter(pk=category.pk).exclude(gone_at=None).exists(),
    )
    with transaction.atomic():
        if ControlCategory.objects.present().filter(pk=category.pk).update(gone_at=timezone.now()):
            _leave(category)
            _note(category, "delete", "Deleted", member)


def _leave(category: ControlCategory) -> None:
    """Do to its controls what the platform does. What becomes of those in two is not documented: that is looked up."""
    in_category = ShownControl.objects.present().in_category(category.platform_id)
    lock_in_order(in_category)
    in_category.in_one_category().update(gone_at=timezone.now())
    controls = dict(in_category.values_list("pk", "platform_id"))
    fetch_now(*((SHOWN_CONTROL, each) for each in controls.values()))
    ControlPlacement.objects.filter(category_id=category.platform_id, control__in=controls).delete()
    sort_controls(ShownControl.objects.filter(pk__in=controls))


def _categories() -> ControlCategories:
    return trust_center(client_for(Urgency.PERSON)).control_categories


def _keep(found: PlacedCategory, verb: str, said: str, member: Membership) -> ControlCategory:
    store_control_category(found)
    category = ControlCategory.objects.get(platform_id=found.id)
    _note(category, verb, said, member)
    return category


def _note(category: ControlCategory, verb: str, said: str, member: Membership) -> None:
    summary = f"{said} the control category “{str(category)[:150]}”."
    target = (CONTROL_CATEGORY, category.platform_id)
    record(f"control_category.{verb}", target=target, summary=summary, actor=member.user)
    touch_areas(AREA)
