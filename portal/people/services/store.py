"""What the platform sent becomes rows. Runs in the caller's transaction."""

from typing import Any

from portal.lib.storable import storable
from portal.people.models import NO_DATE, Group, IdpGroup, Person, PersonInGroup
from portal.people.models.choices import LEAVE_LATER, LEAVE_NOW, ON_LEAVE, OPEN, OVERDUE
from portal.platform_api.identifiers import MAX_ID_LENGTH, is_identifier
from portal.platform_api.models import people as remote
from portal.sync.copies import search_text, sort_key, store_copy
from portal.tenants.erased_people import is_erased, without_erased
from portal.tenants.personal_data import fold

MAX_NAME_LENGTH, MAX_TEXT_LENGTH, MAX_EMAIL_LENGTH, MAX_WORD_LENGTH = 300, 20_000, 320, 40
MAX_SOURCE_LENGTH = 120
MAX_COUNT = 2**31 - 1


def store_person(fetched: remote.Person) -> bool:
    """Make the row equal to what was fetched; True when it changed. A person who was erased is left out (guarantee S11)."""
    found = remote.Person.read(storable(fetched.raw))
    # The platform does not say since when it knows somebody: who was erased stays so.
    if is_erased(email=found.email_address, created_at=None):
        number, _ = Person.objects.filter(platform_id=found.id).delete()
        return bool(number)
    is_changed = store_copy(Person, found.id, person_columns(found))
    return _store_groups(found) or is_changed


def person_columns(found: remote.Person) -> dict[str, Any]:
    work, leave, tasks = found.employment, found.leave_info, found.tasks_summary
    name = name_of(found.name)
    job_title = ((work.job_title or "") if work else "")[:MAX_NAME_LENGTH]
    status = work.status[:MAX_WORD_LENGTH] if work else ""
    task_status = tasks.status[:MAX_WORD_LENGTH] if tasks else ""
    due_at = tasks.due_date if tasks else None
    is_on_leave = status == ON_LEAVE or bool(leave and leave.status == LEAVE_NOW)
    return {
        "email": found.email_address[:MAX_EMAIL_LENGTH],
        "folded_email": fold(found.email_address)[:MAX_EMAIL_LENGTH],
        "name": name,
        "name_sort": sort_key(name or found.email_address),
        "job_title": job_title,
        "status": status,
        "started_at": work.start_date if work else None,
        "ended_at": work.end_date if work else None,
        "is_on_leave": is_on_leave,
        "has_planned_leave": not is_on_leave and bool(leave and leave.status == LEAVE_LATER),
        "leave_starts_at": leave.start_date if leave else None,
        "leave_ends_at": leave.end_date if leave else None,
        "tasks_status": task_status,
        "has_open_tasks": task_status in OPEN,
        "has_overdue_tasks": task_status in OVERDUE,
        "tasks_due_at": due_at,
        "tasks_due_sort": due_at if due_at and task_status in OPEN else NO_DATE,
        "search": search_text(name, found.email_address, job_title),
        "payload": found.raw,
    }


def name_of(name: remote.PersonName) -> str:
    """Return what a person is called; some have no display name."""
    return (name.display or " ".join(filter(None, (name.first, name.last))))[:MAX_NAME_LENGTH]


def _store_groups(found: remote.Person) -> bool:
    """Note in which groups a person is; True when that changed."""
    wanted = {each for each in found.group_ids if is_identifier(each)}
    row = Person.objects.only("pk").get(platform_id=found.id)
    inside = PersonInGroup.objects.filter(person=row)
    known = set(inside.values_list("group_id", flat=True))
    if wanted == known:
        return False
    inside.exclude(group_id__in=wanted).delete()
    PersonInGroup.objects.bulk_create([PersonInGroup(person=row, group_id=each) for each in sorted(wanted - known)])
    return True


def store_group(fetched: remote.Group) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    # Whom to ask about the group may have been erased.
    found = remote.Group.read(*without_erased([storable(fetched.raw)]))
    name, description = found.name[:MAX_NAME_LENGTH], (found.description or "")[:MAX_TEXT_LENGTH]
    columns = {
        "name": name,
        "name_sort": sort_key(name),
        "description": description,
        "source": found.source[:MAX_SOURCE_LENGTH],
        "people_count": min(max(found.personnel_count, 0), MAX_COUNT),
        "created_at": found.creation_date,
        "search": search_text(name, description),
        "payload": found.raw,
    }
    return store_copy(Group, found.id, columns)


def store_idp_group(fetched: remote.IdpGroup) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    found = remote.IdpGroup.read(storable(fetched.raw))
    name = found.name[:MAX_NAME_LENGTH]
    integration = found.integration_id[:MAX_ID_LENGTH]
    columns = {
        "name": name,
        "name_sort": sort_key(name),
        "integration": integration,
        "search": search_text(name, integration),
        "payload": found.raw,
    }
    return store_copy(IdpGroup, found.id, columns)
