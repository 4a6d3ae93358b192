"""What the platform says of controls and their categories becomes rows. Runs in the caller's transaction."""

from collections.abc import Mapping
from dataclasses import dataclass

from portal.lib.storable import storable
from portal.platform_api.models.compliance import Control as RemoteControl
from portal.platform_api.models.showcase import ControlCategory as RemoteCategory
from portal.platform_api.models.showcase import ShownControl as RemoteShownControl
from portal.platform_api.paging import Items
from portal.sync.copies import search_text, sort_key, store_copy
from portal.trust_center.models import (
    Control,
    ControlCategory,
    ControlPlacement,
    ShownControl,
    ShownControlQuerySet,
    control_sort_key,
)
from portal.trust_center.models.controls import MAX_WORD_LENGTH
from portal.trust_center.services.store import MAX_NAME_LENGTH, MAX_TEXT_LENGTH

OWN = "Custom"
"""What the platform gives as the source of a control that the tenant has written (platform-api 4.10)."""
UNKNOWN_POSITION = 99_999_999
"""Where the controls of a category stand that is not here yet: behind the known ones."""


@dataclass(frozen=True)
class PlacedCategory:
    """A category with its place in the platform's list, which nothing else tells."""

    found: RemoteCategory
    position: int

    @property
    def id(self) -> str:
        return self.found.id


def placed(listed: list[RemoteCategory]) -> Items[PlacedCategory]:
    """Give the categories of a whole list their places."""
    unread = listed.unread if isinstance(listed, Items) else ()
    return Items([PlacedCategory(found, position) for position, found in enumerate(listed)], unread=unread)


def store_control_category(fetched: PlacedCategory) -> bool:
    """Make the row equal to what was fetched, and move its controls along; True when it changed."""
    found = RemoteCategory.read(storable(fetched.found.raw))
    name = found.name[:MAX_NAME_LENGTH]
    columns = {
        "name": name,
        "position": fetched.position,
        "visibility": found.visibility[:MAX_WORD_LENGTH],
        "payload": found.raw,
    }
    if not store_copy(ControlCategory, found.id, columns):
        return False
    ControlPlacement.objects.filter(category_id=found.id).update(category_name=name)
    sort_controls(ShownControl.objects.in_category(found.id))
    return True


def store_shown_control(fetched: RemoteShownControl) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    found = RemoteShownControl.read(storable(fetched.raw))
    name, description = found.name[:MAX_NAME_LENGTH], found.description[:MAX_TEXT_LENGTH]
    columns = {
        "name": name,
        "name_sort": sort_key(name),
        "description": description,
        "search": search_text(name, description),
        "payload": found.raw,
    }
    has_changed = store_copy(ShownControl, found.id, columns)
    control = ShownControl.objects.get(platform_id=found.id)
    has_moved = _place(control, {each.id: each.name[:MAX_NAME_LENGTH] for each in found.categories})
    if has_changed or has_moved:
        sort_controls(ShownControl.objects.filter(pk=control.pk))
    return has_changed or has_moved


def _place(control: ShownControl, wanted: Mapping[str, str]) -> bool:
    """Let a control stand in exactly these categories; True when that is different."""
    before = dict(control.placements.values_list("category_id", "category_name"))
    if before == wanted:
        return False
    control.placements.exclude(category_id__in=wanted).delete()
    for category_id, name in wanted.items():
        ControlPlacement.objects.update_or_create(control=control, category_id=category_id, defaults={"category_name": name})
    return True


def sort_controls(controls: ShownControlQuerySet) -> None:
    """Have controls stand under the first of their categories, in the order of the Trust Center."""
    positions = dict(ControlCategory.objects.present().values_list("platform_id", "position"))
    moved = []
    for control in controls.only("category_sort", "category_name").prefetch_related("placements"):
        places = [
            (positions.get(each.category_id, UNKNOWN_POSITION), each.category_name, each.category_id)
            for each in control.placements.all()
        ]
        position, name, _ = min(places, default=(None, "", ""))
        columns = (control_sort_key(position), name)
        if columns != (control.category_sort, control.category_name):
            control.category_sort, control.category_name = columns
            moved.append(control)
    ShownControl.objects.bulk_update(moved, ["category_sort", "category_name"], batch_size=500)


def store_control(fetched: RemoteControl) -> bool:
    """Make the row equal to what was fetched; True when it changed. Its owner and its numbers are left out."""
    found = RemoteControl.read(storable(fetched.raw))
    name, external_id = found.name[:MAX_NAME_LENGTH], (found.external_id or "")[:MAX_NAME_LENGTH]
    description = found.description[:MAX_TEXT_LENGTH]
    columns = {
        "name": name,
        "name_sort": sort_key(name),
        "external_id": external_id,
        "description": description,
        "domain": (found.domains[0] if found.domains else "")[:MAX_NAME_LENGTH],
        "is_own": found.source == OWN,
        "search": search_text(name, external_id, description),
    }
    return store_copy(Control, found.id, columns)
