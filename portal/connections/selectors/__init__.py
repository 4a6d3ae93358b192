"""Reads for the connection's pages."""

from portal.connections.selectors.endings import ending
from portal.connections.selectors.health import AreaLine, areas, refused_area, state_words, token_words
from portal.connections.selectors.refusals import Attempt, held_back, refusal
from portal.connections.selectors.usage import Usage, usage

__all__ = [
    "AreaLine",
    "Attempt",
    "Usage",
    "areas",
    "ending",
    "held_back",
    "refusal",
    "refused_area",
    "state_words",
    "token_words",
    "usage",
]
