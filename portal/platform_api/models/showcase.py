"""What else the Trust Center shows, and who hears of it (specification 2.2, platform-api 4.5.5 - 4.5.12)."""

from typing import Any

from pydantic import Field

from portal.platform_api.models.remote import Listed, Moment, Remote


class Category(Listed):
    """A category of documents or questions, or a group in a list of groups."""

    name: str


class ControlCategory(Listed):
    """A category of controls."""

    name: str
    visibility: str = ""
    status_visibility_override: str | None = None


class ShownControl(Listed):
    """A control that the Trust Center shows."""

    name: str
    description: str = ""
    categories: list[ControlCategory] = Field(default_factory=list)
    tags: list[dict[str, Any]] | None = None


class Faq(Listed):
    """A question with its answer."""

    question: str
    answer: str
    category: Category | None = None


class Subprocessor(Listed):
    """A company that processes data for the tenant."""

    name: str
    description: str | None = None
    location: str | None = None
    purpose: str | None = None
    url: str | None = None


class Update(Listed):
    """News of the Trust Center."""

    title: str
    description: str
    category: str
    creation_date: Moment
    updated_date: Moment
    visibility_type: str
    notified_emails: list[str] = Field(default_factory=list)


class RecipientCount(Remote):
    """To how many people an update was sent."""

    recipient_count: int


class Subscriber(Listed):
    """Somebody who hears of updates."""

    email: str
    is_email_verified: bool
    creation_date: Moment
    customer_trust_account_id: str | None = None
    groups: list[Category] = Field(default_factory=list)


class SubscriberGroup(Listed):
    """Subscribers under one name."""

    name: str
    subscriber_ids: list[str] = Field(default_factory=list)
    creation_date: Moment


class Conversation(Listed):
    """A conversation with the chatbot. Only the id has to be there: one odd entry must not stop the list."""

    first_message: str | None = None
    num_messages: int = 0
    user_email: str | None = None
    is_public_conversation: bool | None = None
    created_at: Moment | None = None


class ChatMessage(Listed):
    """One message of a conversation; `role` is USER or ASSISTANT."""

    role: str | None = None
    message: str | None = None
    created_at: Moment | None = None
    references: list[str] | None = None


class ShownFramework(Listed):
    """A compliance framework that the Trust Center shows; without a standard it is the tenant's own."""

    name: str
    standard: str | None = None
    description: str | None = None


class ShownFrameworks(Remote):
    """All frameworks, and whether visitors see them."""

    results: list[ShownFramework] = Field(default_factory=list)
    is_section_visible: bool


class CollectedItem(Remote):
    """A kind of data, and whether it is collected."""

    data_collected: str
    status: str


class DataCollected(Remote):
    """What data the tenant says it collects."""

    results: list[CollectedItem] = Field(default_factory=list)
    data_collected_heading: str | None = None


class Video(Remote):
    """A video at one of the known sites."""

    url: str
    title: str
    description: str | None = None
