"""The work of a tenant as Today shows it: sections, rows and what can be done about each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.access_requests.models import Decision, DecisionQuerySet, seconds_until
from portal.accounts.selectors import names_of_accounts
from portal.lib.keyset import KeysetPage
from portal.tenants.models import Membership, Role
from portal.users.models import User
from portal.work_items import services
from portal.work_items.kinds import Action, desks, kind_named, kinds
from portal.work_items.models import WorkItem
from portal.work_items.selectors import (
    MAX_COUNTED,
    NEW,
    OTHERS,
    OVERDUE,
    SECTIONS,
    SNOOZED,
    TODAY,
    WAITING,
    Count,
    Line,
    Queue,
)

ROWS_OF_SECTION, ROWS_OF_PAGE = 10, 50
LABELS = {
    OVERDUE: "Overdue",
    TODAY: "Due today",
    WAITING: "Waiting on me",
    OTHERS: "Waiting on others",
    NEW: "New since you left",
    SNOOZED: "Snoozed",
}
TONES = {OVERDUE: "bad", TODAY: "warn"}
SNOOZES = (("1", "Tomorrow"), ("3", "In 3 days"), ("7", "In a week"), ("14", "In 2 weeks"))
MORNING = 6
"""The hour at which what was snoozed comes back."""


@dataclass(frozen=True)
class Choice:
    """An action of a row: a button, or a menu where something has to be chosen."""

    name: str
    action: Action
    options: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Row:
    """One row of the page."""

    line: Line
    to_do: str
    customer: str
    owner: str
    is_mine: bool
    url: str
    buttons: list[Choice]
    menus: list[Choice]
    typed: list[Choice]
    may_snooze: bool
    due_at: datetime | None


@dataclass(frozen=True)
class Section:
    """Rows under one heading. `more` says how many there are beside them."""

    key: str
    label: str
    tone: str
    count: Count
    rows: list[Row]
    has_more: bool
    link: str
    """The address of its own pages, as a query."""


@dataclass(frozen=True)
class Work:
    """The whole page."""

    sections: list[Section]
    counts: dict[str, Count]
    page: KeysetPage[WorkItem] | None

    @property
    def needed(self) -> Count:
        return Count(sum(self.counts[name].number for name in (OVERDUE, TODAY, WAITING, NEW)))

    @property
    def total(self) -> Count:
        return Count(sum(self.counts[name].number for name in SECTIONS))

    @property
    def others(self) -> Count:
        return self.counts[OTHERS]

    @property
    def new(self) -> Count:
        return self.counts[NEW]


def label_of(name: str, *, is_team: bool) -> str:
    return "Waiting on the team" if name == WAITING and is_team else LABELS[name]


def work(queue: Queue, *, tab: str, cursor: str | None) -> Work:
    """Gather the sections of the page, or one of them page by page."""
    counts = queue.counts()
    if tab:
        page = queue.page(tab, cursor, size=ROWS_OF_PAGE)
        return Work([_section(queue, tab, counts[tab], page.rows, has_more=False)], counts, page)
    sections = []
    for name in SECTIONS:
        if counts[name]:
            rows = list(queue.section(name).order_by("due_sort", "id")[: ROWS_OF_SECTION + 1])
            has_more = len(rows) > ROWS_OF_SECTION
            sections.append(_section(queue, name, counts[name], rows[:ROWS_OF_SECTION], has_more=has_more))
    return Work(sections, counts, None)


def _section(queue: Queue, name: str, count: Count, rows: Sequence[WorkItem], *, has_more: bool) -> Section:
    shown = rows_of(queue.lines(rows), {queue.member.tenant_id: queue.member})
    values = {"whose": "team" if queue.is_team else "", "tab": name, "desk": queue.desk}
    link = "?" + urlencode({key: value for key, value in values.items() if value})
    return Section(name, label_of(name, is_team=queue.is_team), TONES.get(name, ""), count, shown, has_more, link)


def rows_of(lines: Sequence[Line], members: Mapping[int, Membership]) -> list[Row]:
    """Return what one person sees of lines and can do about each, by their membership in its tenant."""
    names = names_of_accounts((line.row.tenant_id, line.item.account_id) for line in lines)
    owners = {line.item.owner_id for line in lines if line.item.owner_id}
    people = dict(User.objects.filter(pk__in=owners).values_list("pk", "name")) if owners else {}
    return [_row(line, members[line.row.tenant_id], names, people) for line in lines]


def names_for(action: str, member: Membership) -> Sequence[tuple[str, str]]:
    """Return what can be typed for an action in the tenant in scope. Raises LookupError, PermissionDenied."""
    known = next((kind.actions[action] for kind in kinds() if action in kind.actions), None)
    if known is None:
        raise LookupError(action)
    if not member.may(known.role):
        raise PermissionDenied
    return known.options() if known.options and known.is_typed else ()


def _row(line: Line, member: Membership, names: Mapping[tuple[int, str], str], people: Mapping[int, str]) -> Row:
    item, has_asked = line.item, line.row.asked_by_id == member.user_id
    choices = [
        Choice(name, action, list(action.options()) if action.options and not action.is_typed else ())
        for name in item.actions
        if member.may((action := line.kind.actions[name]).role) and not (has_asked and action.is_for_others)
    ]
    return Row(
        line=line,
        to_do=(has_asked and item.to_wait_for) or item.to_do,
        customer=_unless_named(names.get((member.tenant_id, item.account_id)) or item.customer, item.title),
        owner=people.get(item.owner_id or 0, "") or item.owner_name,
        is_mine=item.owner_id == member.user_id,
        url=item.url(member.tenant.slug),
        buttons=[each for each in choices if not each.action.options],
        menus=[each for each in choices if each.options],
        typed=[each for each in choices if each.action.is_typed],
        may_snooze=member.may(Role.ANALYST),
        due_at=item.due_at,
    )


def _unless_named(customer: str, title: str) -> str:
    """Return the customer, or nothing where the title names them: it has the room of both then."""
    return "" if customer.casefold() in title.casefold() else customer


def desk_options() -> dict[str, str]:
    return {"": "All desks", **desks()}


@dataclass(frozen=True)
class Scheduled:
    """Decisions that a person made or confirmed and that have not left yet, and how soon the last one does."""

    number: Count
    seconds: int


def scheduled_decisions(user: User) -> Scheduled | None:
    """Return what this person can still undo; None: nothing."""
    return count_scheduled(Decision.objects.scheduled().of(user.pk))


def count_scheduled(decisions: DecisionQuerySet) -> Scheduled | None:
    """Count decisions as far as a person can take it in, the newest first: those are the last that leave."""
    moments = list(decisions.order_by("-id").values_list("send_at", flat=True)[: MAX_COUNTED + 1])
    return Scheduled(Count(len(moments)), max(map(seconds_until, moments))) if moments else None


class Refused(Exception):
    """It was not done; the message says why."""


def act(item: WorkItem, action: str, *, member: Membership, choice: dict[str, str], slug: str) -> str:
    """Do something about an item and say what was done. Raises Refused, PermissionDenied."""
    if action == "snooze":
        return _snooze(item, member, choice)
    if action == "wake":
        services.wake(item, user_id=member.user_id)
        return "Back on your list"
    kind = kind_named(item.kind)
    known = kind.actions.get(action) if kind else None
    if kind is None or known is None:
        raise Refused("Nothing left to do here.")
    if not member.may(known.role):
        raise PermissionDenied
    try:
        return services.act(item, action, member=member, choice=choice)
    except LookupError as error:
        raise Refused("Someone else already did this.") from error
    except kind.refusals as error:
        raise Refused(kind.error_message(error, slug)) from error


def _snooze(item: WorkItem, member: Membership, choice: Mapping[str, str]) -> str:
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    days, words = next((each for each in SNOOZES if each[0] == choice.get("value")), SNOOZES[0])
    morning = timezone.localtime().replace(hour=MORNING, minute=0, second=0, microsecond=0)
    services.snooze(item, user_id=member.user_id, until=morning + timedelta(days=int(days)))
    return f"Snoozed: back {words.lower()}"
