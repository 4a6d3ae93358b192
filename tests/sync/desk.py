"""A desk made of two dictionaries: what the platform has, and what our mirror has."""

from collections.abc import Callable
from dataclasses import dataclass, field

from portal.platform_api import Page
from portal.platform_api.errors import NotFound
from portal.sync.mirrors import Mirror

PAGE_SIZE = 2


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
        items = sorted(self.remote.items())[start : start + PAGE_SIZE]
        more = start + PAGE_SIZE < len(self.remote)
        self.before_answer("page")
        if self.failure:
            raise self.failure
        return Page(items, str(start + PAGE_SIZE) if more else None)

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
        )
