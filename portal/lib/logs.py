"""What must not stand in a log although it stands in an address."""

import logging
import re

HOOK = re.compile(r"/hooks/[^/\s?]+")


class HideHookAddresses(logging.Filter):
    """Shortens the receiver's addresses: whoever has one knows half of what it takes to send events (guarantee S6)."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(HOOK.sub("/hooks/…", each) if isinstance(each, str) else each for each in record.args)
        return True


class LeaveOutRefusedDeliveries(logging.Filter):
    """Drops the framework's line for every refused delivery: the receiver writes its own, and only so many (guarantee H10)."""

    def filter(self, record: logging.LogRecord) -> bool:
        path = getattr(getattr(record, "request", None), "path", "")
        status = getattr(record, "status_code", 0)
        return not (path.startswith("/hooks/") and (status < 500 or status == 503))
