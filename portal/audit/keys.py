"""The key of the chains: whoever owns the database, and not the keys of the portal, can make no chain anew (guarantee S12).

It is made once, by `migrate`, and kept sealed. Turning FIELD_ENCRYPTION_KEYS over seals it anew and leaves the chains as they
are: the rows cannot be written again, so their key has to outlive the keys that seal it.
"""

import hmac
import secrets
from functools import cache

from django.db import connections, models

from portal.lib.keys import ring
from portal.lib.sealed import Locked, key_of

PLACE = "audit_chainkey:sealed"
KEY_BYTES = 32


class ChainKey(models.Model):
    """The one key of every chain, sealed."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    sealed = models.BinaryField()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_key_of_the_audit_trail")]

    def __str__(self) -> str:
        return "key of the audit trail"


def keyed_hash(text: str) -> str:
    """Return the HMAC-SHA256 of a text under the key of the chains."""
    return hmac.digest(_key(), text.encode(), "sha256").hex()


def is_locked() -> bool:
    """Say whether FIELD_ENCRYPTION_KEYS lacks what the key is sealed with: nothing can be written down then."""
    return any(key_of(bytes(sealed)) not in ring().ids for sealed in ChainKey.objects.values_list("sealed", flat=True))


def ensure_key(using: str) -> bool:
    """Make the key where there is none yet, and say so. It is never replaced, or no chain would hold any more."""
    _key.cache_clear()
    if ChainKey._meta.db_table not in connections[using].introspection.table_names():
        return False
    _, is_new = ChainKey.objects.using(using).get_or_create(pk=1, defaults={"sealed": _new_key()})
    return is_new


def replace_sealed(row: ChainKey, field: str, before: bytes, after: bytes) -> bool:
    """Store the key sealed anew. One that nothing opens gives way to another: what was written before does not hold."""
    is_replaced = ChainKey.objects.filter(pk=row.pk, sealed=before).update(sealed=after or _new_key())
    if not after:
        _key.cache_clear()
    return bool(is_replaced)


def _new_key() -> bytes:
    return ring().seal(secrets.token_hex(KEY_BYTES), place=PLACE)


@cache
def _key() -> bytes:
    """Return the key, read once. Raises Locked where FIELD_ENCRYPTION_KEYS lacks what it is sealed with."""
    sealed = ChainKey.objects.values_list("sealed", flat=True).first()
    if sealed is None:
        raise Locked(f"{PLACE}: there is none, run `manage.py migrate`")
    return bytes.fromhex(ring().open(bytes(sealed), place=PLACE))
