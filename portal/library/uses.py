"""Where entries were used. A desk whose objects take text of the library registers how they are called (`register_use`)."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

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


_loads: dict[str, Load] = {}


def register_use(kind: str, load: Load) -> None:
    """Say how objects of a kind are called on the pages of the library. From `AppConfig.ready`."""
    _loads[kind] = load


def uses_of(entry: Entry, *, slug: str) -> list[ShownUse]:
    """Give the latest uses of an entry: one query for them, and what each desk asks."""
    uses = list(entry.uses.select_related("used_by")[:MAX_USES])
    objects: dict[str, Mapping[int, UsedIn]] = {}
    for kind in {use.kind for use in uses} & _loads.keys():
        objects[kind] = _loads[kind]({use.object_id for use in uses if use.kind == kind}, slug)
    digest = digest_of(entry)
    return [
        ShownUse(use=use, used_in=objects.get(use.kind, {}).get(use.object_id), is_older=use.digest != digest) for use in uses
    ]
