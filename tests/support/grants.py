"""Which grant a connection page shows."""

import re

from django.test import Client


def shown_grant(client: Client, page: str) -> dict[str, str]:
    """Return what the forms of a connection page send along: the mark of the grant that it shows."""
    found = re.search(r'name="grant" value="([^"]*)"', client.get(page).content.decode())
    return {"grant": found[1] if found else ""}
