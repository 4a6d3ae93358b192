"""The HTTP session that carries every call to the platform."""

import threading
from typing import Final

import requests
from requests.adapters import BaseAdapter

MOUNTS: Final[dict[str, BaseAdapter]] = {}
"""Adapters by address prefix. Empty in production; tests mount the sandbox here instead of opening a port."""

_local = threading.local()


def http_session() -> requests.Session:
    """Return this thread's session. Connections are reused; proxies and credentials of the environment are not."""
    session: requests.Session | None = getattr(_local, "session", None)
    if session is None:
        session = _local.session = requests.Session()
        session.trust_env = False
    for prefix, adapter in MOUNTS.items():
        session.mount(prefix, adapter)
    return session
