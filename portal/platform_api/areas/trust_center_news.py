"""Updates of a Trust Center, who hears of them, and its chatbot (specification 4.7, platform-api 4.5.9 - 4.5.11)."""

from collections.abc import Iterator, Sequence
from typing import Unpack

from portal.platform_api.bodies.showcase import Accounts, SubscriberFields, UpdateFields
from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models.showcase import (
    ChatMessage,
    Conversation,
    RecipientCount,
    Subscriber,
    SubscriberGroup,
    Update,
)

ROOT = "/trust-centers/{slug_id}"


class Updates(Area):
    """News. Notifications are real mails: never repeat one by itself."""

    name = "trust_center.updates"
    root = ROOT + "/updates"

    @paged()
    def all(self) -> Iterator[Update]:
        """Walk the updates."""

    @endpoint("POST")
    def create(self, *, title: str, description: str, category: str, **fields: Unpack[UpdateFields]) -> Update:
        """Publish an update."""

    @endpoint("GET", "/{update_id}")
    def get(self, update_id: str) -> Update:
        """Fetch one update."""

    @endpoint("PATCH", "/{update_id}")
    def update(self, update_id: str, *, title: str, description: str, category: str, visibility_type: str = ...) -> Update:
        """Change an update; its title, text and category are wanted again."""

    @endpoint("DELETE", "/{update_id}")
    def delete(self, update_id: str) -> None:
        """Delete an update."""

    @endpoint("POST", "/{update_id}/notify-all-subscribers")
    def notify_all(self, update_id: str) -> None:
        """Send an update to every subscriber."""

    @endpoint("POST", "/{update_id}/notify-specific-subscribers")
    def notify(
        self,
        update_id: str,
        *,
        emails: Sequence[str],
        subscriber_group_ids: Sequence[str],
        customer_trust_accounts: Accounts = ...,
    ) -> RecipientCount:
        """Send an update to addresses, groups and the subscribers of accounts; 5,000 people at most."""


class Subscribers(Area):
    """Who hears of updates."""

    name = "trust_center.subscribers"
    root = ROOT + "/subscribers"

    @paged()
    def all(self, *, customer_trust_account_id: str | None = None) -> Iterator[Subscriber]:
        """Walk all subscribers, or those of an account."""

    @endpoint("POST")
    def create(self, *, email: str, **fields: Unpack[SubscriberFields]) -> Subscriber:
        """Add a subscriber, who is asked to verify the address unless told otherwise."""

    @endpoint("GET", "/{subscriber_id}")
    def get(self, subscriber_id: str) -> Subscriber:
        """Fetch one subscriber."""

    @endpoint("DELETE", "/{subscriber_id}")
    def delete(self, subscriber_id: str) -> None:
        """Remove a subscriber."""

    @endpoint("PUT", "/{subscriber_id}/groups")
    def set_groups(self, subscriber_id: str, group_ids: Sequence[str]) -> Subscriber:
        """Replace the groups of a subscriber."""


class SubscriberGroups(Area):
    """Subscribers under one name."""

    name = "trust_center.subscriber_groups"
    root = ROOT + "/subscriber-groups"

    @paged()
    def all(self) -> Iterator[SubscriberGroup]:
        """Walk the groups."""

    @endpoint("POST")
    def create(self, name: str, subscriber_ids: Sequence[str]) -> SubscriberGroup:
        """Add a group."""

    @endpoint("GET", "/{group_id}")
    def get(self, group_id: str) -> SubscriberGroup:
        """Fetch one group."""

    @endpoint("PATCH", "/{group_id}")
    def rename(self, group_id: str, name: str) -> SubscriberGroup:
        """Rename a group."""

    @endpoint("DELETE", "/{group_id}")
    def delete(self, group_id: str) -> None:
        """Delete a group; its subscribers stay."""


class Conversations(Area):
    """Conversations with the chatbot; read only."""

    name = "trust_center.conversations"
    root = ROOT + "/chatbot/conversations"

    @paged(origin=SEED)
    def all(self, *, search_string: str | None = None) -> Iterator[Conversation]:
        """Walk all conversations, or those that contain a text."""

    @endpoint("GET", "/{conversation_id}", origin=SEED)
    def messages(self, conversation_id: str) -> list[ChatMessage]:
        """Fetch the messages of one conversation."""
