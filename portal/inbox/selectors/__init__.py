"""What the pages of the inbox, and those of other rooms, show of it."""

from portal.inbox.selectors.deliveries import SEARCHED, chain, found, pretty, tenants_with_due_deliveries
from portal.inbox.selectors.feed_summary import Feed, Silence, attention_count, feed, feed_version, last_delivery_at, silence
from portal.inbox.selectors.rotations import Rotation, rotations, valid_secrets

__all__ = [
    "SEARCHED",
    "Feed",
    "Rotation",
    "Silence",
    "attention_count",
    "chain",
    "feed",
    "feed_version",
    "found",
    "last_delivery_at",
    "pretty",
    "rotations",
    "silence",
    "tenants_with_due_deliveries",
    "valid_secrets",
]
