from portal.connections.models.areas import AccountMark, Answer, Capability
from portal.connections.models.budget import CallWindow, TokenEndpoint, TokenRequest
from portal.connections.models.connection import (
    EXPIRY_MARGIN,
    GRACE,
    LEASE,
    MAX_LEASE,
    Connection,
    GrantType,
    Region,
    State,
)
from portal.connections.models.exits import ExitRecord, Suspension
from portal.connections.models.flows import HOLD, AuthorizationRequest

__all__ = [
    "EXPIRY_MARGIN",
    "GRACE",
    "HOLD",
    "LEASE",
    "MAX_LEASE",
    "AccountMark",
    "Answer",
    "AuthorizationRequest",
    "CallWindow",
    "Capability",
    "Connection",
    "ExitRecord",
    "GrantType",
    "Region",
    "State",
    "Suspension",
    "TokenEndpoint",
    "TokenRequest",
]
