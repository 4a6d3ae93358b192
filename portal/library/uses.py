"""Where entries were used. A desk whose objects take text of the library registers how they are called (`register_use`)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, When

from portal.library.models import Entry, EntryUse
from portal.library.services import digest_of

MAX_USES = 50


@dataclass(frozen=True, kw_only=True)
class UsedIn:
    """One object that an entry went into, as its desk says it now."""

    title: str
    url: str
    customer: str = ""
    at: datetime | None = None
    """When it was sent; none while it is open."""


type Load = Callable[[Collection[int], str], Mapping[int, UsedIn]]
"""Takes keys of objects and the slug of the tenant in scope; what is gone is left out."""


@dataclass(frozen=True, kw_only=True)
class ShownUse:
    """A use with what its desk says of the object; nothing once that is gone."""

    use: EntryUse
    used_in: UsedIn | None
    is_older: bool
    """The entry said something else then."""

    @property
    def is_sent(self) -> bool:
        return self.used_in is not None and self.used_in.at is not None


@dataclass(frozen=True)
class UseGroup:
    """Uses that ask for the same of whoever changed the entry."""

    key: str
    title: str
    uses: Sequence[ShownUse]


_loads: dict[str, Load] = {}


def register_use(kind: str, load: Load) -> None:
    """Say how objects of a kind are called on the pages of the library. From `AppConfig.ready`."""
    _loads[kind] = load


def uses_of(entry: Entry, *, slug: str) -> list[UseGroup]:
    """Group the latest uses of an entry, first the answers that can still be changed: a query, and what each desk asks."""
    digest = digest_of(entry)
    # What has an earlier text comes first, however many have been made since.
    newest = entry.uses.select_related("used_by").order_by(Case(When(digest=digest, then=1), default=0), "-used_at", "-id")
    uses = list(newest[:MAX_USES])
    objects: dict[str, Mapping[int, UsedIn]] = {}
    for kind in {use.kind for use in uses} & _loads.keys():
        objects[kind] = _loads[kind]({use.object_id for use in uses if use.kind == kind}, slug)
    shown = [
        ShownUse(use=use, used_in=objects.get(use.kind, {}).get(use.object_id), is_older=use.digest != digest) for use in uses
    ]
    groups = (
        UseGroup("open", "Open, with an earlier text", [each for each in shown if _can_be_changed(each)]),
        UseGroup("sent", "Closed, with an earlier text", [each for each in shown if each.is_older and each.is_sent]),
        UseGroup("today", "With the current text", [each for each in shown if each.used_in and not each.is_older]),
        UseGroup("gone", "No longer here", [each for each in shown if not each.used_in]),
    )
    return [group for group in groups if group.uses]


def _can_be_changed(shown: ShownUse) -> bool:
    return shown.is_older and shown.used_in is not None and not shown.is_sent
