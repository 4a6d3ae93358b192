"""How people and groups are fetched, stored and found gone. No event tells of them: the comparison of the whole lists does."""

from portal.people.kinds import AREA, GROUP, IDP_GROUP, PERSON
from portal.people.models import Group, IdpGroup, Person
from portal.people.services.store import store_group, store_idp_group, store_person
from portal.sync.copies import mirror_of_copies
from portal.sync.services.positions import find_listed

MIRRORS = (
    mirror_of_copies(
        PERSON,
        Person,
        area=AREA,
        unread=("payload", "search"),
        title="People",
        fetch=lambda client, person_id: client.people.get(person_id),
        page=lambda client, cursor: client.people.all.page(cursor),
        save=store_person,
    ),
    mirror_of_copies(
        GROUP,
        Group,
        area=AREA,
        unread=("payload", "search"),
        title="Groups",
        fetch=lambda client, group_id: client.groups.get(group_id),
        page=lambda client, cursor: client.groups.all.page(cursor),
        save=store_group,
    ),
    mirror_of_copies(
        IDP_GROUP,
        IdpGroup,
        area=AREA,
        unread=("payload", "search"),
        title="Groups to import",
        fetch=lambda client, group_id: find_listed(client.groups.importable(), group_id),
        page=lambda client, cursor: client.groups.importable.page(cursor),
        save=store_idp_group,
        has_no_get=True,
    ),
)
