"""Documents and controls of a Trust Center (specification 4.2, 4.7, platform-api 4.5.5, 4.5.6)."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import BinaryIO, Unpack

from portal.platform_api.bodies.showcase import (
    ControlCategoryChanges,
    ResourceChanges,
)
from portal.platform_api.endpoints import SEED, Area, endpoint, media, paged
from portal.platform_api.models.showcase import (
    Category,
    ControlCategory,
    ShownControl,
)
from portal.platform_api.models.trust_center import Resource
from portal.platform_api.request import Download

ROOT = "/trust-centers/{slug_id}"


class Resources(Area):
    """The documents of the Trust Center."""

    name = "trust_center.resources"
    root = ROOT + "/resources"

    @endpoint("GET")
    def all(self) -> list[Resource]:
        """Fetch all documents; this list has no pages."""

    @endpoint("POST", is_form=True)
    def create(self, file: BinaryIO, *, filename: str, title: str, is_public: bool, description: str | None = None) -> Resource:
        """Add a document."""

    @endpoint("GET", "/{resource_id}")
    def get(self, resource_id: str) -> Resource:
        """Fetch one document's facts."""

    @endpoint("PATCH", "/{resource_id}")
    def update(self, resource_id: str, **changes: Unpack[ResourceChanges]) -> Resource:
        """Change what is named."""

    @endpoint("DELETE", "/{resource_id}")
    def delete(self, resource_id: str) -> None:
        """Delete a document."""

    @media("/{resource_id}/media", origin=SEED)
    def media(self, resource_id: str) -> AbstractContextManager[Download]:
        """Stream the document itself, in its own type."""


class ResourceCategories(Area):
    """Categories of documents."""

    name = "trust_center.resource_categories"
    root = ROOT + "/resource-categories"

    @endpoint("GET", origin=SEED)
    def all(self) -> list[Category]:
        """Fetch all categories in their order."""

    @endpoint("POST", origin=SEED)
    def create(self, name: str) -> Category:
        """Add a category."""

    @endpoint("PUT", "/order", origin=SEED)
    def reorder(self, category_ids: Sequence[str]) -> None:
        """Put the categories, all of them, into an order."""

    @endpoint("PATCH", "/{category_id}", origin=SEED)
    def rename(self, category_id: str, name: str) -> Category:
        """Rename a category."""

    @endpoint("DELETE", "/{category_id}", origin=SEED)
    def delete(self, category_id: str) -> None:
        """Delete a category; its documents are uncategorised then."""


class Controls(Area):
    """Controls that the Trust Center shows."""

    name = "trust_center.controls"
    root = ROOT + "/controls"

    @paged()
    def all(self) -> Iterator[ShownControl]:
        """Walk the controls."""

    @endpoint("POST", origin=SEED)
    def add(self, *, control_id: str, category_ids: Sequence[str]) -> ShownControl:
        """Show a control in one category or more."""

    @endpoint("GET", "/{control_id}")
    def get(self, control_id: str) -> ShownControl:
        """Fetch one control."""

    @endpoint("DELETE", "/{control_id}")
    def delete(self, control_id: str) -> None:
        """Show a control no longer."""

    @endpoint("POST", "/tags", origin=SEED, is_idempotent=True)
    def add_tags(self, *, control_ids: Sequence[str], tag_category: str, tags: Sequence[str]) -> list[ShownControl]:
        """Give tags of one category to up to 100 controls."""

    @endpoint("DELETE", "/tags", origin=SEED)
    def remove_tags(self, *, control_ids: Sequence[str], tag_category: str, tags: Sequence[str]) -> list[ShownControl]:
        """Take tags of one category from up to 100 controls."""


class ControlCategories(Area):
    """Categories of controls."""

    name = "trust_center.control_categories"
    root = ROOT + "/control-categories"

    @endpoint("GET")
    def all(self) -> list[ControlCategory]:
        """Fetch all categories in their order."""

    @endpoint("POST")
    def create(self, name: str) -> ControlCategory:
        """Add a category."""

    @endpoint("PUT", "/order", origin=SEED)
    def reorder(self, ordered_category_ids: Sequence[str]) -> None:
        """Put the categories, all of them, into an order."""

    @endpoint("GET", "/{category_id}")
    def get(self, category_id: str) -> ControlCategory:
        """Fetch one category."""

    @endpoint("PATCH", "/{category_id}")
    def update(self, category_id: str, **changes: Unpack[ControlCategoryChanges]) -> ControlCategory:
        """Change what is named."""

    @endpoint("DELETE", "/{category_id}")
    def delete(self, category_id: str) -> None:
        """Delete a category and take its controls out of the Trust Center."""

    @endpoint("PATCH", "/{category_id}/controls", origin=SEED)
    def change_controls(
        self, category_id: str, *, controls_to_add: Sequence[str], controls_to_remove: Sequence[str]
    ) -> ControlCategory:
        """Put controls into a category and take others out."""

    @endpoint("PUT", "/{category_id}/controls/order", origin=SEED)
    def reorder_controls(self, category_id: str, ordered_control_ids: Sequence[str]) -> None:
        """Put the controls of a category, all of them, into an order."""
