"""The copy of the contracts with the text of their documents, what people noted of them, and the work that waits."""

from portal.contracts.models.contracts import FAR, NO_DATE, Contract, ContractQuerySet
from portal.contracts.models.feed import ContractFeed
from portal.contracts.models.pages import ContractPage
from portal.contracts.models.readings import MAX_READING_ATTEMPTS, READING_LEASE, Reading, ReadingState
from portal.contracts.models.removals import REMOVAL_LEASE, Removal, RemovalState
from portal.contracts.models.terms import NoticeUnit, Terms
from portal.contracts.models.uploads import (
    A_MINUTE,
    ATTENTION,
    LEASE,
    OPEN,
    OVER,
    Upload,
    UploadQuerySet,
    UploadState,
)

__all__ = [
    "ATTENTION",
    "A_MINUTE",
    "FAR",
    "LEASE",
    "MAX_READING_ATTEMPTS",
    "NO_DATE",
    "OPEN",
    "OVER",
    "READING_LEASE",
    "REMOVAL_LEASE",
    "Contract",
    "ContractFeed",
    "ContractPage",
    "ContractQuerySet",
    "NoticeUnit",
    "Reading",
    "ReadingState",
    "Removal",
    "RemovalState",
    "Terms",
    "Upload",
    "UploadQuerySet",
    "UploadState",
]
