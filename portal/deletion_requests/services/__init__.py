"""Every change at the desk: asking for an erasure, carrying it out, asking again, giving up."""

from portal.deletion_requests.services.asking import AlreadyOpen, BeingSent, ask_again, close, submit
from portal.deletion_requests.services.pursuing import pursue

__all__ = ["AlreadyOpen", "BeingSent", "ask_again", "close", "pursue", "submit"]
