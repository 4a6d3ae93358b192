"""Tags, the knowledge base and the answer library (platform-api 4.3, 4.4)."""

from typing import Any

from pydantic import Field

from portal.platform_api.models.questionnaires import Assignment
from portal.platform_api.models.remote import Listed, Moment, Remote


class TagCategory(Listed):
    """A category of tags. It does not tell the product contexts it is used in."""

    display_name: str = ""


class Tag(Listed):
    """A tag; `category` is the id of its category."""

    category: str = ""
    display_name: str = ""


class TagCategoryWithTags(Remote):
    """A category and its tags."""

    category: TagCategory
    tags: list[Tag] = Field(default_factory=list)


class Kept(Listed):
    """What somebody looks after, and until when it is good."""

    owner_assignment: Assignment | None = None
    expiration_status: str = ""
    expiration_date: Moment | None = None
    last_verified: Moment | None = None
    last_updated: Moment
    tags: list[dict[str, Any]] = Field(default_factory=list)


class KnowledgeResource(Kept):
    """A file (`type` FILE) or a page (URL). `file_url` is pre-signed and good for an hour."""

    type: str
    title: str
    description: str | None = None
    customer_visibility: str | None = None
    is_used_in_questionnaires: bool | None = None
    category_id: str | None = None
    file_url: str | None = None
    download_permission: str | None = None
    url: str | None = None
    include_sub_pages: bool | None = None


class Answer(Kept):
    """A question and its answer in the library."""

    question: str
    answer: str
