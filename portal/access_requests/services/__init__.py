"""Every change at the access desk: deciding, storing what the platform says, erasing a person."""

from portal.access_requests.services.deciding import (
    BeingDecided,
    DecidedElsewhere,
    OutcomeUnknown,
    RequestGone,
    Terms,
    approve,
    deny,
)
from portal.access_requests.services.erasing import register_personal_data
from portal.access_requests.services.looking import look_again

__all__ = [
    "BeingDecided",
    "DecidedElsewhere",
    "OutcomeUnknown",
    "RequestGone",
    "Terms",
    "approve",
    "deny",
    "look_again",
    "register_personal_data",
]
