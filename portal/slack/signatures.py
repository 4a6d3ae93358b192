"""Is it Slack that calls? By the signature that Slack computes with an app's signing secret."""

import hmac
from datetime import timedelta
from hashlib import sha256

VERSION = "v0"
MAX_AGE = timedelta(minutes=5)
"""An older call is one that somebody has kept, and sends again."""


def is_signed(body: bytes, *, signature: str, timestamp: str, secret: str, now: float) -> bool:
    """Say whether a body, as it arrived, was signed with this secret a moment ago."""
    if not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= 12):
        return False
    if abs(now - int(timestamp)) > MAX_AGE.total_seconds():
        return False
    digest = hmac.new(secret.encode(), f"{VERSION}:{timestamp}:".encode() + body, sha256).hexdigest()
    return hmac.compare_digest(f"{VERSION}={digest}".encode(), signature.encode())
