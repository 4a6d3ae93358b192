"""Addresses that are a permission by themselves: pre-signed, and good for a while (platform-api 4.1.5, 4.4.1)."""

import hmac
import secrets
from hashlib import sha256
from urllib.parse import quote

from portal.sandbox.api.route import Call
from portal.sandbox.sandbox import Sandbox

KEY_SETTING = "download_key"
FOREVER = 4_102_444_800
"""The year 2100: an address that objects carry stays the same, or every look would find them changed."""


def signed_url(call: Call, folder: str, object_id: str, *, expires: int) -> str:
    """Make the address of a file. `expires` is in seconds of the sandbox's clock."""
    path = f"files/{folder}/{call.tenant.id}/{object_id}"
    return f"{call.host_url}{quote(path)}?expires={expires}&signature={signature_of(call.sandbox, path, expires)}"


def lasting_url(call: Call, folder: str, object_id: str) -> str:
    """Make the address of a file that stays good."""
    return signed_url(call, folder, object_id, expires=FOREVER)


def signature_of(sandbox: Sandbox, path: str, expires: int) -> str:
    key = sandbox.store.setting(KEY_SETTING, None)
    if key is None:
        key = secrets.token_hex(32)
        sandbox.store.set_setting(KEY_SETTING, key)
    return hmac.new(str(key).encode(), f"{path}?{expires}".encode(), sha256).hexdigest()
