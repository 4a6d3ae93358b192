"""Calls of groups and people."""

from collections.abc import Callable
from typing import Any

from tests.platform_api.calls.core import LATER, UNKNOWN
from tests.platform_api.world import World


def member(world: World) -> tuple[str, str]:
    """Return a group and somebody in it."""
    found = world.sandbox.objects.get(world.tenant.id, "people", world.id_of("people"))
    return found["groupIds"][0], found["id"]


def lines(world: World, kind: str = "people", **said: str) -> list[dict[str, str]]:
    return [{"id": world.id_of(kind), **said}, {"id": UNKNOWN, **said}]


def contact(world: World) -> str:
    users = world.sandbox.objects.all(world.tenant.id, "users", oldest_first=True)
    return str(users[0]["email"])


CALLS: dict[str, Callable[[World], Any]] = {
    "groups.all": lambda w: w.api.groups.all.page(),
    "groups.create": lambda w: w.api.groups.create("Night shift", description="Late.", point_of_contact_email=contact(w)),
    "groups.get": lambda w: w.api.groups.get(w.id_of("groups")),
    "groups.importable": lambda w: w.api.groups.importable.page(None, search="f", integration_ids=["company-directory"]),
    "groups.import_from_idp": lambda w: w.api.groups.import_from_idp([w.id_of("importable-idp-groups"), UNKNOWN]),
    "groups.people.all": lambda w: w.api.groups.people.all(member(w)[0]),
    "groups.people.add": lambda w: w.api.groups.people.add(w.id_of("groups"), w.id_of("people")),
    "groups.people.remove": lambda w: w.api.groups.people.remove(*member(w)),
    "groups.people.add_many": lambda w: w.api.groups.people.add_many(w.id_of("groups"), lines(w)),
    "groups.people.remove_many": lambda w: w.api.groups.people.remove_many(w.id_of("groups"), lines(w)),
    "people.all": lambda w: w.api.people.all.page(
        None, task_type_matches_any=["ACCEPT_POLICIES"], task_status_matches_any=["COMPLETE"], employment_status="CURRENT"
    ),
    "people.get": lambda w: w.api.people.get(w.id_of("people")),
    "people.update": lambda w: w.api.people.update(w.id_of("people"), name={"first": "Kim", "last": "Lee"}),
    "people.mark_as_people": lambda w: w.api.people.mark_as_people(lines(w, "not-people")),
    "people.mark_as_not_people": lambda w: w.api.people.mark_as_not_people(lines(w, reason="A robot.")),
    "people.offboard": lambda w: w.api.people.offboard(lines(w, acknowledgerId=w.id_of("people"))),
    "people.set_leave": lambda w: w.api.people.set_leave(w.id_of("people"), start_date=LATER, end_date=None),
    "people.clear_leave": lambda w: w.api.people.clear_leave(w.id_of("people")),
}

MISSING: dict[str, Callable[[World], Any]] = {
    "groups.get": lambda w: w.api.groups.get(UNKNOWN),
    "groups.people.all": lambda w: w.api.groups.people.all(UNKNOWN),
    "groups.people.add": lambda w: w.api.groups.people.add(UNKNOWN, w.id_of("people")),
    "groups.people.remove": lambda w: w.api.groups.people.remove(w.id_of("groups"), UNKNOWN),
    "groups.people.add_many": lambda w: w.api.groups.people.add_many(UNKNOWN, lines(w)),
    "groups.people.remove_many": lambda w: w.api.groups.people.remove_many(UNKNOWN, lines(w)),
    "people.get": lambda w: w.api.people.get(UNKNOWN),
    "people.update": lambda w: w.api.people.update(UNKNOWN, name={"first": "Kim", "last": "Lee"}),
    "people.set_leave": lambda w: w.api.people.set_leave(UNKNOWN, start_date=LATER, end_date=LATER),
    "people.clear_leave": lambda w: w.api.people.clear_leave(UNKNOWN),
}
