"""The embedded broker, with messages that appear whole.

Celery's own opens a file under its final name and then writes it: a worker that looks in between takes an empty message, which
ends the worker, and with it `manage.py demo`.
"""

import time
import uuid
from pathlib import Path
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.encoding import str_to_bytes
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    """Writes beside, then renames, which is one step for whoever looks."""

    def _put(self, queue: str, payload: Any, **_: Any) -> None:
        folder, name = Path(self.data_folder_out), f"{round(time.monotonic() * 1000)}_{uuid.uuid4()}"
        unfinished = folder / f"{name}.unfinished"
        try:
            unfinished.write_bytes(str_to_bytes(dumps(payload)))
            unfinished.rename(folder / f"{name}.{queue}.msg")
        except OSError as error:
            raise ChannelError(f"a message cannot be added to {folder}") from error


class Transport(filesystem.Transport):
    """What the scheme `filesystem` stands for here."""

    Channel = Channel
