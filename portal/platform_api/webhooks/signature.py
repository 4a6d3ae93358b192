"""The signature of a delivery, checked on the raw bytes (specification 6.1.5, guarantee H7).

Whatever comes in, the outcome is Verified or InvalidSignature: an attacker must not find an input that fails otherwise.
"""

import base64
import binascii
import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

TOLERANCE_SECONDS: Final = 300
MAX_ENTRIES: Final = 16
"""More signatures than any rotation needs would only be work for an attacker to hand out."""
MAX_PARTS: Final = 32
"""As many parts of the header are looked at, those of unknown versions included."""
SECRET_PREFIX: Final = "whsec_"  # noqa: S105 - not a secret
MAX_HOOK_ID_LENGTH: Final = 512
"""The specification names no length (6.1.4); a sender may put more than a number into it."""
HOOK_ID: Final = re.compile(rf"[\x21-\x7e]{{1,{MAX_HOOK_ID_LENGTH}}}", re.ASCII)
TIMESTAMP: Final = re.compile(r"0|[1-9][0-9]{0,11}", re.ASCII)
"""One spelling for one number: no sign, no leading zero, no underscore, no digits of other scripts."""
SIGNATURE: Final = re.compile(r"[A-Za-z0-9+/]{43}=", re.ASCII)
"""The base64 of 32 bytes. It is compared as text, never decoded: another spelling of the same bytes does not fit."""


class InvalidSignature(Exception):
    """This delivery cannot be shown to be the platform's. The reason is ours, nothing of the request is in it."""


@dataclass(frozen=True)
class Verified:
    """A delivery that is the platform's. `secret_index` says which of the secrets has signed it."""

    hook_id: str
    timestamp: int
    secret_index: int


def verify(
    body: bytes,
    headers: Mapping[str, str],
    secrets: Sequence[str],
    *,
    now: float,
    prefix: str = "hook-",
    tolerance_seconds: float = TOLERANCE_SECONDS,
) -> Verified:
    """Check one delivery against all secrets that are valid now. `now` is in seconds since the epoch."""
    values = {name.lower(): value for name, value in headers.items()}
    hook_id = values.get(f"{prefix}id".lower(), "")
    timestamp = values.get(f"{prefix}timestamp".lower(), "")
    if not HOOK_ID.fullmatch(hook_id):
        raise InvalidSignature("the id header is missing or malformed")
    if not TIMESTAMP.fullmatch(timestamp):
        raise InvalidSignature("the timestamp header is missing or malformed")
    if abs(now - int(timestamp)) > tolerance_seconds:
        raise InvalidSignature("the timestamp is outside of the tolerance")
    given = _entries(values.get(f"{prefix}signature".lower(), ""))
    content = b".".join([hook_id.encode("ascii"), timestamp.encode("ascii"), body])
    matched = None
    for index, secret in enumerate(secrets):
        key = _key(secret)
        expected = base64.b64encode(hmac.digest(key, content, sha256)) if key else b""
        for entry in given:
            # Every secret meets every entry, so that the time taken tells nothing about which one fitted.
            if hmac.compare_digest(expected, entry) and matched is None:
                matched = index
    if matched is None:
        raise InvalidSignature("no signature fits")
    return Verified(hook_id, int(timestamp), matched)


def is_signing_secret(text: str) -> bool:
    """Say whether a text has the form of a signing secret: `whsec_` and base64 of at least one byte."""
    return text.startswith(SECRET_PREFIX) and _key(text) is not None


def _entries(header: str) -> list[bytes]:
    """Return the signatures of version 1; other versions and everything malformed are skipped."""
    entries = []
    for part in header.split(" ", MAX_PARTS)[:MAX_PARTS]:
        version, _, signature = part.partition(",")
        if version == "v1" and SIGNATURE.fullmatch(signature):
            entries.append(signature.encode("ascii"))
    return entries[:MAX_ENTRIES]


def _key(secret: str) -> bytes | None:
    try:
        return base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True) or None
    except (binascii.Error, ValueError):
        return None
