"""What a visitor of the Trust Center sees, by the access they have. Made of our copy alone.

A sight is worked out by the database, from one list of conditions: what a row says and what is counted cannot differ.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from django.db import models
from django.db.models import Case, Count, Q, QuerySet, Value, When

from portal.page_refresh.services import cached_by_version
from portal.trust_center.filters import BY_CATEGORY, BY_NAME, BY_PLACE, NEWEST_FIRST, SORTS
from portal.trust_center.kinds import (
    AREA,
    CONTROL_CATEGORY,
    FAQ,
    FRAMEWORK,
    RESOURCE,
    SHOWN_CONTROL,
    SUBPROCESSOR,
    UPDATE,
)
from portal.trust_center.models import (
    ControlCategory,
    ControlPlacement,
    Faq,
    Framework,
    Resource,
    ShownControl,
    Subprocessor,
    Update,
)
from portal.trust_center.search_hits import control_url, faq_url, resource_url, update_url

type Conditions = tuple[list[tuple["Sight", Q]], "Sight"]
"""What is seen how, the first that holds, and how everything else is seen."""
FULL_ACCESS, PARTIAL_ACCESS = "FULL_ACCESS", "PARTIAL_ACCESS"
"""The platform's words (platform-api 5.2). An open set: others say nothing of what is seen."""
PUBLIC_CATEGORY: Final = "PUBLIC"


class Level(models.TextChoices):
    """What access somebody has."""

    PUBLIC = "public", "Public visitor"
    NDA = "nda", "NDA pending"
    PARTIAL = "partial", "Partial access"
    FULL = "full", "Full access"
    OTHER = "other", "Another access level"


OFFERED: Final = {each.value: each.label for each in Level if each != Level.OTHER}
EXPLAINED: Final = {
    Level.PUBLIC: "Anyone who opens the Trust Center without access.",
    Level.NDA: "A viewer who has not accepted the NDA yet. Documents open once it is accepted.",
    Level.PARTIAL: "A viewer with only the documents you granted.",
    Level.FULL: "A viewer with all documents.",
    Level.OTHER: "The platform names an access level that isn't documented.",
}


class Sight(models.TextChoices):
    """How somebody sees an object."""

    SHOWN = "shown", "Shown"
    GRANTED = "granted", "If granted"
    LOCKED = "locked", "Locked"
    HIDDEN = "hidden", "Not shown"
    UNKNOWN = "unknown", "Not documented"

    @property
    def tone(self) -> str:
        return {"shown": "good", "granted": "info", "unknown": "warn"}.get(self.value, "muted")

    @property
    def icon(self) -> str:
        icons = {"shown": "eye", "granted": "key-round", "locked": "lock", "hidden": "eye-off"}
        return icons.get(self.value, "circle-question-mark")


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """Somebody of a level; `granted` names the documents of one person, and is None where nobody in particular is meant."""

    level: Level
    granted: frozenset[str] | None = None

    @property
    def key(self) -> str:
        granted = "*" if self.granted is None else sha256("\n".join(sorted(self.granted)).encode()).hexdigest()[:16]
        return f"{self.level.value}:{granted}"


def visitor_of(*, access_level: str, resource_ids: Sequence[str] | None, is_nda_pending: bool, is_over: bool) -> Visitor:
    """Say what visitor a viewer is now: one whose access is over is a public one again."""
    if is_over:
        return Visitor(level=Level.PUBLIC)
    if access_level not in (FULL_ACCESS, PARTIAL_ACCESS):
        return Visitor(level=Level.OTHER)
    if is_nda_pending:
        return Visitor(level=Level.NDA)
    # No list means all documents (platform-api 4.5.3).
    if access_level == FULL_ACCESS or resource_ids is None:
        return Visitor(level=Level.FULL)
    return Visitor(level=Level.PARTIAL, granted=frozenset(resource_ids))


def _documents(visitor: Visitor) -> Conditions:
    shown = Q(is_public=True)
    if visitor.level == Level.FULL:
        return [], Sight.SHOWN
    if visitor.level == Level.PARTIAL:
        if visitor.granted is None:
            return [(Sight.SHOWN, shown)], Sight.GRANTED
        shown |= Q(platform_id__in=visitor.granted)
    return [(Sight.SHOWN, shown)], Sight.UNKNOWN if visitor.level == Level.OTHER else Sight.LOCKED


