"""The filters of the matrix of tag categories."""

from dataclasses import dataclass

from portal.tags.models import CONTEXTS, Category, CategoryQuerySet, Use
from portal.ui.list_filters import ListFilters, choice, text

ORDER = ("name_sort", "id")
NOWHERE = "nowhere"
USES = {"": "Any use", **{key: f"Used in: {title}" for key, title in CONTEXTS.items()}, NOWHERE: "Not used"}
PRESENCES = {"": "On the platform", "gone": "No longer on the platform"}


@dataclass(frozen=True, kw_only=True)
class MatrixFilters(ListFilters):
    """Which categories the matrix shows."""

    q: str = text()
    use: str = choice(USES, label="Use")
    presence: str = choice(PRESENCES, label="Presence")

    def rows(self) -> CategoryQuerySet:
        """Give exactly the categories that these filters show."""
        rows: CategoryQuerySet = Category.objects.gone() if self.presence else Category.objects.present()
        if self.use == NOWHERE:
            rows = rows.exclude(pk__in=Use.objects.values("category"))
        elif self.use:
            rows = rows.filter(pk__in=Use.objects.filter(context=self.use).values("category"))
        return rows.matching(self.q)
