"""Every change of a grant, and the one door to a token."""

from portal.connections.errors import KeyMissing, NotConnected, NoTrustCenter, TokenBusy
from portal.connections.policy import Urgency
from portal.connections.services.clients import (
    UnknownTrustCenter,
    client_for,
    learn_slug_id,
    set_slug_id,
    trust_center,
)
from portal.connections.services.connect import (
    AuthorizationResponse,
    ConnectRefused,
    ConnectStart,
    complete_connect,
    last_attempt,
    refuse_connect,
    start_connect,
)
from portal.connections.services.disconnect import disconnect
from portal.connections.services.exports import export_tenant
from portal.connections.services.grants import AlreadyAnswered, confirm, reject
from portal.connections.services.own_application import connect_own_application, rotate_secret
from portal.connections.services.probes import request_check
from portal.connections.services.queue import Waiting
from portal.connections.services.removal import delete_tenant
from portal.connections.services.signed_files import fetch_signed_file
from portal.connections.services.suspensions import run_suspension
from portal.connections.services.tokens import access_token, connection_of_tenant, is_locked

__all__ = [
    "AlreadyAnswered",
    "AuthorizationResponse",
    "ConnectRefused",
    "ConnectStart",
    "KeyMissing",
    "NoTrustCenter",
    "NotConnected",
    "TokenBusy",
    "UnknownTrustCenter",
    "Urgency",
    "Waiting",
    "access_token",
    "client_for",
    "complete_connect",
    "confirm",
    "connect_own_application",
    "connection_of_tenant",
    "delete_tenant",
    "disconnect",
    "export_tenant",
    "fetch_signed_file",
    "is_locked",
    "last_attempt",
    "learn_slug_id",
    "refuse_connect",
    "reject",
    "request_check",
    "rotate_secret",
    "run_suspension",
    "set_slug_id",
    "start_connect",
    "trust_center",
]
