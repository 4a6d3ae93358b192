"""Bodies and filters of the knowledge base and the answer library (platform-api 4.4)."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict

from portal.platform_api.bodies.common import Owner, Pairs


class Upkeep(TypedDict, total=False):
    """Who looks after something, and until when it is good. `tags` replaces the whole set; None clears the others."""

    owner_assignment: Owner | None
    expiration_date: datetime | None
    tags: Pairs


class AnswerFields(Upkeep, total=False):
    question: str
    answer: str


class ResourceFields(Upkeep, total=False):
    """`category_id` is a category of the Trust Center, for resources that its visitors can see only (specification 2.5)."""

    description: str | None
    customer_visibility: str
    is_used_in_questionnaires: bool
    category_id: str | None


class DocumentFields(ResourceFields, total=False):
    download_permission: str


class DocumentChanges(DocumentFields, total=False):
    title: str


class PageFields(ResourceFields, total=False):
    include_sub_pages: bool


class PageChanges(PageFields, total=False):
    """The address of a page cannot be changed."""

    title: str


class AnswerFilters(TypedDict, total=False):
    """Bounds are inclusive; `matches_tags` is the JSON text of a list of {categoryId, tagId}."""

    q: str
    last_updated_after: datetime
    last_updated_before: datetime
    expires_after: datetime
    expires_before: datetime
    matches_tags: str


class ResourceFilters(AnswerFilters, total=False):
    type_matches_any: Sequence[str]
