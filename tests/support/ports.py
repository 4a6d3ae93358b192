"""Ports for servers that a test starts."""

import random
import socket
from contextlib import suppress

BELOW_OUTGOING = range(11_000, 32_000)
"""Where no system takes the ports of outgoing connections from: between the look and the start one of those took the port.

Above 10080, the last port that browsers refuse to open (Fetch standard, bad ports).
"""


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody has."""
    while True:
        port = random.choice(BELOW_OUTGOING)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
