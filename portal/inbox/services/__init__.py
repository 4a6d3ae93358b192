"""Every step of a delivery: the addresses and their secrets, intake, processing, replays, retention."""

from portal.inbox.services.endpoints import InvalidSecret, ensure_endpoints, enter_secret
from portal.inbox.services.intake import MAX_BODY_BYTES, BodyTooLarge, Disconnected, UnknownEndpoint, receive, store_delivery
from portal.inbox.services.limits import floods, refuse
from portal.inbox.services.outcomes import note_outcomes
from portal.inbox.services.parsing import Handler
from portal.inbox.services.processing import process, process_tenants
from portal.inbox.services.replay_limits import TooManyReplays
from portal.inbox.services.replays import REPLAYABLE, BodyIsCut, dismiss, replay, replay_failed, replay_range
from portal.inbox.services.retention import prune_bodies
from portal.inbox.services.rotation import end_previous, tell_of_known_secrets, tell_of_late_secrets, wipe_ended
from portal.inbox.services.silence import tell_of_silences, watch, watch_all

__all__ = [
    "MAX_BODY_BYTES",
    "REPLAYABLE",
    "BodyIsCut",
    "BodyTooLarge",
    "Disconnected",
    "Handler",
    "InvalidSecret",
    "TooManyReplays",
    "UnknownEndpoint",
    "dismiss",
    "end_previous",
    "ensure_endpoints",
    "enter_secret",
    "floods",
    "note_outcomes",
    "process",
    "process_tenants",
    "prune_bodies",
    "receive",
    "refuse",
    "replay",
    "replay_failed",
    "replay_range",
    "store_delivery",
    "tell_of_known_secrets",
    "tell_of_late_secrets",
    "tell_of_silences",
    "watch",
    "watch_all",
    "wipe_ended",
]
