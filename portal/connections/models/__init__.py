from portal.connections.models.areas import AccountMark, Answer, Capability
from portal.connections.models.budget import CallWindow, TokenEndpoint, TokenRequest
from portal.connections.models.connection import (
    EXPIRY_MARGIN,
    GRACE,
    LEASE,
    LONGEST_LEASE,
    Connection,
    GrantType,
    Region,
    State,
)
from portal.connections.models.exits import ExitRecord, Suspension
from portal.connections.models.flows import HOLD, ConnectFlow

__all__ = [
    "EXPIRY_MARGIN",
    "GRACE",
    "HOLD",
    "LEASE",
    "LONGEST_LEASE",
    "AccountMark",
    "Answer",
    "CallWindow",
    "Capability",
    "ConnectFlow",
    "Connection",
    "ExitRecord",
    "GrantType",
    "Region",
    "State",
    "Suspension",
    "TokenEndpoint",
    "TokenRequest",
]
