from functools import cache

from django.conf import settings

from portal.lib.sealed import KeyRing


@cache
def ring() -> KeyRing:
    """Return the keys that seal secrets at rest, from FIELD_ENCRYPTION_KEYS."""
    return KeyRing(settings.FIELD_ENCRYPTION_KEYS)
