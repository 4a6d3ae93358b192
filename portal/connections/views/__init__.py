from portal.connections.views.authorization import callback, connect, own_application, refused
from portal.connections.views.connection import check, confirm, connection, reject, rotate_secret, set_trust_center
from portal.connections.views.offboarding import delete_tenant, disconnect, exit_record, export

__all__ = [
    "callback",
    "check",
    "confirm",
    "connect",
    "connection",
    "delete_tenant",
    "disconnect",
    "exit_record",
    "export",
    "own_application",
    "refused",
    "reject",
    "rotate_secret",
    "set_trust_center",
]
