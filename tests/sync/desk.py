"""A desk made of two dictionaries: what the platform has, and what our mirror has."""

from collections.abc import Callable
from dataclasses import dataclass, field

from django.utils import timezone

from portal.platform_api import Page
from portal.platform_api.errors import NotFound
from portal.platform_api.paging import Unread
from portal.sync.mirrors import Mirror
from portal.sync.models import StaleMark
from portal.sync.services.marks import GONE_AFTER

PAGE_SIZE = 2


def two_minutes_pass() -> None:
    """Let the second look at what was missing be due."""
    since = timezone.now() - GONE_AFTER
    StaleMark.objects.exclude(missing_since=None).update(missing_since=since, due_at=timezone.now())


@dataclass
class FakeDesk:
    """Objects are (id, value) pairs. `before_fetch` runs while the call is on its way, `failure` is raised by it."""

    remote: dict[str, str] = field(default_factory=dict)
    rows: dict[str, str] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    failure: Exception | None = None
    failures: dict[str, Exception] = field(default_factory=dict)
    before_answer: Callable[[str], None] = lambda object_id: None
    refuses_to_store: str = ""
    unread: dict[str, str] = field(default_factory=dict)
    """Ids of the list's items that cannot be read, and why."""

    removed: set[str] = field(default_factory=set)
    """Ids that no list names and that still answer when they are asked for."""

    answers_for_removed: bool = False
    has_no_get: bool = False
    shows_ids: bool = True
    """Whether an item that cannot be read has at least an id."""

    def fetch(self, client: object, object_id: str) -> tuple[str, str]:
        self.calls.append(object_id)
        answer = self.remote.get(object_id)
        self.before_answer(object_id)
        if error := self.failure or self.failures.get(object_id):
            raise error
        if answer is None:
            raise NotFound("GET", "/things/{}", status=404)
        return object_id, answer

    def page(self, client: object, cursor: str | None) -> Page[tuple[str, str]]:
        self.calls.append(f"page {cursor}")
        start = int(cursor or 0)
        listed = [item for item in sorted(self.remote.items()) if item[0] not in self.removed][start : start + PAGE_SIZE]
        items = [item for item in listed if item[0] not in self.unread]
        unread = tuple(Unread(name if self.shows_ids else "", self.unread[name]) for name, _ in listed if name in self.unread)
        more = start + PAGE_SIZE < len(self.remote)
        self.before_answer("page")
        if self.failure:
            raise self.failure
        return Page(items, str(start + PAGE_SIZE) if more else None, unread)

    def save(self, fetched: tuple[str, str]) -> bool:
        object_id, value = fetched
        if object_id == self.refuses_to_store:
            raise ValueError("cannot be stored")
        has_changed = self.rows.get(object_id) != value
        self.rows[object_id] = value
        return has_changed

    def mark_gone(self, object_id: str) -> bool:
        return self.rows.pop(object_id, None) is not None

    @property
    def mirror(self) -> Mirror:
        return Mirror(
            kind="thing",
            title="Things",
            area="things",
            fetch=self.fetch,
            save=self.save,
            mark_gone=self.mark_gone,
            page=self.page,
            identify=lambda item: item[0],
            known=lambda: set(self.rows),
            has=lambda object_id: object_id in self.rows,
            answers_for_removed=self.answers_for_removed,
            has_no_get=self.has_no_get,
        )
