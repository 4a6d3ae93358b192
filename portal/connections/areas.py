"""The areas of the platform a grant may or may not cover, and the cheapest question that tells."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from portal.connections.models import Connection
from portal.platform_api import Platform
from portal.platform_api.areas.trust_center import TrustCenter


@dataclass(frozen=True)
class Area:
    """One area. Asked through the client, or through the Trust Center's calls where it belongs to one."""

    key: str
    title: str
    ask: Callable[[Platform], Any] | None = None
    ask_center: Callable[[TrustCenter], Any] | None = None
    scope: str = ""
    """Of applications of another type alone: without it nobody is asked. Any other area is tried, whatever the scopes say."""

    def is_granted_by(self, connection: Connection | None) -> bool:
        """Say whether a grant was asked for with the scopes of this area, to read or to write."""
        scopes = connection.scopes.split() if connection is not None else []
        return not self.scope or any(each.partition(":")[0] == self.scope for each in scopes)


AUDITS = Area("audits", "Audits", lambda api: api.audits.all.page(), scope="auditor-api.audit")
"""Only audit firms have an application with such scopes (specification section 5)."""

AREAS = (
    Area("questionnaires", "Questionnaires", lambda api: api.questionnaires.all.page()),
    Area("access_requests", "Access requests", ask_center=lambda center: center.access_requests.all.page()),
    Area("viewers", "Trust Center viewers", ask_center=lambda center: center.viewers.all.page()),
    Area("activity", "Trust Center activity", ask_center=lambda center: center.activity.all.page()),
    Area("conversations", "Chatbot conversations", ask_center=lambda center: center.conversations.all.page()),
    Area("trust_center", "Trust Center", ask_center=lambda center: center.get()),
    Area("accounts", "Customers", lambda api: api.accounts.all.page()),
    Area("contracts", "Contracts", lambda api: api.contracts.all.page()),
    # Erasing is the only call there is, and nothing is erased to find out.
    Area("deletion_requests", "Deletion requests"),
    Area("answer_library", "Answer library", lambda api: api.answer_library.all.page()),
    Area("knowledge_base", "Knowledge base", lambda api: api.knowledge_base.all.page()),
    Area("tag_categories", "Tags", lambda api: api.tag_categories.all()),
    Area("controls", "Controls", lambda api: api.controls.all.page()),
    Area("documents", "Documents", lambda api: api.documents.all.page()),
    Area("people", "People and groups", lambda api: api.groups.all.page()),
    Area("users", "Users of the account", lambda api: api.users.all.page()),
    Area("vendors", "Vendors", lambda api: api.vendors.all.page()),
    Area("issues", "Issues", lambda api: api.issues.all.page()),
    Area("risk_scenarios", "Risk scenarios", lambda api: api.risk_scenarios.all.page()),
    Area("event_logs", "Event log", lambda api: api.event_logs.all.page()),
    AUDITS,
)
BY_KEY = {area.key: area for area in AREAS}
