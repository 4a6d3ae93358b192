"""How an address is known again after it was erased.

The ledger has to prove that a certain person was erased without keeping the person. So the address itself lives in a row only
until the erasure is done. What stays is
- a keyed hash: whoever brings the address can find its rows, and nobody who steals the table can try addresses against it
  without the key. It covers the tenant too, so that two tenants' ledgers cannot be joined;
- the first letter and the domain, so that a person reading the ledger can tell rows apart.

The hash is that of `portal.tenants.erased_people`, by which the mirrors know whom not to store again. Its key is derived from
SECRET_KEY: with another one the old rows stay readable, but are no longer found by their address.
"""

import re

from portal.platform_api.errors import EMAIL
from portal.tenants.erased_people import fingerprint

__all__ = ["fingerprint", "mask", "without_address"]

MIN_SHOWN = 3
"""Of a shorter name even the first letter tells too much."""


def mask(email: str) -> str:
    """Write an address so that it can be recognised but not be written to."""
    name, _, domain = email.strip().rpartition("@")
    return f"{name[:1] if len(name) >= MIN_SHOWN else ''}•••@{domain}"


def without_address(text: str, email: str) -> str:
    """Take an address, in any spelling, and whatever else looks like one, out of a text that is kept."""
    masked = re.sub(re.escape(email.strip()), lambda _: mask(email), text, flags=re.IGNORECASE)
    return EMAIL.sub(lambda found: found[0] if "•" in found[0] else _hidden(found[0]), masked)


def _hidden(address: str) -> str:
    """Leave the end of the sentence that an address stood at."""
    return "<email>" + address[len(address.rstrip(".")) :]
