"""Applying the rules to what waits: each open request gets a verdict, and a new one when the rules or its facts change.

A pass over all that waits may take many turns. How far it is stands in the row of the switch, so that a crash loses nothing.
"""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from portal.access_requests.facts import knowledge_of
from portal.access_requests.models import AccessRequest, AccessRequestQuerySet, RuleSwitch, RuleVerdict, RuleVersion
from portal.access_requests.rulebook import Facts, RuleBook, Verdict, decide
from portal.access_requests.rulebook.differences import sentence
from portal.access_requests.services.outcomes import AREA
from portal.accounts.selectors import account_names
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import area_version, area_versions, touch_areas
from portal.sync.copies import lock_in_order
from portal.tenants.models import TenantQuerySet
from portal.tenants.scope import all_tenants, current_tenant_id

APPLY = "portal.access_requests.tasks.apply_rules"
FACT_AREAS = ("access_requests", "accounts", "contracts", "trust_center", "calendars")
"""Live areas of everything that facts are made of."""
BATCH = 500
"""So many requests come from so few domains that their history is looked up by an index (`facts.approvals_of`)."""
LONG_AGO = datetime.min.replace(tzinfo=UTC)


def tenants_to_apply() -> list[int]:
    """Return the tenants with rules whose facts have changed since they were applied, or where a rule has yet to act.

    Who has waited longest for a turn comes first: those with much to do, which are never done, keep nobody else waiting.
    """
    with all_tenants("the sweep looks for every tenant's rules"):
        with_rules = list(RuleVersion.objects.order_by().values_list("tenant_id", flat=True).distinct())
        switches = {switch.tenant_id: switch for switch in RuleSwitch.objects.all()}
        to_act = set(RuleVerdict.objects.to_act().order_by().values_list("tenant_id", flat=True).distinct())
        versions = area_versions(with_rules, *FACT_AREAS)
    found: dict[int, datetime] = {}
    for tenant_id in with_rules:
        switch = switches.get(tenant_id) or RuleSwitch()
        if switch.applied_fact_version != versions[tenant_id] or (tenant_id in to_act and not switch.is_stopped):
            found[tenant_id] = switch.turn_at or LONG_AGO
    return sorted(found, key=found.__getitem__)


def apply_rules(book: RuleBook, *, seconds: float = TASK_TIME_BUDGET_SECONDS) -> bool:
    """Give every open request of the tenant in scope the verdict of these rules, for one turn; True when some are left.

    The next turn goes on where this one has ended. What changes meanwhile makes the next sweep begin anew: the version that is
    kept in the end was read before the first verdict.
    """
    deadline, seen = time.monotonic() + seconds, str(area_version(*FACT_AREAS))
    # Asked after the version was read: rules that are written from here on move it.
    if RuleVersion.objects.filter(number__gt=book.number).exists():
        return True
    # A rule that waits, for fresh facts or for the platform, brings a worker here every few seconds.
    if RuleSwitch.objects.filter(applied_fact_version=seen, pass_version=book.number, pass_fact_version="").exists():
        return False
    found = _current_pass(book, seen)
    while batch := list(_open_requests(found.pass_after)):
        if not _apply_to(book, batch, found):
            return False
        if time.monotonic() >= deadline:
            return True
    _forget_decided()
    # What was just written has moved the version of this desk: its next pass finds nothing new, and ends.
    _unchanged(found).update(applied_fact_version=found.pass_fact_version, applied_at=timezone.now(), pass_fact_version="")
    return False


def _current_pass(book: RuleBook, seen: str) -> RuleSwitch:
    """Return how far the pass of these rules is; begin one if there is none, or if it is of other rules."""
    switch, _ = RuleSwitch.objects.get_or_create(tenant_id=current_tenant_id())
    if not switch.pass_fact_version or switch.pass_version != book.number:
        if switch.pass_version != book.number:
            # What is counted of these rules before the end of their first pass is a part, which no page may call the whole.
            switch.applied_at = None
        switch.pass_fact_version, switch.pass_version, switch.pass_after = seen, book.number, 0
        switch.save(update_fields=["pass_fact_version", "pass_version", "pass_after", "applied_at"])
    return switch


def _unchanged(found: RuleSwitch) -> TenantQuerySet[RuleSwitch]:
    """Return the row of the switch while nobody else has brought its pass further."""
    return RuleSwitch.objects.filter(
        pass_fact_version=found.pass_fact_version, pass_version=found.pass_version, pass_after=found.pass_after
    )


def _open_requests(after: int) -> AccessRequestQuerySet:
    rows = AccessRequest.objects.present().pending().filter(pk__gt=after).order_by("pk")
    return rows.defer("payload", "search", "reason")[:BATCH]


def _apply_to(book: RuleBook, requests: Sequence[AccessRequest], found: RuleSwitch) -> bool:
    """Give these requests their verdicts; False when another worker was faster, which goes on by itself."""
    knowledge = knowledge_of(requests)
    names = account_names(key for rule in book.rules for key in rule.conditions.account_ids)
    with transaction.atomic():
        # First of all: whoever acts by a verdict, or changes the rules, locks this row before any other.
        if not _unchanged(found).update(pass_after=requests[-1].pk):
            return False
        known = {row.access_request_id: row for row in RuleVerdict.objects.filter(access_request__in=requests)}
        rows = []
        for request in requests:
            facts = knowledge[request.pk].facts
            columns = columns_of(decide(book, facts), facts, names)
            before = known.get(request.pk)
            if before is None or any(getattr(before, name) != value for name, value in columns.items()):
                rows.append((request, columns, before))
        if rows:
            changed = AccessRequest.objects.filter(pk__in=[request.pk for request, *_ in rows])
            lock_in_order(changed)
            for request, columns, before in rows:
                _write(request, columns, before)
            changed.update(touched_at=timezone.now())
            touch_areas(AREA)
    found.pass_after = requests[-1].pk
    return True


def columns_of(verdict: Verdict, facts: Facts, names: dict[str, str]) -> dict[str, Any]:
    """What is kept of a verdict."""
    rule = verdict.rule
    return {
        "version": verdict.version,
        "rule_id": rule.id if rule else "",
        "rule_name": rule.name[:120] if rule else "",
        "act": str(verdict.suggested),
        "description": sentence(rule, names) if rule else "",
        "facts": facts.as_json(),
        "is_automatic": verdict.is_automatic,
        "caution": verdict.caution,
    }


def _write(request: AccessRequest, columns: dict[str, Any], before: RuleVerdict | None) -> None:
    # Facts that are another ask again, except of a rule that has acted on this request, or of one that is a person's now.
    values = columns | {"applied_at": timezone.now()}
    if before is None:
        RuleVerdict.objects.bulk_create([RuleVerdict(access_request=request, **values)], ignore_conflicts=True)
    else:
        RuleVerdict.objects.filter(pk=before.pk).update(**values)


def _forget_decided() -> None:
    """Verdicts are for what waits; what a rule did stands in the decision, with the version and the facts."""
    open_requests = AccessRequest.objects.present().pending().order_by()
    # Not "not among": PostgreSQL would read the whole list anew for each row once it is longer than its memory.
    RuleVerdict.objects.filter(~Exists(open_requests.filter(pk=OuterRef("access_request_id")))).delete()
