import os
import socket
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from portal.worker_monitoring.supervisor import Intervals, Supervisor

USUAL = Intervals()


class Command(BaseCommand):
    help = "Run a Celery worker with its clock, and replace it when it dies or hears nothing any more."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--pool", choices=["prefork", "threads"], default="prefork", help="processes or threads")
        parser.add_argument("--concurrency", type=int, default=4, help="tasks at the same time (4)")
        parser.add_argument("--no-clock", action="store_true", help="leave the periodic jobs to the clocks of other workers")
        parser.add_argument("--log-level", default="WARNING", help="of Celery itself (WARNING)")
        parser.add_argument("--ping", type=float, default=USUAL.ping, help=f"seconds between heartbeats ({USUAL.ping:.0f})")
        parser.add_argument(
            "--unresponsive-after",
            type=float,
            default=USUAL.unresponsive_after,
            help=f"seconds without any ({USUAL.unresponsive_after:.0f})",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = f"portal-{os.getpid()}@{socket.gethostname()}"
        supervisor = Supervisor(
            _celery(name, options),
            name=name,
            has_clock=not options["no_clock"],
            intervals=Intervals(options["ping"], options["unresponsive_after"]),
        )
        supervisor.listen_for_signals()
        sys.exit(supervisor.run())


def _celery(name: str, options: dict[str, Any]) -> list[str]:
    return [
        *(sys.executable, "-m", "celery", "--quiet", "-A", "portal", "worker", "--hostname", name),
        *("--pool", options["pool"], "--concurrency", str(options["concurrency"]), "--loglevel", options["log_level"]),
        # Workers need not know of each other: what they share is in the database.
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        *(() if options["no_clock"] else ("--beat",)),
    ]
