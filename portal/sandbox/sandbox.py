"""Everything the sandbox is made of, put together once; the API, the console and the control calls work with it."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import requests

from portal.sandbox.applications import Applications
from portal.sandbox.bell import Bell
from portal.sandbox.clock import Clock
from portal.sandbox.faults import Faults
from portal.sandbox.limits import Limits
from portal.sandbox.oauth.grants import Grants
from portal.sandbox.objects import Missing, Objects
from portal.sandbox.own_name import OwnName
from portal.sandbox.request_log import RequestLog
from portal.sandbox.store import Json, Row, Store
from portal.sandbox.switches import Switches
from portal.sandbox.tenants import Tenants
from portal.sandbox.webhooks.endpoints import Endpoints
from portal.sandbox.webhooks.messages import Messages
from portal.sandbox.webhooks.pump import Pump

type JobHandler = Callable[["Sandbox", str, str], None]
"""Called with the sandbox, the tenant's id and the object's id."""


class Sandbox:
    def __init__(
        self,
        *,
        data_dir: Path | None = None,
        switches: Mapping[str, bool] | None = None,
        http_session: requests.Session | None = None,
        jobs: Mapping[str, JobHandler],
        portal_url: str = "",
    ) -> None:
        self.store = Store(data_dir)
        self.switches = Switches(self.store, started_with=switches or {})
        self.own_name = OwnName(self.store)
        self.portal_url = portal_url
        self.clock = Clock(self.store)
        self.bell = Bell()
        self.limits = Limits(self.store, self.clock)
        self.faults = Faults()
        self.request_log = RequestLog(self.store, self.clock)
        self.objects = Objects(self.store)
        self.applications = Applications(self.store, self.clock)
        self.tenants = Tenants(self.store, self.clock, self.objects)
        self.grants = Grants(self.store, self.clock, applications=self.applications)
        self.endpoints = Endpoints(self.store, self.clock)
        self.messages = Messages(self.store, self.clock, endpoints=self.endpoints, bell=self.bell, switches=self.switches)
        self.pump = Pump(self.store, self.clock, endpoints=self.endpoints, session=http_session or direct_session())
        self._jobs = jobs
        self.applications.ensure()

    def emit(self, tenant_id: str, event_type: str, payload: Json) -> str:
        """Fire an event; return its hook-id. It is delivered later, by the pump."""
        return self.messages.send(tenant_id, event_type, payload)

    def schedule(self, tenant_id: str, kind: str, object_id: str, *, seconds: float) -> None:
        """Let the platform do something by itself after a while of the sandbox's clock."""
        due_at = self.clock.seconds() + seconds
        self.store.insert("jobs", tenant_id=tenant_id, kind=kind, object_id=object_id, due_at=due_at)
        self.bell.ring()

    def run_next_job(self) -> bool:
        """Do the job that has been due longest; False when none is due."""
        with self.store.transaction():
            job: Row | None = self.store.row(
                "SELECT * FROM jobs WHERE due_at <= ? ORDER BY due_at, id LIMIT 1", self.clock.seconds()
            )
            if job is None:
                return False
            self.store.write("DELETE FROM jobs WHERE id = ?", job["id"])
            with suppress(Missing):  # what the job was for may be deleted by now
                self._jobs[job["kind"]](self, job["tenant_id"], job["object_id"])
        return True

    def deliver_due(self) -> int:
        """Do everything that is due now, here and at once; return the number of delivery attempts."""
        while self.run_next_job():
            pass
        attempts = 0
        while self.pump.deliver_next():
            attempts += 1
        return attempts

    def reset(self) -> None:
        """Forget everything: tenants, tokens, endpoints, faults, the clock. The applications are made anew."""
        with self.store.transaction():
            kept = self.applications.all()
            self.store.clear()
            self.clock.reset()
            for application in kept:
                self.applications.create(
                    application.type, client_id=application.client_id, client_secret=application.client_secret
                )
        self.faults.clear()
        self.limits.forget()

    def close(self) -> None:
        self.store.close()


def direct_session() -> requests.Session:
    """Make a session that ignores proxies and credentials of the machine."""
    session = requests.Session()
    session.trust_env = False
    return session
