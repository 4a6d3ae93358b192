"""Reads of the desk's pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from portal.audit.services import history
from portal.lib.platform_choices import readable
from portal.page_refresh.services import cached_by_version
from portal.people.kinds import AREA, PERSON
from portal.people.models import Group, GroupRun, IdpGroup, Person, PersonInGroup, task_pill
from portal.people.models.choices import TASKS
from portal.platform_api.models import people as remote

PAGES: dict[str, tuple[str, type[Any]]] = {"people:list": ("People", Person), "people:groups": ("Groups", Group)}
"""The lists of the desk, as its tabs name them, each with what it shows."""
ICONS = {
    "person.join_group": ("user-plus", "good"),
    "person.leave_group": ("user-minus", "warn"),
    "group.create": ("plus", "good"),
    "group.import": ("download", "good"),
    "group.people": ("list-checks", "info"),
}
MAX_GROUPS = 50
MAX_NAMES = 20
"""Of one task; a person with more open policies than this has them counted."""


def figures() -> dict[str, int]:
    """Count what each list of the desk has."""

    def count() -> dict[str, int]:
        return {name: model._default_manager.filter(gone_at=None).count() for name, (_, model) in PAGES.items()}

    return cached_by_version(AREA, "figures", count)


def number_to_import() -> int:
    """Count the groups of identity providers that can be imported."""
    return cached_by_version(AREA, "importable", lambda: IdpGroup.objects.present().count())


@dataclass(frozen=True)
class Task:
    """One kind of task of a person, and how it stands."""

    label: str
    state: tuple[str, str]
    due_at: datetime | None
    done_at: datetime | None
    open_names: list[str]
    done_names: list[str]
    disabled: str
    """Why nobody has to do it; empty where somebody has."""


def tasks_of(person: Person) -> list[Task]:
    """Read the tasks out of the object as the platform sent it; what cannot be read is left out, one by one."""
    summary = remote.Person.read(person.payload).tasks_summary
    details = summary.details if summary else {}
    return [_task(key, said) for key, said in details.items() if isinstance(said, dict)]


def _task(key: str, said: dict[str, Any]) -> Task:
    read = remote.TasksSummary.read({**said, "status": str(said.get("status") or ""), "details": {}})
    disabled = said.get("disabled")
    lists = {name: _names(value) for name, value in said.items() if isinstance(value, list)}
    return Task(
        label=TASKS.get(key) or readable(str(said.get("taskType") or key)),
        state=task_pill(read.status),
        due_at=read.due_date,
        done_at=read.completion_date,
        open_names=[each for name, names in lists.items() if name.startswith(("incomplete", "unaccepted")) for each in names],
        done_names=[each for name, names in lists.items() if name.startswith(("completed", "accepted")) for each in names],
        disabled=str(disabled.get("reason") or "Not required") if isinstance(disabled, dict) else "",
    )


def _names(value: Sequence[Any]) -> list[str]:
    return [str(each["name"]) for each in value if isinstance(each, dict) and each.get("name")][:MAX_NAMES]


def groups_of(person: Person) -> list[Group]:
    """Return the groups that a person is in, by name. One that is not known here yet is left out."""
    ids = PersonInGroup.objects.filter(person=person).values("group_id")
    return list(Group.objects.present().filter(platform_id__in=ids).defer("payload", "search")[:MAX_GROUPS])


def group_names(people: Sequence[Person]) -> dict[int, list[str]]:
    """Name the groups of each person of a page."""
    pairs = list(PersonInGroup.objects.filter(person__in=people).values_list("person_id", "group_id"))
    rows = Group.objects.present().filter(platform_id__in={group_id for _, group_id in pairs}).only("platform_id", "name")
    names = {row.platform_id: str(row) for row in rows}
    found: dict[int, list[str]] = {}
    for person_id, group_id in pairs:
        if group_id in names:
            found.setdefault(person_id, []).append(names[group_id])
    return {person_id: sorted(each, key=str.casefold) for person_id, each in found.items()}


def runs_of(group: Group, number: int = 3) -> list[GroupRun]:
    """Return the changes of a group that are still at work."""
    return list(GroupRun.objects.filter(group=group, finished_at=None)[:number])


def events_of(kind: str, platform_id: str) -> list[dict[str, Any]]:
    """Tell what was done with an object here, newest first."""
    events = []
    for done in history(kind, platform_id):
        icon, tone = ICONS.get(done.action, ("circle-dot", "muted"))
        events.append({"title": f"{done.who}: {done.summary}", "at": done.at, "icon": icon, "tone": tone})
    return events


def events_of_person(person: Person) -> list[dict[str, Any]]:
    return events_of(PERSON, person.platform_id)
