"""What a batch of events leads to. Handlers state it, one transaction writes it: bulk statements in a fixed order."""

from collections import defaultdict
from collections.abc import Callable, Iterable

from portal.page_refresh.services import touch_areas
from portal.sync.services.marks import kinds_in_order, mark_many

type Fact = Callable[[], bool]


class Effects:
    """The objects to be fetched and the facts to be shown at once, collected from all events of a batch."""

    def __init__(self) -> None:
        self._stale: dict[str, set[str]] = defaultdict(set)
        self._urgent: set[str] = set()
        self._facts: list[tuple[str, Fact]] = []

    def fetch(self, kind: str, object_ids: Iterable[str], *, urgent: bool = False) -> None:
        """Have objects fetched again, soon. What is urgent makes all of its kind so: the marks of a kind are one statement."""
        self._stale[kind].update(object_ids)
        if urgent:
            self._urgent.add(kind)

    def show(self, area: str, fact: Fact) -> None:
        """Have something shown before the fetch; `fact` writes it and says whether rows of the area changed."""
        self._facts.append((area, fact))

    def write(self) -> None:
        """Write all of it, in the transaction of the caller.

        Marks by kind and id, then rows by the platform's id, then areas: the order in which a fetch is settled and a page
        of a list is stored too. Whoever goes another way meets the others in a deadlock (dj-stripe#1267).
        """
        for kind in kinds_in_order(self._stale):
            mark_many(kind, self._stale[kind], urgent=kind in self._urgent)
        touch_areas(*{area for area, fact in self._facts if fact()})
