"""Every change of a grant, and the one door to a token."""

from portal.connections.services.calls import Urgency
from portal.connections.services.clients import (
    NoTrustCenter,
    client_for,
    learn_slug_id,
    set_slug_id,
    trust_center,
)
from portal.connections.services.connect import (
    ConnectRefused,
    ConnectStart,
    complete_connect,
    refuse_connect,
    start_connect,
)
from portal.connections.services.disconnect import disconnect, run_suspension
from portal.connections.services.tokens import NotConnected, access_token, connection_of_tenant

__all__ = [
    "ConnectRefused",
    "ConnectStart",
    "NoTrustCenter",
    "NotConnected",
    "Urgency",
    "access_token",
    "client_for",
    "complete_connect",
    "connection_of_tenant",
    "disconnect",
    "learn_slug_id",
    "refuse_connect",
    "run_suspension",
    "set_slug_id",
    "start_connect",
    "trust_center",
]
