"""The filters of the desk's lists."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from portal.lib.platform_choices import labels_of
from portal.lib.unnamed import NO_NAME
from portal.page_refresh.services import cached_by_version
from portal.people.kinds import AREA
from portal.people.models import STATUSES, Group, GroupQuerySet, IdpGroup, IdpGroupQuerySet, Person, PersonQuerySet
from portal.people.models.choices import DONE
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.ui.list_filters import ListFilters, choice, text

LEAVES = {"": "Any leave", "now": "On leave", "planned": "Leave planned"}
OPEN, OVERDUE, DONE_ONES = "open", "overdue", "done"
TASKS = {"": "Any tasks", OPEN: "Open tasks", OVERDUE: "Overdue tasks", DONE_ONES: "All tasks done"}
ORDERS = {"": "By name", "due": "Tasks due first"}
BY_NAME = ("name_sort", "id")
SORTS = {"": BY_NAME, "due": ("tasks_due_sort", "id")}
MAX_OPTIONS = 200


@dataclass(frozen=True, kw_only=True)
class PersonFilters(ListFilters):
    """Which people a page shows, and in which order."""

    q: str = text()
    status: str = text(max_length=40, label="Employment", options={"": "Any employment"})
    group: str = text(max_length=MAX_ID_LENGTH, label="Group", options={"": "Any group"})
    leave: str = choice(LEAVES, label="Leave")
    tasks: str = choice(TASKS, label="Tasks")
    sort: str = choice(ORDERS, label="Order", narrows=False)
    into: str = text(max_length=MAX_ID_LENGTH)
    """A group for which people are being chosen: who is in it already is not offered."""

    @property
    def order_by(self) -> tuple[str, str]:
        return SORTS[self.sort]

    def rows(self) -> PersonQuerySet:
        """Give exactly the people that these filters show."""
        rows: PersonQuerySet = Person.objects.present()
        if self.status:
            rows = rows.filter(status=self.status)
        if self.group:
            rows = rows.in_group(self.group)
        if self.into:
            rows = rows.outside_of(self.into)
        if self.leave:
            rows = rows.filter(is_on_leave=True) if self.leave == "now" else rows.filter(has_planned_leave=True)
        match self.tasks:
            case "open":
                rows = rows.filter(has_open_tasks=True)
            case "overdue":
                rows = rows.filter(has_overdue_tasks=True)
            case "done":
                rows = rows.filter(tasks_status__in=DONE)
        return rows.matching(self.q)

    def more_options(self, name: str) -> Mapping[str, str]:
        match name:
            case "status":
                return labels_of(STATUSES, [*cached_by_version(AREA, "statuses", _statuses), self.status])
            case "group":
                found = cached_by_version(AREA, "groups", group_options)
                return found if not self.group or self.group in found else found | names_of_groups([self.group])
        return {}


def _statuses() -> list[str]:
    rows = Person.objects.exclude(status="").order_by("status").values_list("status", flat=True)
    return list(rows.distinct()[:MAX_OPTIONS])


def names_of_groups(ids: Collection[str]) -> dict[str, str]:
    """Name groups by their ids; one that is not known here has no name."""
    found = {row.platform_id: str(row) for row in Group.objects.filter(platform_id__in=ids).only("platform_id", "name")}
    return {each: found.get(each, NO_NAME) for each in ids}


def group_options() -> dict[str, str]:
    """Return the first groups by name, by their ids."""
    rows = Group.objects.present().order_by(*BY_NAME).only("platform_id", "name")[:MAX_OPTIONS]
    return {row.platform_id: str(row) for row in rows}


@dataclass(frozen=True, kw_only=True)
class GroupFilters(ListFilters):
    """Which groups a page shows."""

    q: str = text()

    def rows(self) -> GroupQuerySet:
        """Give exactly the groups that these filters show."""
        rows: GroupQuerySet = Group.objects.present()
        return rows.matching(self.q)


@dataclass(frozen=True, kw_only=True)
class IdpGroupFilters(ListFilters):
    """Which groups of identity providers are offered."""

    q: str = text()

    def rows(self) -> IdpGroupQuerySet:
        """Give exactly the groups that these filters show."""
        rows: IdpGroupQuerySet = IdpGroup.objects.present()
        return rows.matching(self.q)
