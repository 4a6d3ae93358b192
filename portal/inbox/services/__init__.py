"""Every step of a delivery: the addresses and their secrets, receiving, handling, replaying."""

from portal.inbox.services.endpoints import InvalidSecret, endpoint_url, ensure_endpoints, enter_secret
from portal.inbox.services.handling import note_outcomes, process, process_tenants
from portal.inbox.services.receiving import LARGEST_BODY, BodyTooLarge, Disconnected, UnknownEndpoint, receive, store_delivery
from portal.inbox.services.replaying import replay

__all__ = [
    "LARGEST_BODY",
    "BodyTooLarge",
    "Disconnected",
    "InvalidSecret",
    "UnknownEndpoint",
    "endpoint_url",
    "ensure_endpoints",
    "enter_secret",
    "note_outcomes",
    "process",
    "process_tenants",
    "receive",
    "replay",
    "store_delivery",
]