def _controls(visitor: Visitor) -> Conditions:
    """Who sees a category that is shareable, and what stands in none, is not documented (platform-api 4.5.6)."""
    public = ControlCategory.objects.present().filter(visibility=PUBLIC_CATEGORY).order_by().values("platform_id")
    placed = ControlPlacement.objects.filter(category_id__in=public).order_by().values("control_id")
    return [(Sight.SHOWN, Q(pk__in=placed))], Sight.UNKNOWN


def _updates(visitor: Visitor) -> Conditions:
    others = {Level.PUBLIC: Sight.HIDDEN, Level.PARTIAL: Sight.SHOWN, Level.FULL: Sight.SHOWN}
    of_viewers = (others.get(visitor.level, Sight.UNKNOWN), Q(other_readers=""))
    return [(Sight.SHOWN, Q(is_public=True)), of_viewers], Sight.UNKNOWN


def _everything(visitor: Visitor) -> Conditions:
    return [], Sight.SHOWN


@dataclass(frozen=True, kw_only=True)
class Part:
    """One part of the Trust Center, as the desk keeps it."""

    label: str
    model: type[Any]
    kinds: tuple[str, ...]
    order_by: tuple[str, ...]
    list_name: str
    url: Callable[[str, str], str] | None
    """The page of one object; without it the list is where it is read."""
    conditions: Callable[[Visitor], Conditions]

    def rows(self, visitor: Visitor) -> "QuerySet[Any]":
        """Return what is there, each with its `sight`."""
        conditions, rest = self.conditions(visitor)
        rows: QuerySet[Any] = self.model._default_manager.filter(gone_at=None)
        cases = [When(condition, then=Value(sight.value)) for sight, condition in conditions]
        found: QuerySet[Any] = rows.annotate(sight=Case(*cases, default=Value(rest.value), output_field=models.CharField()))
        return found

    def counts(self, visitor: Visitor) -> dict[Sight, int]:
        """Count what is seen how."""
        conditions, rest = self.conditions(visitor)

        def count() -> dict[str, int]:
            rows = self.rows(visitor).order_by()
            # Nothing can be grouped by what is the same for all.
            grouped = rows.values_list("sight").annotate(number=Count("pk")) if conditions else [(rest.value, rows.count())]
            return dict(grouped)

        found = cached_by_version(AREA, f"visitor:{self.list_name}:{visitor.key}", count)
        return {sight: found[sight.value] for sight in Sight if found.get(sight.value)}


PARTS: Final[Mapping[str, Part]] = {
    "documents": Part(
        label="Documents",
        model=Resource,
        kinds=(RESOURCE,),
        order_by=SORTS[""],
        list_name="trust_center:resources",
        url=resource_url,
        conditions=_documents,
    ),
    "faqs": Part(
        label="FAQs",
        model=Faq,
        kinds=(FAQ,),
        order_by=BY_CATEGORY,
        list_name="trust_center:faqs",
        url=faq_url,
        conditions=_everything,
    ),
    "controls": Part(
        label="Controls",
        model=ShownControl,
        kinds=(SHOWN_CONTROL, CONTROL_CATEGORY),
        order_by=BY_PLACE,
        list_name="trust_center:controls",
        url=control_url,
        conditions=_controls,
    ),
    "subprocessors": Part(
        label="Subprocessors",
        model=Subprocessor,
        kinds=(SUBPROCESSOR,),
        order_by=BY_NAME,
        list_name="trust_center:subprocessors",
        url=None,
        conditions=_everything,
    ),
    "frameworks": Part(
        label="Compliance frameworks",
        model=Framework,
        kinds=(FRAMEWORK,),
        order_by=BY_NAME,
        list_name="trust_center:frameworks",
        url=None,
        conditions=_everything,
    ),
    "updates": Part(
        label="Updates",
        model=Update,
        kinds=(UPDATE,),
        order_by=NEWEST_FIRST,
        list_name="trust_center:updates",
        url=update_url,
        conditions=_updates,
    ),
}
