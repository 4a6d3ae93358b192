"""Every change in this room: promises, our standard, suggestions, and answers that say another thing."""

from portal.commitments.selectors import AREA
from portal.commitments.services.commitments import (
    COMMITMENT,
    ChangedMeanwhile,
    Promised,
    add_commitment,
    change_commitment,
    end_commitment,
    reopen_commitment,
)
from portal.commitments.services.contradictions import SaysOtherwise, reopen, resolve
from portal.commitments.services.export_audit import record_export
from portal.commitments.services.standards import StandardChanged, remove_standard, set_standard
from portal.commitments.services.suggestions import (
    GONE,
    MAX_AT_ONCE,
    CustomerUnknown,
    NotAccepted,
    SuggestionGone,
    accept,
    accept_corrected,
    account_of,
    bring_back,
    decide_many,
    dismiss,
)

__all__ = [
    "AREA",
    "COMMITMENT",
    "GONE",
    "MAX_AT_ONCE",
    "ChangedMeanwhile",
    "CustomerUnknown",
    "NotAccepted",
    "Promised",
    "SaysOtherwise",
    "StandardChanged",
    "SuggestionGone",
    "accept",
    "accept_corrected",
    "account_of",
    "add_commitment",
    "bring_back",
    "change_commitment",
    "decide_many",
    "dismiss",
    "end_commitment",
    "record_export",
    "remove_standard",
    "reopen",
    "reopen_commitment",
    "resolve",
    "set_standard",
]
