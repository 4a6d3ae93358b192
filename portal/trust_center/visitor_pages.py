"""What the pages show that say what a visitor of the Trust Center sees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from portal.lib.keyset import KeysetPage, keyset_page
from portal.sync.readiness import Readiness, readiness
from portal.trust_center.models import CenterSettings
from portal.trust_center.visitor_filters import PartFilters
from portal.trust_center.visitors import PARTS, Part, Sight, Visitor

SHOWN_AT_FIRST, ON_A_PAGE = 10, 50


@dataclass(frozen=True, kw_only=True)
class SeenObject:
    """One object as a visitor sees it; `url` is its page here."""

    title: str
    url: str
    sight: Sight


@dataclass(frozen=True, kw_only=True)
class SeenPart:
    """One part of the Trust Center as a visitor sees it: the first rows, or a page of all of them."""

    key: str
    label: str
    more_url: str
    readiness: Readiness
    counts: Mapping[Sight, int]
    objects: Sequence[SeenObject]
    page: KeysetPage[Any]

    @property
    def number(self) -> int:
        return sum(self.counts.values())

    @property
    def signs(self) -> list[tuple[str, str, str]]:
        """Words, tone and icon for how much is seen how."""
        return [(f"{sight.label}: {number}", sight.tone, sight.icon) for sight, number in self.counts.items()]


@dataclass(frozen=True, kw_only=True)
class Openness:
    """Whether everybody can open the Trust Center at all."""

    is_read: bool
    is_public: bool | None


def openness() -> Openness:
    """Say what the platform says of it; before its settings were read nothing is known (guarantee R3)."""
    found = CenterSettings.objects.present().only("is_public").first()
    return Openness(is_read=found is not None, is_public=found.is_public if found else None)


def seen_parts(visitor: Visitor, filters: PartFilters, *, slug: str, cursor: str | None) -> list[SeenPart]:
    """Return every part as a visitor sees it, or a page of the one that the filters name."""
    wanted = {key: part for key, part in PARTS.items() if filters.part in ("", key)}
    return [_seen(key, part, visitor, filters, slug=slug, cursor=cursor) for key, part in wanted.items()]


def _seen(key: str, part: Part, visitor: Visitor, filters: PartFilters, *, slug: str, cursor: str | None) -> SeenPart:
    size, place = (ON_A_PAGE, cursor) if filters.part else (SHOWN_AT_FIRST, None)
    page = keyset_page(part.rows(visitor).defer("payload", "search"), order_by=part.order_by, cursor=place, size=size)
    list_url = reverse(part.list_name, args=[slug])
    return SeenPart(
        key=key,
        label=part.label,
        more_url=filters.link(part=key),
        readiness=readiness(*part.kinds, needs_trust_center=True),
        counts=part.counts(visitor),
        objects=[
            SeenObject(title=str(row), url=part.url(slug, row.platform_id) if part.url else list_url, sight=Sight(row.sight))
            for row in page.rows
        ],
        page=page,
    )
