"""The filters of the list of entries."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import QuerySet

from portal.library.models import (
    Entry,
    EntryQuerySet,
    Gap,
    KnowledgeResource,
    KnowledgeResourceQuerySet,
    Label,
    LabelKind,
    Origin,
    State,
    TextState,
)
from portal.library.selectors import coverage
from portal.library.services import AREA
from portal.library.themes import theme_titles
from portal.page_refresh.services import cached_by_version
from portal.ui.list_filters import ListFilters, choice, text

ALL_TABS = {"": "All", **{str(state.value): str(state.label) for state in State}}
OWNERS = {"": "Any owner", "me": "Mine", "none": "Unassigned"}
ORIGINS = {"": "Any origin", **{str(origin.value): str(origin.label) for origin in Origin}}
ORDERS = {"": "Recently changed first", "due": "Next review first", "used": "Most used first"}
SORTS = {"": ("-changed_at", "-id"), "due": ("due_sort", "id"), "used": ("-use_count", "-id")}
OWN_LANGUAGE = "none"
"""Stands in the address for entries that name no language."""
MAX_OPTIONS = 300


@dataclass(frozen=True, kw_only=True)
class EntryFilters(ListFilters):
    """Which entries a page shows, and in which order."""

    tab: str = choice(ALL_TABS, narrows=False)
    q: str = text()
    tag: str = text(label="Tag", options={"": "Any tag"})
    product: str = text(label="Product", options={"": "Any product"})
    owner: str = choice(OWNERS, label="Owner")
    language: str = text(label="Language", options={"": "Any language"})
    origin: str = choice(ORIGINS, label="Origin")
    sort: str = choice(ORDERS, label="Order", narrows=False)

    @property
    def order_by(self) -> tuple[str, str]:
        return SORTS[self.sort]

    def rows(self, user_id: int | None, today: date) -> EntryQuerySet:
        """Give exactly the entries that these filters show to a person on a day."""
        rows = self._narrowed(user_id)
        return rows.of_state(self.tab, today) if self.tab else rows.with_state(today)

    def counted_tabs(self, user_id: int | None, today: date) -> list[dict[str, object]]:
        """Give the tabs, each with how many entries it has with every other filter in force."""
        key = f"tabs:{user_id}:{today}:{replace(self, tab='', sort='').query()}"
        counts = cached_by_version(AREA, key, lambda: self._narrowed(user_id).count_states(today))
        return self.tabs(ALL_TABS, {"": sum(counts.values()), **{state: counts.get(state, 0) for state in State.values}})

    def more_options(self, name: str) -> Mapping[str, str]:
        match name:
            case "tag" | "product":
                return _with_chosen(label_names(LabelKind(name)), getattr(self, name))
            case "language":
                return _languages(self.language)
        return {}

    def _narrowed(self, user_id: int | None) -> EntryQuerySet:
        rows: EntryQuerySet = Entry.objects.all()
        for kind in LabelKind:
            if name := getattr(self, kind.value):
                rows = rows.filter(pk__in=Label.objects.filter(kind=kind, name=name).values("entry"))
        if self.owner:
            rows = rows.filter(owner_id=user_id if self.owner == "me" else None)
        if self.language:
            rows = rows.filter(language="" if self.language == OWN_LANGUAGE else self.language)
        if self.origin:
            rows = rows.filter(origin=self.origin)
        return rows.matching(self.q)


BY_TITLE = ("title_sort", "id")
TEXTS = {"": "All", **{str(state.value): str(state.label) for state in TextState}}


@dataclass(frozen=True, kw_only=True)
class KnowledgeFilters(ListFilters):
    """Which resources of the knowledge base a page shows."""

    tab: str = choice(TEXTS, narrows=False)
    q: str = text()

    def rows(self) -> KnowledgeResourceQuerySet:
        """Give exactly the resources that these filters show."""
        rows = self._narrowed()
        return rows.filter(text_state=self.tab) if self.tab else rows

    def counted_tabs(self) -> list[dict[str, object]]:
        """Give the tabs, each with how many resources it has with the search in force."""
        key = f"knowledge:{replace(self, tab='').query()}"
        counts = cached_by_version(AREA, key, lambda: self._narrowed().count_states())
        return self.tabs(TEXTS, {"": sum(counts.values()), **{state: counts.get(state, 0) for state in TextState.values}})

    def _narrowed(self) -> KnowledgeResourceQuerySet:
        rows: KnowledgeResourceQuerySet = KnowledgeResource.objects.present()
        return rows.matching(self.q)


GAP_ORDERS = {"": "By theme", "number": "Most asked first"}
GAP_SORTS = {"": ("theme", "-asked_count", "-id"), "number": ("-asked_count", "-id")}


@dataclass(frozen=True, kw_only=True)
class GapFilters(ListFilters):
    """Which questions without an entry a page shows, and in which order."""

    theme: str = text(clean=lambda key: key if key in theme_titles() else "", label="Theme", options={"": "Any theme"})
    sort: str = choice(GAP_ORDERS, label="Order", narrows=False)

    @property
    def order_by(self) -> tuple[str, ...]:
        return GAP_SORTS[self.sort]

    def rows(self) -> "QuerySet[Gap]":
        return Gap.objects.filter(theme=self.theme) if self.theme else Gap.objects.all()

    def more_options(self, name: str) -> Mapping[str, str]:
        """Offer the themes that have gaps, with how many there were when they were counted last."""
        if name != "theme":
            return {}
        counted = coverage()
        counts = counted.gaps if counted else {}
        shown = [key for key in theme_titles() if counts.get(key) or key == self.theme]
        return {key: f"{theme_titles()[key]} ({counts.get(key, 0)})" for key in shown}


def label_names(kind: LabelKind) -> list[str]:
    """Return the tags or products that entries have, by name. Kept until an entry changes."""

    def read() -> list[str]:
        rows = Label.objects.filter(kind=kind).order_by("name").values_list("name", flat=True)
        return list(rows.distinct()[:MAX_OPTIONS])

    return cached_by_version(AREA, f"labels:{kind}", read)


def _languages(chosen: str) -> dict[str, str]:
    def read() -> list[str]:
        rows = Entry.objects.exclude(language="").order_by("language").values_list("language", flat=True)
        return list(rows.distinct()[:MAX_OPTIONS])

    named = _with_chosen(cached_by_version(AREA, "languages", read), "" if chosen == OWN_LANGUAGE else chosen)
    return {OWN_LANGUAGE: "No language named", **named} if named else {}


def _with_chosen(names: list[str], chosen: str) -> dict[str, str]:
    return {name: name for name in [*names, *filter(None, [chosen])]}
