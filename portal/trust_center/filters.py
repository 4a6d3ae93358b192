"""The filters of the desk's lists."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from portal.page_refresh.services import cached_by_version
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.trust_center.kinds import AREA
from portal.trust_center.models import (
    Control,
    ControlCategory,
    ControlQuerySet,
    Faq,
    FaqCategory,
    FaqQuerySet,
    Framework,
    FrameworkQuerySet,
    Resource,
    ResourceQuerySet,
    ShownControl,
    ShownControlQuerySet,
    Subprocessor,
    SubprocessorQuerySet,
    Subscriber,
    SubscriberGroup,
    SubscriberQuerySet,
    Update,
    UpdateQuerySet,
)
from portal.trust_center.models.updates import CATEGORIES, MAX_WORD_LENGTH, category_label
from portal.ui.list_filters import ListFilters, choice, text

PUBLIC, ON_REQUEST = "public", "on-request"
ACCESS = {"": "Any access", PUBLIC: "Public", ON_REQUEST: "On request"}
RENEWAL = {"": "Any renewal", "needed": "Needs renewal"}
ORDERS = {"": "By title", "renewal": "Next renewal first"}
SORTS = {"": ("title_sort", "id"), "renewal": ("renew_on", "id")}
BY_NAME = ("name_sort", "id")
BY_CATEGORY = ("category_sort", "question_sort", "id")
BY_PLACE = ("category_sort", "name_sort", "id")
BY_ADDRESS = ("folded_email", "id")
NEWEST_FIRST = ("-created_at", "-id")
READERS = {"": "Any access", PUBLIC: "Public", "viewers": "Viewers only"}
CONFIRMED = {"": "Any address", "yes": "Confirmed", "no": "Not confirmed"}
NO_CATEGORY = "none"
"""Stands in the address for what is in no category."""
MAX_OPTIONS = 200


@dataclass(frozen=True, kw_only=True)
class ResourceFilters(ListFilters):
    """Which documents a page shows, and in which order."""

    q: str = text()
    access: str = choice(ACCESS, label="Access")
    type: str = text(label="Type", options={"": "Any type"})
    renewal: str = choice(RENEWAL, label="Renewal")
    sort: str = choice(ORDERS, label="Order", narrows=False)

    @property
    def order_by(self) -> tuple[str, str]:
        return SORTS[self.sort]

    def rows(self, today: date) -> ResourceQuerySet:
        """Give exactly the documents that these filters show on a day."""
        rows: ResourceQuerySet = Resource.objects.to_renew(today) if self.renewal else Resource.objects.present()
        if self.access:
            rows = rows.filter(is_public=self.access == PUBLIC)
        if self.type:
            rows = rows.filter(file_type=self.type)
        return rows.matching(self.q)

    def more_options(self, name: str) -> Mapping[str, str]:
        if name != "type":
            return {}
        return {each: each for each in dict.fromkeys([*cached_by_version(AREA, "file_types", _file_types), self.type]) if each}


def _file_types() -> list[str]:
    rows = Resource.objects.present().order_by("file_type").values_list("file_type", flat=True)
    return list(rows.distinct()[:MAX_OPTIONS])


def _known_category(category_id: str) -> str:
    """Return the id of a category that is there; nothing for any other."""
    if category_id in ("", NO_CATEGORY):
        return category_id
    return category_id if FaqCategory.objects.present().filter(platform_id=category_id).exists() else ""


@dataclass(frozen=True, kw_only=True)
class FaqFilters(ListFilters):
    """Which FAQs a page shows. The platform gives them a category and no tags (platform-api 4.5.7)."""

    q: str = text()
    category: str = text(max_length=MAX_ID_LENGTH, clean=_known_category, label="Category", options={"": "Any category"})

    def rows(self) -> FaqQuerySet:
        """Give exactly the FAQs that these filters show."""
        rows: FaqQuerySet = Faq.objects.present()
        if self.category:
            rows = rows.filter(category_id="" if self.category == NO_CATEGORY else self.category)
        return rows.matching(self.q)

    def more_options(self, name: str) -> Mapping[str, str]:
        if name != "category":
            return {}
        named = {row.platform_id: str(row) for row in FaqCategory.objects.present().defer("payload")[:MAX_OPTIONS]}
        return {**named, NO_CATEGORY: "Uncategorized"} if named else {}


@dataclass(frozen=True, kw_only=True)
class SubprocessorFilters(ListFilters):
    """Which subprocessors a page shows."""

    q: str = text()

    def rows(self) -> SubprocessorQuerySet:
        """Give exactly the subprocessors that these filters show."""
        rows: SubprocessorQuerySet = Subprocessor.objects.present()
        return rows.matching(self.q)


@dataclass(frozen=True, kw_only=True)
class FrameworkFilters(ListFilters):
    """Which compliance frameworks a page shows."""

    q: str = text()

    def rows(self) -> FrameworkQuerySet:
        """Give exactly the frameworks that these filters show."""
        rows: FrameworkQuerySet = Framework.objects.present()
        return rows.matching(self.q)


@dataclass(frozen=True, kw_only=True)
class ShownControlFilters(ListFilters):
    """Which controls of the Trust Center a page shows."""

    q: str = text()
    category: str = text(max_length=512, label="Category", options={"": "Any category"})

    def rows(self) -> ShownControlQuerySet:
        """Give exactly the controls that these filters show."""
        rows: ShownControlQuerySet = ShownControl.objects.present()
        if self.category:
            rows = rows.in_category("" if self.category == NO_CATEGORY else self.category)
        return rows.matching(self.q)

    def more_options(self, name: str) -> Mapping[str, str]:
        if name != "category":
            return {}
        named = {row.platform_id: str(row) for row in ControlCategory.objects.present().defer("payload")[:MAX_OPTIONS]}
        return {**named, NO_CATEGORY: "Uncategorized"} if named else {}


@dataclass(frozen=True, kw_only=True)
class ControlFilters(ListFilters):
    """Which controls of the tenant a page offers."""

    q: str = text()

    def rows(self) -> ControlQuerySet:
        """Give exactly the controls that the Trust Center does not show, and that these filters show."""
        rows: ControlQuerySet = Control.objects.not_shown()
        return rows.matching(self.q)


@dataclass(frozen=True, kw_only=True)
class UpdateFilters(ListFilters):
    """Which updates a page shows."""

    q: str = text()
    category: str = text(max_length=MAX_WORD_LENGTH, label="Category", options={"": "Any category"})
    access: str = choice(READERS, label="Access")

    def rows(self) -> UpdateQuerySet:
        """Give exactly the updates that these filters show."""
        rows: UpdateQuerySet = Update.objects.present()
        if self.category:
            rows = rows.filter(category=self.category)
        if self.access:
            rows = rows.filter(is_public=self.access == PUBLIC, other_readers="")
        return rows.matching(self.q)

    def more_options(self, name: str) -> Mapping[str, str]:
        if name != "category":
            return {}
        more = [*cached_by_version(AREA, "update_categories", _update_categories), *filter(None, [self.category])]
        return CATEGORIES | {each: category_label(each) for each in more if each not in CATEGORIES}


def _update_categories() -> list[str]:
    rows = Update.objects.present().exclude(category="").order_by("category").values_list("category", flat=True)
    return list(rows.distinct()[:MAX_OPTIONS])


@dataclass(frozen=True, kw_only=True)
class SubscriberFilters(ListFilters):
    """Which subscribers a page shows."""

    q: str = text()
    group: str = text(max_length=MAX_ID_LENGTH, label="Group", options={"": "Any group"})
    confirmed: str = choice(CONFIRMED, label="Address")

    def rows(self) -> SubscriberQuerySet:
        """Give exactly the subscribers that these filters show."""
        rows: SubscriberQuerySet = Subscriber.objects.present()
        if self.group:
            rows = rows.in_groups(self.group)
        if self.confirmed:
            rows = rows.filter(is_verified=self.confirmed == "yes")
        return rows.matching(self.q)

    def more_options(self, name: str) -> Mapping[str, str]:
        return subscriber_groups() if name == "group" else {}


def subscriber_groups() -> dict[str, str]:
    """Return the first groups of subscribers by name, by their ids."""
    return {row.platform_id: str(row) for row in SubscriberGroup.objects.present().defer("payload")[:MAX_OPTIONS]}
