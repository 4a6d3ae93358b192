"""The copy of issues with who owns them, and of risk scenarios with their controls."""

from portal.risks.models.choices import REVIEWS, SEVERITIES, SOURCES, STATUSES
from portal.risks.models.issues import (
    NO_DATE,
    NO_OWNER,
    Issue,
    IssueOwner,
    IssueOwnerQuerySet,
    IssueQuerySet,
    OwnerOfIssue,
    names_of_owners,
)
from portal.risks.models.scenarios import RiskControl, RiskScenario, RiskScenarioQuerySet

__all__ = [
    "NO_DATE",
    "NO_OWNER",
    "REVIEWS",
    "SEVERITIES",
    "SOURCES",
    "STATUSES",
    "Issue",
    "IssueOwner",
    "IssueOwnerQuerySet",
    "IssueQuerySet",
    "OwnerOfIssue",
    "RiskControl",
    "RiskScenario",
    "RiskScenarioQuerySet",
    "names_of_owners",
]
