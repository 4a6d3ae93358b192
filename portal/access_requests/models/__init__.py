"""Requests, the decisions about them, and what follows: viewers and the documents they may see."""

from portal.access_requests.models.decisions import ACTIVE, ANSWER_TIME, Decision, DecisionState, Verb
from portal.access_requests.models.requests import AccessRequest, AccessRequestQuerySet, Outcome
from portal.access_requests.models.viewers import NEVER, Resource, Viewer, ViewerQuerySet
from portal.access_requests.models.words import FULL, LEVELS, PARTIAL, domain_of, level_label

__all__ = [
    "ACTIVE",
    "ANSWER_TIME",
    "FULL",
    "LEVELS",
    "NEVER",
    "PARTIAL",
    "AccessRequest",
    "AccessRequestQuerySet",
    "Decision",
    "DecisionState",
    "Outcome",
    "Resource",
    "Verb",
    "Viewer",
    "ViewerQuerySet",
    "domain_of",
    "level_label",
]
