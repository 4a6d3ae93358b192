"""The scheduler of the workers. Every worker may carry one: they share the turns through the database (guarantee O9)."""

import logging
from typing import Any

from celery.beat import Scheduler
from django.db import DatabaseError
from django.utils import timezone

from portal.lib.database import renew
from portal.worker_monitoring.services import claim_turn, last_turns

logger = logging.getLogger(__name__)


class SharedClock(Scheduler):  # type: ignore[misc] # Celery ships no types
    """Rings for a periodic job where no other clock has done so for this turn."""

    def setup_schedule(self) -> None:
        """Go on from the last turns: counted from the start, hourly jobs would never come where deploys are frequent."""
        super().setup_schedule()
        renew()
        try:
            turns = last_turns()
        except DatabaseError as error:
            logger.warning("the last turns are not known, all intervals begin now: %s", type(error).__name__)
            return
        for name, entry in self.schedule.items():
            if name in turns:
                entry.last_run_at = min(turns[name], timezone.now())

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Ring, if it is our turn. Without a database nobody rings: the task could do nothing either."""
        renew()
        try:
            is_ours = claim_turn(entry.name, every=entry.schedule.run_every)
        except DatabaseError as error:
            logger.warning("the turn of %s is left out: %s", entry.name, type(error).__name__)
            return
        if is_ours:
            super().apply_entry(entry, producer=producer)
