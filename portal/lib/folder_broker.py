"""The embedded broker: kombu's messages as files, made to bear a process that is killed while it writes one.

As kombu has it, a file that was begun and not finished ends the worker that reads it, and a half-written table of queues keeps
every worker from starting for ever. A message is only a hint: one that cannot be read is thrown away, the sweep finds the work.
"""

import logging
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps

logger = logging.getLogger(__name__)


class Channel(filesystem.Channel):
    """Puts whole files only, and reads whatever it finds."""

    def _put(self, queue: str, payload: Any, **options: Any) -> None:
        name = f"{round(time.monotonic() * 1000)}_{uuid.uuid4()}.{queue}"
        unfinished = Path(self.data_folder_out, f"{name}.part")
        # Nobody looks at a file of this name; the new name appears at once and complete.
        unfinished.write_text(dumps(payload))
        unfinished.replace(unfinished.with_name(f"{name}.msg"))

    def _get(self, queue: str) -> Any:
        try:
            return super()._get(queue)
        except ValueError:
            # It is out of the folder by now.
            logger.warning("a message that was never finished is thrown away")
            raise Empty from None

    def get_table(self, exchange: str) -> Any:
        return self._despite_ruins(exchange, lambda: super(Channel, self).get_table(exchange))

    def _queue_bind(self, exchange: str, *args: Any) -> None:
        self._despite_ruins(exchange, lambda: super(Channel, self)._queue_bind(exchange, *args))

    def _despite_ruins(self, exchange: str, work: Callable[[], Any]) -> Any:
        """Work with the table of an exchange; one that was never finished is made anew by the next worker that starts."""
        try:
            return work()
        except ValueError:
            logger.warning("a table of queues that was never finished is made anew")
            self._exchange_file(exchange).unlink(missing_ok=True)
            return work()


class Transport(filesystem.Transport):
    Channel = Channel
