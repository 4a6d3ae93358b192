"""Groups and people (specification 4.1 and 4.7, platform-api 4.6)."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Unpack

from portal.platform_api.bodies.common import Pairs
from portal.platform_api.bodies.people import GroupFields, PeopleFilters, PersonChanges
from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models.people import BulkLine, Group, IdpGroup, ImportedGroup, Person


class GroupPeople(Area):
    """Who is in a group."""

    name = "groups.people"
    root = "/groups/{group_id}"

    @endpoint("GET", "/people", is_bare=True)
    def all(self, group_id: str) -> list[Person]:
        """Fetch everybody in the group; this list has no pages."""

    @endpoint("POST", "/people", origin=SEED, names={"person_id": "id"})
    def add(self, group_id: str, person_id: str) -> Person:
        """Put a person into the group."""

    @endpoint("DELETE", "/people/{person_id}")
    def remove(self, group_id: str, person_id: str) -> Person:
        """Take a person out of the group."""

    @endpoint("POST", "/add-people")
    def add_many(self, group_id: str, updates: Pairs) -> list[BulkLine]:
        """Put up to 100 people (`id`) into the group; every line succeeds or fails by itself."""

    @endpoint("POST", "/remove-people")
    def remove_many(self, group_id: str, updates: Pairs) -> list[BulkLine]:
        """Take up to 100 people (`id`) out of the group; every line succeeds or fails by itself."""


class Groups(Area):
    """Groups of people. They are not the teams that can own something (platform-api 4.6)."""

    name = "groups"
    root = "/groups"
    people: GroupPeople

    @paged(origin=SEED)
    def all(self) -> Iterator[Group]:
        """Walk all groups."""

    @endpoint("POST", origin=SEED)
    def create(self, name: str, **fields: Unpack[GroupFields]) -> Group:
        """Create a group."""

    @endpoint("GET", "/{group_id}", origin=SEED)
    def get(self, group_id: str) -> Group:
        """Fetch one group."""

    @paged("/importable-idp-groups", origin=SEED, names={"integration_ids": "integrationId"})
    def importable(self, *, search: str | None = None, integration_ids: Sequence[str] | None = None) -> Iterator[IdpGroup]:
        """Walk the groups of identity providers that could be imported."""

    @endpoint("POST", "/import-from-idp", origin=SEED)
    def import_from_idp(self, idp_group_ids: Sequence[str]) -> list[ImportedGroup]:
        """Import groups; every one succeeds or fails by itself."""


class People(Area):
    """People of the tenant."""

    name = "people"
    root = "/people"

    @paged()
    def all(self, **filters: Unpack[PeopleFilters]) -> Iterator[Person]:
        """Walk all people, or those who pass every filter."""

    @endpoint("GET", "/{person_id}")
    def get(self, person_id: str) -> Person:
        """Fetch one person."""

    @endpoint("PATCH", "/{person_id}")
    def update(self, person_id: str, **changes: Unpack[PersonChanges]) -> Person:
        """Change the name or the beginning of the employment."""

    @endpoint("POST", "/mark-as-people")
    def mark_as_people(self, updates: Pairs) -> list[BulkLine]:
        """Say of accounts (`id`) that they are people; every line succeeds or fails by itself."""

    @endpoint("POST", "/mark-as-not-people")
    def mark_as_not_people(self, updates: Pairs) -> list[BulkLine]:
        """Say of accounts (`id`, `reason`) that they are no people; every line succeeds or fails by itself."""

    @endpoint("POST", "/offboard")
    def offboard(self, updates: Pairs) -> list[BulkLine]:
        """Complete the leaving of people (`id`, `acknowledgerId`); every line succeeds or fails by itself."""

    @endpoint("POST", "/{person_id}/set-leave")
    def set_leave(self, person_id: str, *, start_date: datetime, end_date: datetime | None) -> Person:
        """Send a person on leave; None: nobody knows until when."""

    @endpoint("POST", "/{person_id}/clear-leave")
    def clear_leave(self, person_id: str) -> Person:
        """End the leave of a person, or call it off."""
