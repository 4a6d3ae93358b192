"""The copy of audits and of what each consists of."""

from portal.engagements.models.engagements import NO_DATE, Engagement, EngagementQuerySet
from portal.engagements.models.parts import (
    Audited,
    EngagementControl,
    EngagementPart,
    EngagementPartQuerySet,
    EvidenceItem,
    EvidenceItemQuerySet,
    InformationRequest,
    InformationRequestQuerySet,
    OpenedList,
    PartKind,
)

__all__ = [
    "NO_DATE",
    "Audited",
    "Engagement",
    "EngagementControl",
    "EngagementPart",
    "EngagementPartQuerySet",
    "EngagementQuerySet",
    "EvidenceItem",
    "EvidenceItemQuerySet",
    "InformationRequest",
    "InformationRequestQuerySet",
    "OpenedList",
    "PartKind",
]
