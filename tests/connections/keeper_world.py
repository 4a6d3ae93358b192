"""What the examples of `test_interleavings` need: the tenant, the platform, the clocks, and what the platform may answer."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from portal.connections.models import Connection, State
from portal.connections.services import NotConnected, Urgency, client_for
from portal.platform_api.errors import AuthenticationFailed, TemporaryError
from tests.support.clocks import Clocks

OUTCOMES: dict[str, dict[str, Any]] = {
    "good": {},
    "lost before the platform had it": {"kind": "refuse_connection"},
    "lost after the platform minted": {"kind": "drop_answer"},
    "500 after minting": {"kind": "status_after_work", "value": 500},
    "503": {"kind": "status", "value": 503},
    "429": {"kind": "status", "value": 429},
    "a page": {"kind": "html"},
}
ANSWERS = ["good"] * 4 + [*OUTCOMES]


class World:
    """What every example needs: the tenant, the platform and the clocks."""

    def __init__(self, sandbox: Any, alice: Any, platform_tenant: dict[str, str], moved: Clocks) -> None:
        self.sandbox, self.alice, self.platform_tenant, self.moved = sandbox, alice, platform_tenant, moved
        self.inside = sandbox.app.extensions["sandbox"]
        self.client_id = self.inside.applications.all()[0].client_id

    def grant_anew(self) -> None:
        """Give the tenant a grant as if it had just connected, at no cost to the budget."""
        row, client = Connection.objects.get(), self.client_id
        row.generation += 1
        source_id, tenant_id = str(row.source_id), self.platform_tenant["tenant_id"]
        grant_id = self.inside.grants._add_grant(client, source_id=source_id, tenant_id=tenant_id, scope=row.scopes)
        issued = self.inside.grants._mint(grant_id, client_id=client, source_id=source_id)
        row.access_token = row.seal("access_token", issued.access_token)
        row.refresh_token = row.seal("refresh_token", issued.refresh_token)
        row.state, row.lease_owner, row.lease_until = State.ACTIVE, "", None
        row.previous_refresh_token, row.access_expires_at, row.refreshed_at = b"", timezone.now(), timezone.now()
        row.attempted_at = row.current_refused_at = row.refused_at = None
        row.save()

    def revoke(self) -> None:
        """End the grant on the platform, which tells nobody."""
        for grant in self.inside.grants.living(self.platform_tenant["tenant_id"]):
            self.inside.grants.revoke(grant["id"])

    def check_budget(self, first: int, *, without: set[int]) -> None:
        """Five calls in any minute of the platform's; but for those that were frozen between the counting and the door."""
        calls = [call for call in self.sandbox.control("GET", f"/requests?since={first}") if call["n"] not in without]
        at = [datetime.fromisoformat(call["at"]).timestamp() for call in calls if "/oauth/token" in call["path"]]
        assert all(at[number + 5] - at[number] > 60 for number in range(len(at) - 5)), at

    def check_works(self, *, is_revoked: bool) -> None:
        """After a while a call succeeds without a person, unless the platform has ended the grant."""
        self.sandbox.control("DELETE", "/faults")
        self.moved.pass_time(660)
        if Connection.objects.get().state != State.ACTIVE:
            return
        for _ in range(6):
            try:
                client_for(Urgency.PERSON).questionnaires.all.page()
            except (TemporaryError, AuthenticationFailed):
                self.moved.pass_time(61)
            except NotConnected:
                assert is_revoked
                return
            else:
                assert not is_revoked
                return
        raise AssertionError("no call works any more")
