"""The filters of the audit trail."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from portal.audit.models import MAX_TARGET_LENGTH, Entry, Source
from portal.event_log.selectors import entries_looked_for
from portal.tenant_settings import selectors
from portal.ui.list_filters import ListFilters, choice, day, period, text

ORDER = ("-id",)
OTHER = "other"
DESKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "questionnaires": ("Questionnaires", ("questionnaire", "response", "target", "desk_rules", "bulk_run")),
    "library": ("Library", ("library",)),
    "access": ("Access requests", ("access_", "viewer")),
    "content": (
        "Trust Center content",
        (
            "resource",
            "faq",
            "content_",
            "subprocessor",
            "shown_",
            "control_category",
            "update",
            "publication",
            "subscriber",
            "trust_",
        ),
    ),
    "activity": ("Trust Center activity", ("activity", "watched_word", "conversation")),
    "contracts": ("Contracts", ("contract",)),
    "commitments": ("Commitments", ("commitment",)),
    "incidents": ("Incidents", ("incident",)),
    "customers": ("Customers", ("customer", "account", "new_customer")),
    "deletion": ("Deletion requests", ("deletion_",)),
    "tags": ("Tags", ("tag",)),
    "people": ("People", ("person", "people", "group", "idp_group")),
    "documents": ("Documents", ("document",)),
    "vendors": ("Vendors", ("vendor", "vendors")),
    "audits": ("Audits", ("engagement", "information_request", "audit_evidence", "audit_control")),
    "risks": ("Risks", ("risk_scenario", "risks")),
    "controls": ("Controls", ("controls",)),
    "connection": ("Connection", ("connection",)),
    "webhooks": ("Webhooks", ("endpoint", "delivery")),
    "members": ("Members", ("member",)),
    "single_sign_on": ("Single sign-on", ("identity_provider", "mail_domain")),
    "notifications": ("Notifications", ("team_channel",)),
    "settings": ("Settings", ("tenant", "calendar", "saved_view", "settings", "event_log")),
}
"""Each desk, and what the kinds of its objects begin with. What belongs to none is found under Other."""

FOUND, MISSING = "found", "missing"
PLATFORM = {"": "All", FOUND: "In the platform's event log", MISSING: "Not in the platform's event log"}


@dataclass(frozen=True, kw_only=True)
class AuditFilters(ListFilters):
    """Which entries of the audit trail a page shows."""

    q: str = text()
    person: str = text(label="Person")
    desk: str = choice({"": "All desks", **{key: label for key, (label, _) in DESKS.items()}, OTHER: "Other"}, label="Desk")
    source: str = choice({"": "Any source", **dict(Source.choices)}, label="Source")
    platform: str = choice(PLATFORM, label="Event log")
    since: str = day("From")
    until: str = day("to")
    object: str = text(max_length=MAX_TARGET_LENGTH + 41)
    """Kind and id of one object, as the page of an entry links to its others."""

    def rows(self) -> QuerySet[Entry]:
        """Return exactly the entries that these filters show. A day is one of the reader's zone."""
        rows = Entry.objects.filter(period("at", self.since, self.until))
        if self.q:
            rows = rows.filter(Q(summary__icontains=self.q) | Q(action__icontains=self.q) | Q(target_id__iexact=self.q))
        if self.person:
            rows = rows.filter(actor_name=self.person)
        if self.desk:
            rows = rows.filter(_of_desk(self.desk))
        if self.source:
            rows = rows.filter(source=self.source)
        if self.platform:
            rows = rows.filter(pk__in=entries_looked_for(is_found=self.platform == FOUND))
        if self.object:
            kind, _, target_id = self.object.partition(":")
            rows = rows.filter(target_kind=kind, target_id=target_id)
        return rows

    def more_options(self, name: str) -> dict[str, str]:
        if name != "person":
            return {}
        return {"": "Anyone", **{person: person for person in [*selectors.people(), *filter(None, [self.person])]}}


def _of_desk(desk: str) -> Q:
    if desk != OTHER:
        return _begins_with(DESKS[desk][1])
    return ~_begins_with(tuple(beginning for _, beginnings in DESKS.values() for beginning in beginnings))


def _begins_with(beginnings: tuple[str, ...]) -> Q:
    found = Q()
    for beginning in beginnings:
        found |= Q(target_kind__startswith=beginning)
    return found
