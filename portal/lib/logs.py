"""What must not stand in a log although it stands in an address."""

import logging
import re

SECRET = re.compile(r"/(hooks|status|answer|calendar|erasure)/[^/\s?]+")


class HideSecretAddresses(logging.Filter):
    """Shortens addresses that open something by themselves (guarantee S6): the receiver's, and links without a login."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(SECRET.sub(r"/\1/…", each) if isinstance(each, str) else each for each in record.args)
        return True


class LeaveOutRefusedDeliveries(logging.Filter):
    """Drops the framework's line for every refused delivery: the receiver writes its own, and only so many (guarantee H10)."""

    def filter(self, record: logging.LogRecord) -> bool:
        path = getattr(getattr(record, "request", None), "path", "")
        status = getattr(record, "status_code", 0)
        return not (path.startswith("/hooks/") and (status < 500 or status == 503))
