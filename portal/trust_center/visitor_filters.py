"""What the address of a page says that shows the Trust Center as a visitor sees it."""

from dataclasses import dataclass

from portal.trust_center.visitors import OFFERED, PARTS, Level
from portal.ui.list_filters import ListFilters, choice


@dataclass(frozen=True, kw_only=True)
class PartFilters(ListFilters):
    """Which part of the Trust Center a page shows; all of them by default."""

    part: str = choice({"": "", **PARTS}, narrows=False)

    @property
    def whole_link(self) -> str:
        return self.link(part="")


@dataclass(frozen=True, kw_only=True)
class VisitorFilters(PartFilters):
    """The same, and whose access is meant."""

    level: str = choice(OFFERED, default=Level.PUBLIC.value, narrows=False)
