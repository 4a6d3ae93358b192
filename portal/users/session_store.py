"""Sessions in the database, sealed: what waits in one may be worth something to whoever reads the table or a backup of it.

A secret that was typed while the person is asked again who they are, the secret of an authenticator app that is being set up.
"""

import base64
import binascii
import json
from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

from portal.lib.keys import ring
from portal.lib.sealed import Locked

PLACE = "django_session:session_data"


class SessionStore(DatabaseStore):
    """Django's own store with sealed content. Without its key a session is one of nobody."""

    def encode(self, session_dict: dict[str, Any]) -> str:
        return base64.b64encode(ring().seal(json.dumps(session_dict), place=PLACE)).decode()

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        try:
            found: dict[str, Any] = json.loads(ring().open(base64.b64decode(session_data, validate=True), place=PLACE))
        except (Locked, binascii.Error, ValueError):
            return {}
        return found
