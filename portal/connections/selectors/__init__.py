"""Reads for the connection's pages."""

from portal.connections.selectors.health import AreaLine, areas, refused_area, state_words, suspensions
from portal.connections.selectors.refusals import refusal
from portal.connections.selectors.usage import Usage, usage

__all__ = ["AreaLine", "Usage", "areas", "refusal", "refused_area", "state_words", "suspensions", "usage"]
