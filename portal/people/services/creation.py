"""Making a group. Its name is what tells it from the others: a lost answer never makes two of one."""

from dataclasses import dataclass

from django.db import transaction

from portal.audit.services import record
from portal.connections.services import Urgency, client_for
from portal.page_refresh.services import touch_areas
from portal.people.errors import AlreadyThere
from portal.people.kinds import AREA, GROUP
from portal.people.models import Group
from portal.people.services.store import store_group
from portal.people.services.writes import check
from portal.platform_api.bodies.people import GroupFields
from portal.platform_api.models import people as remote
from portal.platform_writes.outcomes import write_and_verify
from portal.tenants.models import Membership


@dataclass(frozen=True, kw_only=True)
class GroupText:
    """What a new group is called, and whom to ask about it."""

    name: str
    description: str = ""
    contact: str = ""
    """The address of an active administrator on the platform."""

    @property
    def fields(self) -> GroupFields:
        fields: GroupFields = {}
        if self.description:
            fields["description"] = self.description
        if self.contact:
            fields["point_of_contact_email"] = self.contact
        return fields


def create_group(text: GroupText, *, member: Membership) -> Group:
    """Create a group on the platform.

    Raises PermissionDenied, AlreadyThere, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member)
    groups = client_for(Urgency.PERSON).groups

    def named_so() -> list[remote.Group]:
        return [each for each in groups.all() if each.name == text.name]

    if there := named_so():
        raise AlreadyThere(_keep(there[0]))
    found = write_and_verify(
        write=lambda: groups.create(text.name, **text.fields), fetch=named_so, is_done=bool, must_show=True
    )
    with transaction.atomic():
        group = _keep(found[0])
        summary = f"Created the group “{str(group)[:150]}”."
        record("group.create", target=(GROUP, group.platform_id), summary=summary, actor=member.user)
    return group


@transaction.atomic
def _keep(found: remote.Group) -> Group:
    store_group(found)
    touch_areas(AREA)
    return Group.objects.get(platform_id=found.id)
