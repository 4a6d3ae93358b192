"""Does the portal have the keys of its stored secrets, and a database role that is walled in? Asked at every start."""

import logging
from collections.abc import Sequence
from typing import Any

from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection

from portal.audit.keys import is_locked
from portal.lib.keys import ring
from portal.tenants.checks import check_database_role
from portal.tenants.sealing import keys_in_use

logger = logging.getLogger(__name__)

ADVICE = (
    "Put the key back into FIELD_ENCRYPTION_KEYS, behind the first one. Nothing was changed. If it is lost for good, "
    "`manage.py reseal --forget` empties what it sealed; those connections then need a new consent."
)


@checks.register(checks.Tags.database)
def check_keys(databases: Sequence[str] | None = None, **_: Any) -> list[checks.CheckMessage]:
    """Compare the keys that are configured with those that sealed what is stored."""
    if not databases:
        return []
    try:
        in_use = keys_in_use()
    except DatabaseError:
        return []  # no tables yet, or no database: others say so
    missing = {key: count for key, count in in_use.items() if key not in ring().ids}
    if not missing:
        return []
    names = ", ".join(f"{key.hex()} ({count} values)" for key, count in missing.items())
    words = f"Stored secrets were sealed with keys that FIELD_ENCRYPTION_KEYS does not hold: {names}."
    if missing.keys() == in_use.keys() or is_locked():
        return [checks.Error(words, hint=ADVICE, id="connections.E001")]
    return [checks.Warning(words, hint=ADVICE, id="connections.W001")]


def check_at_start(**_: Any) -> None:
    """Stop a process whose keys open nothing, or whose role row-level security does not hold. Raises ImproperlyConfigured."""
    messages = [*check_keys(databases=["default"]), *check_database_role(databases=["default"])]
    if not connection.in_atomic_block:
        # A server may fork after this: no connection, and no pool, may be shared by its workers (guarantee O5).
        connection.close()
        if close_pool := getattr(connection, "close_pool", None):
            close_pool()
    for message in messages:
        if message.is_serious():
            raise ImproperlyConfigured(f"{message.msg} {message.hint}")
        logger.error("%s %s", message.msg, message.hint)
