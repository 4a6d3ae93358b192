"""Signatures of deliveries (specification 6.1.5)."""

import base64
import hmac
import secrets
from collections.abc import Sequence
from hashlib import sha256

PREFIX = "whsec_"


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()


def sign(body: bytes, *, secret: str, hook_id: str, timestamp: int) -> str:
    """Return one entry of the signature header."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    content = f"{hook_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, content, sha256).digest()).decode()


def headers(body: bytes, *, signing_secrets: Sequence[str], hook_id: str, timestamp: int) -> dict[str, str]:
    """Return all headers of a delivery. While a secret is being rotated both sign (platform-api 3.2)."""
    entries = [sign(body, secret=secret, hook_id=hook_id, timestamp=timestamp) for secret in signing_secrets]
    return {
        "Content-Type": "application/json",
        "User-Agent": "sandbox-platform-webhooks/1.0",
        "hook-id": hook_id,
        "hook-timestamp": str(timestamp),
        "hook-signature": " ".join(entries),
    }
