"""Seal short secrets with AES-256-GCM under rotating keys, bound to the place where they are stored."""

import base64
import binascii
import os
from collections.abc import Sequence
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

VERSION = b"\x01"
KEY_ID_BYTES = 4
NONCE_BYTES = 12
KEY_BYTES = 32


class Locked(Exception):
    """No configured key opens this value. The value is left as it is: a key put back opens it again."""


class InvalidKey(ValueError):
    """A key is not the base64 of 32 bytes. The message never holds the key."""


class KeyRing:
    """Seals with the first key, opens with any. A sealed value names its key, so that old keys can be found and retired."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = {key_id(key): AESGCM(key) for key in map(_decode_key, keys)}
        if not self._keys:
            raise InvalidKey("no key is configured")
        self.first = key_id(_decode_key(keys[0]))
        self.ids = frozenset(self._keys)

    def seal(self, plain: str, *, place: str) -> bytes:
        """Encrypt for one place (`table:row:field`); the bytes do not open at any other place."""
        nonce = os.urandom(NONCE_BYTES)
        sealed = self._keys[self.first].encrypt(nonce, plain.encode(), place.encode())
        return VERSION + self.first + nonce + sealed

    def open(self, sealed: bytes, *, place: str) -> str:
        """Decrypt. Raises Locked when the key is missing, or the bytes were changed or moved from another place."""
        cipher = self._keys.get(key_of(sealed))
        if sealed[:1] != VERSION or cipher is None:
            raise Locked(place)
        nonce, body = sealed[5 : 5 + NONCE_BYTES], sealed[5 + NONCE_BYTES :]
        try:
            return cipher.decrypt(nonce, body, place.encode()).decode()
        except (InvalidTag, ValueError) as error:
            raise Locked(place) from error


def key_of(sealed: bytes) -> bytes:
    """Return the id of the key that sealed a value."""
    return sealed[1 : 1 + KEY_ID_BYTES]


def key_id(key: bytes) -> bytes:
    """Name a key without telling it."""
    return sha256(b"portal key id:" + key).digest()[:KEY_ID_BYTES]


def _decode_key(text: str) -> bytes:
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidKey("an encryption key is not base64") from error
    if len(key) != KEY_BYTES:
        raise InvalidKey(f"an encryption key has {len(key)} bytes, not {KEY_BYTES}")
    return key
