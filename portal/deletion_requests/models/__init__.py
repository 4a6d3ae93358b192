"""The ledger of erasures, how a tenant works at this desk, and the looks that follow."""

from portal.deletion_requests.models.desk_settings import DeskSettings, IntakeLink
from portal.deletion_requests.models.requests import (
    LEASE,
    REFERENCE_LENGTH,
    REFERENCE_LETTERS,
    DeletionRequest,
    DeletionRequestQuerySet,
    new_reference,
)
from portal.deletion_requests.models.second_looks import Outcome, SecondLook
from portal.deletion_requests.models.states import (
    CLOSABLE,
    NEEDS_ATTENTION,
    OPEN,
    REPEATABLE,
    SENDABLE,
    Identity,
    Intake,
    State,
)

__all__ = [
    "CLOSABLE",
    "LEASE",
    "NEEDS_ATTENTION",
    "OPEN",
    "REFERENCE_LENGTH",
    "REFERENCE_LETTERS",
    "REPEATABLE",
    "SENDABLE",
    "DeletionRequest",
    "DeletionRequestQuerySet",
    "DeskSettings",
    "Identity",
    "Intake",
    "IntakeLink",
    "Outcome",
    "SecondLook",
    "State",
    "new_reference",
]
