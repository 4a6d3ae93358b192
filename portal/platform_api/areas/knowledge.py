"""Tags, the knowledge base and the answer library (specification 4.7, platform-api 4.3, 4.4)."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import BinaryIO, Unpack

from portal.platform_api.bodies.knowledge import (
    AnswerFields,
    AnswerFilters,
    DocumentChanges,
    DocumentFields,
    PageChanges,
    PageFields,
    ResourceFilters,
)
from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models.knowledge import Answer, KnowledgeResource, TagCategory, TagCategoryWithTags


class TagCategories(Area):
    """Categories of tags and the product contexts they are used in."""

    name = "tag_categories"
    root = "/customer-trust/tag-categories"

    @endpoint("GET", origin=SEED)
    def all(self, *, product_context_ids_matches_any: Sequence[str] | None = None) -> list[TagCategory]:
        """Fetch all categories, or those used in one of the contexts."""

    @endpoint("GET", "/{tag_category_id}")
    def get(self, tag_category_id: str) -> TagCategoryWithTags:
        """Fetch a category with its tags."""

    @endpoint("POST", "/{tag_category_id}/product-contexts", origin=SEED, is_idempotent=True)
    def enable(self, tag_category_id: str, product_context_id: str) -> None:
        """Use a category in a product context; once more changes nothing. QUESTIONNAIRE cannot be written."""

    @endpoint("DELETE", "/{tag_category_id}/product-contexts/{product_context_id}", origin=SEED)
    def disable(self, tag_category_id: str, product_context_id: str) -> None:
        """Stop using a category in a product context; once more changes nothing."""


class Documents(Area):
    """Files of the knowledge base."""

    name = "knowledge_base.documents"
    root = "/knowledge-base/resources/documents"

    @endpoint("POST", is_form=True)
    def create(self, file: BinaryIO, *, filename: str, title: str, **fields: Unpack[DocumentFields]) -> KnowledgeResource:
        """Add a file."""

    @endpoint("PATCH", "/{resource_id}")
    def update(self, resource_id: str, **changes: Unpack[DocumentChanges]) -> KnowledgeResource:
        """Change what is named. Raises NotFound for a page."""

    @endpoint("POST", "/{resource_id}/upload", is_form=True)
    def replace(self, resource_id: str, file: BinaryIO, *, filename: str) -> KnowledgeResource:
        """Replace the file itself; everything else stays. Raises NotFound for a page."""


class Webpages(Area):
    """Pages of the knowledge base."""

    name = "knowledge_base.webpages"
    root = "/knowledge-base/resources/webpages"

    @endpoint("POST")
    def create(self, *, title: str, url: str, **fields: Unpack[PageFields]) -> KnowledgeResource:
        """Add a page by its address."""

    @endpoint("PATCH", "/{resource_id}")
    def update(self, resource_id: str, **changes: Unpack[PageChanges]) -> KnowledgeResource:
        """Change what is named. Raises NotFound for a file."""


class KnowledgeBase(Area):
    """Files and pages that answers are made from."""

    name = "knowledge_base"
    root = "/knowledge-base/resources"
    documents: Documents
    webpages: Webpages

    @paged()
    def all(self, **filters: Unpack[ResourceFilters]) -> Iterator[KnowledgeResource]:
        """Walk all resources, the most recently updated first, or those that pass every filter."""

    @endpoint("GET", "/{resource_id}")
    def get(self, resource_id: str) -> KnowledgeResource:
        """Fetch one resource; a file comes with a fresh address."""

    @endpoint("DELETE", "/{resource_id}")
    def delete(self, resource_id: str) -> None:
        """Delete a resource."""

    @endpoint("POST", "/{resource_id}/verify")
    def verify(self, resource_id: str, *, expiration_date: datetime = ...) -> KnowledgeResource:
        """Say that somebody looked and it is right; the end of validity changes only if it is given (platform-api 7.21)."""


class AnswerLibrary(Area):
    """Questions with their approved answers."""

    name = "answer_library"
    root = "/knowledge-base/answer-library"

    @paged()
    def all(self, **filters: Unpack[AnswerFilters]) -> Iterator[Answer]:
        """Walk all answers, the most recently updated first, or those that pass every filter."""

    @endpoint("POST")
    def create(self, **fields: Unpack[AnswerFields]) -> Answer:
        """Add an answer; question and answer are required."""

    @endpoint("GET", "/{answer_id}")
    def get(self, answer_id: str) -> Answer:
        """Fetch one answer."""

    @endpoint("PATCH", "/{answer_id}")
    def update(self, answer_id: str, **changes: Unpack[AnswerFields]) -> Answer:
        """Change what is named."""

    @endpoint("DELETE", "/{answer_id}")
    def delete(self, answer_id: str) -> None:
        """Delete an answer."""

    @endpoint("POST", "/{answer_id}/verify")
    def verify(self, answer_id: str, *, expiration_date: datetime = ...) -> Answer:
        """Say that somebody looked and it is right."""
