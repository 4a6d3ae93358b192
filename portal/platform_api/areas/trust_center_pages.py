"""Questions, subprocessors and frameworks of a Trust Center (specification 4.7, platform-api 4.5.7, 4.5.8, 4.5.12)."""

from typing import BinaryIO, Unpack

from portal.platform_api.bodies.showcase import (
    FrameworkChanges,
    FrameworkFields,
    SubprocessorChanges,
    SubprocessorFields,
)
from portal.platform_api.endpoints import SEED, Area, endpoint
from portal.platform_api.models.remote import Success
from portal.platform_api.models.showcase import (
    Category,
    Faq,
    ShownFramework,
    ShownFrameworks,
    Subprocessor,
)

ROOT = "/trust-centers/{slug_id}"


class Faqs(Area):
    """Questions that the Trust Center answers."""

    name = "trust_center.faqs"
    root = ROOT + "/faqs"

    @endpoint("GET")
    def all(self) -> list[Faq]:
        """Fetch all questions."""

    @endpoint("POST")
    def create(self, *, question: str, answer: str, category_id: str | None = ...) -> Faq:
        """Add a question."""

    @endpoint("GET", "/{faq_id}")
    def get(self, faq_id: str) -> Faq:
        """Fetch one question."""

    @endpoint("PATCH", "/{faq_id}")
    def update(self, faq_id: str, *, question: str, answer: str, category_id: str | None = ...) -> Faq:
        """Change a question; its text and its answer are wanted again."""

    @endpoint("DELETE", "/{faq_id}")
    def delete(self, faq_id: str) -> None:
        """Delete a question."""


class FaqCategories(Area):
    """Categories of questions."""

    name = "trust_center.faq_categories"
    root = ROOT + "/faq-categories"

    @endpoint("GET", origin=SEED)
    def all(self) -> list[Category]:
        """Fetch all categories."""

    @endpoint("POST", origin=SEED)
    def create(self, name: str) -> Category:
        """Add a category."""

    @endpoint("PATCH", "/{category_id}", origin=SEED)
    def rename(self, category_id: str, name: str) -> Category:
        """Rename a category."""

    @endpoint("DELETE", "/{category_id}", origin=SEED)
    def delete(self, category_id: str) -> None:
        """Delete a category; its questions are uncategorised then."""


class Subprocessors(Area):
    """Companies that process data for the tenant."""

    name = "trust_center.subprocessors"
    root = ROOT + "/subprocessors"

    @endpoint("GET")
    def all(self) -> list[Subprocessor]:
        """Fetch all subprocessors."""

    @endpoint("POST")
    def create(self, name: str, **fields: Unpack[SubprocessorFields]) -> Subprocessor | None:
        """Add a subprocessor; the answer may be empty (platform-api 4.5.8)."""

    @endpoint("GET", "/{subprocessor_id}")
    def get(self, subprocessor_id: str) -> Subprocessor:
        """Fetch one subprocessor."""

    @endpoint("PATCH", "/{subprocessor_id}")
    def update(self, subprocessor_id: str, **changes: Unpack[SubprocessorChanges]) -> Subprocessor:
        """Change what is named."""

    @endpoint("DELETE", "/{subprocessor_id}")
    def delete(self, subprocessor_id: str) -> None:
        """Delete a subprocessor."""


class ComplianceFrameworks(Area):
    """Compliance frameworks that the Trust Center shows."""

    name = "trust_center.compliance_frameworks"
    root = ROOT + "/compliance-frameworks"

    @endpoint("GET")
    def get(self) -> ShownFrameworks:
        """Fetch all frameworks, and whether visitors see them."""

    @endpoint("POST", origin=SEED)
    def create(self, name: str, **fields: Unpack[FrameworkFields]) -> ShownFramework:
        """Add a framework."""

    @endpoint("PATCH", "/{framework_id}", origin=SEED)
    def update(self, framework_id: str, **changes: Unpack[FrameworkChanges]) -> ShownFramework:
        """Change what is named."""

    @endpoint("DELETE", "/{framework_id}", origin=SEED)
    def delete(self, framework_id: str) -> None:
        """Delete a framework."""

    @endpoint("POST", "/{framework_id}/badge", origin=SEED, is_form=True)
    def set_badge(self, framework_id: str, file: BinaryIO, *, filename: str) -> Success:
        """Give a framework its badge."""
