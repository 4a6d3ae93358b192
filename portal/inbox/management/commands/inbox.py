from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.inbox import selectors, services
from portal.inbox.models import DeliveryState
from portal.inbox.routes import ROUTES
from portal.inbox.services.replays import BEGINNING, REPLAYABLE
from portal.inbox.services.retention import KEPT
from portal.lib.counted import counted
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope

ALL_DAY = 24 * 3600.0


class Command(BaseCommand):
    help = "Drain, replay or prune the deliveries of the platform, without a worker and without a broker."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        drain = actions.add_parser("drain", help="handle what is due now")
        drain.add_argument("--tenant", help="the slug of one tenant; otherwise all of them in turn")
        replay = actions.add_parser("replay", help="have deliveries of one tenant handled again")
        replay.add_argument("--tenant", required=True, help="its slug")
        replay.add_argument("--since", type=moment, default=BEGINNING, help="ISO 8601; UTC unless it says")
        replay.add_argument("--until", type=moment, help="ISO 8601; now unless given")
        replay.add_argument("--state", choices=[state.value for state in REPLAYABLE], help="only those in this state")
        prune = actions.add_parser("prune", help="cut the bodies of what was handled long ago")
        prune.add_argument("--days", type=int, default=KEPT.days, help=f"how long they are kept ({KEPT.days})")

    def handle(self, *args: Any, **options: Any) -> None:
        actions = {"drain": self._drain, "replay": self._replay, "prune": self._prune}
        actions[options["action"]](options)

    def _drain(self, options: dict[str, Any]) -> None:
        due = [_tenant(options["tenant"]).pk] if options["tenant"] else selectors.tenants_with_due_deliveries()
        worked = services.process_tenants(due, ROUTES, seconds=ALL_DAY)
        self.stdout.write(f"Drained {counted(len(worked), 'tenant')}. What their deliveries named is fetched by the workers.")

    def _replay(self, options: dict[str, Any]) -> None:
        states = [DeliveryState(options["state"])] if options["state"] else REPLAYABLE
        until = options["until"] or datetime.now(UTC)
        with tenant_scope(_tenant(options["tenant"]).pk):
            replayed, without_body = services.replay_range(since=options["since"], until=until, states=states)
        number = counted(replayed, "delivery", "deliveries")
        self.stdout.write(f"To be handled again: {number}, by the workers or with `inbox drain`.")
        if without_body:
            self.stdout.write(f"{without_body} cannot be: their bodies were removed after their time.")

    def _prune(self, options: dict[str, Any]) -> None:
        if options["days"] < 1:
            raise CommandError("Bodies are kept for a day at least: the platform may send again until then.")
        cut = services.prune_bodies(kept=timedelta(days=options["days"]), seconds=ALL_DAY)
        self.stdout.write(f"{cut} bodies were cut.")


def moment(text: str) -> datetime:
    """Read a moment of ISO 8601. Raises ValueError."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _tenant(slug: str) -> Tenant:
    tenant = Tenant.objects.filter(slug=slug).first()
    if tenant is None:
        raise CommandError(f"There is no tenant {slug!r}.")
    return tenant
