"""Every change in this room: promises, our standard, suggestions, and answers that say another thing."""

from portal.commitments.selectors import AREA
from portal.commitments.services.noting import note_export
from portal.commitments.services.registering import (
    COMMITMENT,
    ChangedMeanwhile,
    Promised,
    add_commitment,
    change_commitment,
    end_commitment,
    reopen_commitment,
)
from portal.commitments.services.settling import SaysOtherwise, settle, unsettle
from portal.commitments.services.standards import StandardChanged, remove_standard, set_standard
from portal.commitments.services.suggesting import (
    MOST_AT_ONCE,
    CustomerUnknown,
    NotAccepted,
    accept,
    accept_corrected,
    account_of,
    bring_back,
    decide_many,
    put_away,
)

__all__ = [
    "AREA",
    "COMMITMENT",
    "MOST_AT_ONCE",
    "ChangedMeanwhile",
    "CustomerUnknown",
    "NotAccepted",
    "Promised",
    "SaysOtherwise",
    "StandardChanged",
    "accept",
    "accept_corrected",
    "account_of",
    "add_commitment",
    "bring_back",
    "change_commitment",
    "decide_many",
    "end_commitment",
    "note_export",
    "put_away",
    "remove_standard",
    "reopen_commitment",
    "set_standard",
    "settle",
    "unsettle",
]
