"""Putting people into a group and taking them out, be it one: as a run, worked on turn by turn, failures tried again."""

from collections.abc import Callable, Collection

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest

from portal.audit.services import record
from portal.page_refresh.services import touch_areas
from portal.people.errors import Gone, NotPossible
from portal.people.kinds import AREA, GROUP, PERSON
from portal.people.models import Group, GroupItem, GroupRun, Person, PersonInGroup, Verb
from portal.people.refusals import REFUSALS, refusal_message
from portal.people.services.store import store_person
from portal.people.services.writes import EDITOR, check
from portal.platform_api import Platform
from portal.platform_api.errors import NotFound
from portal.platform_api.models import people as remote
from portal.platform_writes import bulk_worker
from portal.platform_writes.bulk import Bulk, begin, try_again
from portal.platform_writes.models import MAX_ITEMS
from portal.platform_writes.outcomes import OutcomeUnknown, verify_and_write, write_and_verify
from portal.sync.freshness import fetch_now
from portal.tenants.models import Membership

WORK = "portal.people.tasks.work_on_group_run"


def start_group_run(verb: Verb, group: Group, *, people: Collection[int], member: Membership) -> GroupRun:
    """Write down that people are to be put into a group or taken out, and have a worker begin. Raises NotPossible."""
    GROUPS.check(member)
    if not people:
        raise NotPossible("No one is selected.")
    if len(people) > MAX_ITEMS:
        raise NotPossible(f"At most {MAX_ITEMS:,} people can be changed at once. Narrow the filter first.")
    if group.gone_at:
        raise NotPossible("The platform doesn't have this group anymore.")
    run = GroupRun(verb=verb, group=group, group_name=str(group))
    return begin(GROUPS, run, [GroupItem(person_id=key) for key in people], member=member)


def retry_group_run(run: GroupRun, *, member: Membership) -> int:
    """Have only those tried again that were not changed; return how many. From now on this member is the one who asks."""
    return try_again(GROUPS, run, member=member)


def work_on_group(run: GroupRun) -> bool:
    """Bring a run as far as one turn gets; False when another worker has it. Failures are written into the items."""
    return bulk_worker.work_on(GROUPS, run)


def change_person(
    item: GroupItem, *, member: Membership, client: Platform, checks_before_retry: bool, then: Callable[[], object]
) -> None:
    """Put one person into the group of a run, or take them out. `then` runs in the transaction that writes it down.

    Raises PermissionDenied, Gone, OutcomeUnknown or a PlatformError.
    """
    check(member)
    person, group, is_wanted = item.person, item.run.group, item.run.verb == Verb.ADD
    change = client.groups.people.add if is_wanted else client.groups.people.remove

    def fetch() -> remote.Person:
        return client.people.get(person.platform_id)

    def is_done(found: remote.Person) -> bool:
        return (group.platform_id in found.group_ids) == is_wanted

    try:
        found = (verify_and_write if checks_before_retry else write_and_verify)(
            write=lambda: change(group.platform_id, person.platform_id),
            fetch=fetch,
            is_done=is_done,
            of=(PERSON, [person.platform_id]),
            must_show=True,
        )
    except NotFound as error:
        found = _after_missing(fetch, is_done, person, group, error)
    except OutcomeUnknown:
        fetch_now((PERSON, person.platform_id))
        raise
    with transaction.atomic():
        _record_change(item, found, is_wanted, member)
        then()


def _after_missing(
    fetch: Callable[[], remote.Person], is_done: Callable[[remote.Person], bool], person: Person, group: Group, error: NotFound
) -> remote.Person:
    """Find out what the platform does not have. Whoever is not in the group need not be taken out. Raises Gone."""
    try:
        found = fetch()
    except NotFound:
        fetch_now((PERSON, person.platform_id))
        raise Gone from error
    if not is_done(found):
        fetch_now((GROUP, group.platform_id))
        raise Gone from error
    return found


def _record_change(item: GroupItem, found: remote.Person, is_wanted: bool, member: Membership) -> None:
    group, person = item.run.group, item.person
    was_inside = PersonInGroup.objects.filter(person=person, group_id=group.platform_id).exists()
    store_person(found)
    if was_inside != is_wanted:
        # Until the group itself is read again: the platform counts it anew with each of them.
        number = Greatest(F("people_count") + (1 if is_wanted else -1), 0)
        Group.objects.filter(pk=group.pk).update(people_count=number)
    action, said = ("person.join_group", "Added to") if is_wanted else ("person.leave_group", "Removed from")
    summary, details = f"{said} the group “{str(group)[:150]}”.", {GROUP: group.platform_id}
    record(action, target=(PERSON, person.platform_id), summary=summary, actor=member.user, details=details)
    touch_areas(AREA)


GROUPS = Bulk(
    runs=GroupRun,
    items=GroupItem,
    task=WORK,
    area=AREA,
    kind="group_run",
    action="group.people",
    role=EDITOR,
    change=change_person,
    refusals=REFUSALS,
    error_message=refusal_message,
)
