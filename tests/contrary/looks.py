"""Every look at the platform, in a mood: what is kept then, what pages say, and what there is two minutes after it."""

from collections.abc import Iterable
from typing import Any

from django.apps import apps

from portal.inbox.routes import MIRRORS
from portal.sync.models import StaleMark
from portal.sync.services import mark_many
from portal.tenants.models import TenantModel
from tests.contrary.crawler import Map
from tests.contrary.house import House
from tests.contrary.platform import Mood
from tests.contrary.platform.moods import FINE, ODD_ITEM
from tests.contrary.words import faults_of, telling_ids
from tests.sync.desk import two_minutes_pass

UNTOUCHED = ("settings", "new", "import", "rules", "templates", "standard", "edit", "fields", "document", "merge", "file")
"""Words in the routes of pages that show nothing of the platform's objects."""
LEAVES_MORE = "lists that grow while they are read"
"""After this mood the platform is not as it was."""
FETCHED_BY_THEMSELVES = 2
"""Objects of each kind, as after an event about each."""

type Picture = dict[str, dict[str, Any]]


def touched(found: Map) -> list[str]:
    """Choose one page of each route that shows anything of the platform's."""
    return [addresses[0] for route, addresses in found.routes.items() if not set(UNTOUCHED) & set(route.split("/"))]


def picture(house: House) -> Picture:
    """Return what is kept of every object that is not gone: by kind, then by its parent and id."""
    with house.scoped():
        return {model.__name__: dict(rows_of(model)) for model in mirrored()}


def mirrored() -> list[type[TenantModel]]:
    """Return the tables that keep objects of the platform as they came."""
    return [model for model in apps.get_models() if {"platform_id", "payload"} <= columns_of(model)]


def columns_of(model: type[Any]) -> set[str]:
    return {field.name for field in model._meta.concrete_fields}


def rows_of(model: type[TenantModel]) -> Iterable[tuple[str, Any]]:
    names = columns_of(model)
    rows = model._default_manager.filter(**{"gone_at": None} if "gone_at" in names else {})
    parent = ("questionnaire__platform_id",) if "questionnaire" in names else ()
    for payload, *key in rows.values_list("payload", *parent, "platform_id"):
        yield "/".join(map(str, key)), payload


def lost(before: Picture, after: Picture) -> list[str]:
    """Name what was there before and is not any more."""
    return [f"{kind} {each[:40]!r} is gone" for kind, rows in before.items() for each in rows.keys() - after[kind].keys()]


def differences(before: Picture, after: Picture) -> list[str]:
    """Name what is not as it was."""
    changed = [
        f"{kind} {each[:40]!r} is now {str(payload)[:80]}"
        for kind, rows in after.items()
        for each, payload in rows.items()
        if before[kind].get(each) != payload
    ]
    return lost(before, after) + changed


def wrong_after(mood: Mood | None, before: Picture, after: Picture) -> list[str]:
    """Name what is not as it should be once a mood has passed.

    What came in another state, and may have been in it, stays until the platform says that it has changed.
    """
    is_odd = mood is not None and mood.kind in (FINE, ODD_ITEM) and not mood.of_tokens
    return lost(before, after) if is_odd else differences(before, after)


def look_everywhere(house: House) -> None:
    """Compare all kinds, and fetch some objects of each by themselves."""
    with house.scoped():
        for mirror in MIRRORS:
            mark_many(mirror.kind, sorted(mirror.known())[:FETCHED_BY_THEMSELVES] if mirror.known else ())
    house.look()


def look_in(house: House, mood: Mood, addresses: Iterable[str]) -> list[str]:
    """Look at the platform twice in a mood and open pages, then let it pass; return what is wrong with any of it."""
    before, ids = picture(house), telling_ids(house)
    with house.as_if():
        if mood.of_tokens:
            house.clocks.pass_time(3700)
        house.platform.feel(mood)
        look_everywhere(house)
        house.pass_time(10)
        look_everywhere(house)
        faults = [f"in the mood: {each}" for each in lost(before, picture(house))]
        for address in addresses:
            faults += faults_of(house, address, ids)
        house.platform.calm()
        faults += [f"two minutes later: {each}" for each in _faults_afterwards(house, mood, before)]
        faults += house.crew.failed + sorted(house.crew.unknown) + house.platform.faults
        house.crew.failed, house.platform.faults = [], []
    return [f"{mood}: {fault}" for fault in faults]


def _faults_afterwards(house: House, mood: Mood, before: Picture) -> list[str]:
    house.clocks.pass_time(125)
    with house.scoped():
        two_minutes_pass()
    house.look()
    house.look()
    after = picture(house)
    faults = lost(before, after) if mood.name == LEAVES_MORE else differences(before, after)
    with house.scoped():
        waiting = StaleMark.objects.waiting()
        return faults + [f"waits: {each} {each.last_error} {each.problem}" for each in waiting]
