import os
from typing import Any

from django.contrib.staticfiles.management.commands.collectstatic import Command as CollectStatic

READABLE = 0o022
"""What others may not do with styles and scripts: write."""


class Command(CollectStatic):
    """Django's own, for files that a proxy of another account reads: what else the portal writes is its own (guarantee S20)."""

    def handle(self, **options: Any) -> str | None:
        before = os.umask(READABLE)
        try:
            return super().handle(**options)
        finally:
            os.umask(before)
