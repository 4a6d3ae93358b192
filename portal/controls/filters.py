"""The filters of the desk's lists."""

from collections.abc import Mapping
from dataclasses import dataclass

from portal.controls.kinds import AREA
from portal.controls.models import (
    TEST_STATUSES,
    CompanyFrameworkQuerySet,
    DeactivatedControl,
    DeactivatedControlQuerySet,
    Framework,
    Test,
    TestQuerySet,
)
from portal.controls.models.choices import MAX_NAME_LENGTH, MAX_WORD_LENGTH
from portal.lib.platform_choices import pill_of, readable
from portal.page_refresh.services import cached_by_version
from portal.trust_center.kinds import AREA as IN_USE_AREA
from portal.trust_center.models import Control, ControlQuerySet
from portal.ui.list_filters import ListFilters, choice, text

ACTIVE, DEACTIVATED, LIBRARY = "", "deactivated", "library"
TABS = {ACTIVE: "Active", DEACTIVATED: "Deactivated", LIBRARY: "Library"}
ORIGINS = {"": "Any origin", "own": "Your own", "platform": "From the platform"}
BY_NAME = ("name_sort", "id")
TEST_ORDERS = {"": "Needs attention first", "name": "By name"}
TEST_SORTS = {"": ("status_rank", "id"), "name": BY_NAME}
MAX_OPTIONS = 200


@dataclass(frozen=True, kw_only=True)
class CompanyControlFilters(ListFilters):
    """Which controls a page shows: those in use, those out of use, or of these the ones that the platform has written."""

    q: str = text()
    tab: str = choice(TABS, narrows=False)
    domain: str = text(max_length=MAX_NAME_LENGTH, label="Domain", options={"": "Any domain"})
    origin: str = choice(ORIGINS, label="Origin")

    def rows(self) -> ControlQuerySet | DeactivatedControlQuerySet:
        """Give exactly the controls that these filters show."""
        return self.of_tab(self.tab).matching(self.q)

    def of_tab(self, tab: str) -> ControlQuerySet | DeactivatedControlQuerySet:
        """The same of one tab, without the search."""
        rows: ControlQuerySet | DeactivatedControlQuerySet
        match tab:
            case "deactivated":
                rows = DeactivatedControl.objects.present()
            case "library":
                rows = DeactivatedControl.objects.of_the_library()
            case _:
                rows = Control.objects.present()
        if self.domain:
            rows = rows.filter(domain=self.domain)
        if self.origin:
            rows = rows.filter(is_own=self.origin == "own")
        return rows

    def more_options(self, name: str) -> Mapping[str, str]:
        if name != "domain":
            return {}
        seen = sorted({*cached_by_version(IN_USE_AREA, "control_domains", _domains_in_use), *_domains_out_of_use()})
        return {each: readable(each) for each in dict.fromkeys([*seen, *filter(None, [self.domain])])}


def _domains_in_use() -> list[str]:
    rows = Control.objects.present().exclude(domain="").order_by("domain").values_list("domain", flat=True)
    return list(rows.distinct()[:MAX_OPTIONS])


def _domains_out_of_use() -> list[str]:
    rows = DeactivatedControl.objects.present().exclude(domain="").order_by("domain").values_list("domain", flat=True)
    return cached_by_version(AREA, "domains", lambda: list(rows.distinct()[:MAX_OPTIONS]))


@dataclass(frozen=True, kw_only=True)
class CompanyFrameworkFilters(ListFilters):
    """Which frameworks a page shows."""

    q: str = text()

    def rows(self) -> CompanyFrameworkQuerySet:
        """Give exactly the frameworks that these filters show."""
        rows: CompanyFrameworkQuerySet = Framework.objects.present()
        return rows.matching(self.q)


@dataclass(frozen=True, kw_only=True)
class TestFilters(ListFilters):
    """Which tests a page shows, and in which order."""

    __test__ = False  # it is none of pytest's

    q: str = text()
    status: str = text(max_length=MAX_WORD_LENGTH, narrows=False)
    category: str = text(max_length=MAX_NAME_LENGTH, label="Category", options={"": "Any category"})
    sort: str = choice(TEST_ORDERS, label="Order", narrows=False)

    @property
    def order_by(self) -> tuple[str, str]:
        return TEST_SORTS[self.sort]

    def rows(self) -> TestQuerySet:
        """Give exactly the tests that these filters show."""
        rows = self.of_all_states()
        if self.status:
            rows = rows.filter(status=self.status)
        return rows.matching(self.q)

    def of_all_states(self) -> TestQuerySet:
        """The same without the tab and the search."""
        rows: TestQuerySet = Test.objects.present()
        return rows.filter(category=self.category) if self.category else rows

    def state_tabs(self, seen: Mapping[str, int]) -> dict[str, str]:
        """Return the tabs: all, the states that tests have, and the one that is open."""
        known = [each for each in TEST_STATUSES if each in seen or each == self.status]
        others = sorted({*seen, self.status} - {*TEST_STATUSES, ""})
        return {"": "All", **{each: pill_of(each, TEST_STATUSES)[0] for each in [*known, *others]}}

    def more_options(self, name: str) -> Mapping[str, str]:
        if name != "category":
            return {}
        seen = cached_by_version(AREA, "categories", _categories)
        return {each: each for each in dict.fromkeys([*seen, *filter(None, [self.category])])}


def _categories() -> list[str]:
    rows = Test.objects.present().exclude(category="").order_by("category").values_list("category", flat=True)
    return list(rows.distinct()[:MAX_OPTIONS])
