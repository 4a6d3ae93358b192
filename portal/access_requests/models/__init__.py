"""Requests, the decisions about them, and what follows: viewers and the documents they may see."""

from portal.access_requests.models.decisions import Decision, DecisionQuerySet, latest_decisions, seconds_until
from portal.access_requests.models.desk_settings import DeskSettings
from portal.access_requests.models.lists import ListedDomain, ListKind, SensitiveDocument
from portal.access_requests.models.people import FULL, LEVELS, PARTIAL, domain_of, level_label
from portal.access_requests.models.requests import AccessRequest, AccessRequestQuerySet, Outcome
from portal.access_requests.models.rules import NeverChanged, RuleSwitch, RuleVerdict, RuleVerdictQuerySet, RuleVersion
from portal.access_requests.models.states import (
    ACTIVE,
    ANSWER_TIME,
    FAILURES,
    LEASE,
    MAX_TRIES,
    OPEN,
    WAITING,
    WINDOW,
    DecisionState,
    Verb,
)
from portal.access_requests.models.viewer_runs import ViewerItem, ViewerRun
from portal.access_requests.models.viewers import NEVER, ContractState, Viewer, ViewerQuerySet

__all__ = [
    "ACTIVE",
    "ANSWER_TIME",
    "FAILURES",
    "FULL",
    "LEASE",
    "LEVELS",
    "MAX_TRIES",
    "NEVER",
    "OPEN",
    "PARTIAL",
    "WAITING",
    "WINDOW",
    "AccessRequest",
    "AccessRequestQuerySet",
    "ContractState",
    "Decision",
    "DecisionQuerySet",
    "DecisionState",
    "DeskSettings",
    "ListKind",
    "ListedDomain",
    "NeverChanged",
    "Outcome",
    "RuleSwitch",
    "RuleVerdict",
    "RuleVerdictQuerySet",
    "RuleVersion",
    "SensitiveDocument",
    "Verb",
    "Viewer",
    "ViewerItem",
    "ViewerQuerySet",
    "ViewerRun",
    "domain_of",
    "latest_decisions",
    "level_label",
    "seconds_until",
]
