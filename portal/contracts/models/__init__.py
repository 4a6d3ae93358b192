"""The copy of the contracts, and the uploads that make new ones."""

from portal.contracts.models.contracts import NO_DATE, Contract, ContractQuerySet
from portal.contracts.models.pages import ContractPage
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
    "LEASE",
    "NO_DATE",
    "OPEN",
    "OVER",
    "Contract",
    "ContractPage",
    "ContractQuerySet",
    "Upload",
    "UploadQuerySet",
    "UploadState",
]
