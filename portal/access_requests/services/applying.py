"""Applying the rules to what waits: each open request gets a verdict, and a new one when the rules or its facts change."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from portal.access_requests.facts import knowledge_of
from portal.access_requests.models import AccessRequest, RuleSwitch, RuleVerdict, RuleVersion
from portal.access_requests.rulebook import Facts, RuleBook, Verdict, decide
from portal.access_requests.rulebook.differences import sentence
from portal.access_requests.services.outcomes import AREA
from portal.accounts.selectors import account_names
from portal.page_refresh.services import stamp, stamps_of, touch_areas
from portal.tenants.scope import all_tenants, current_tenant_id

APPLY = "portal.access_requests.tasks.apply_rules"
FACT_AREAS = ("access_requests", "accounts", "contracts", "trust_center", "calendars")
"""Live areas of everything that facts are made of."""
PIECE = 1000


def tenants_to_apply() -> list[int]:
    """Return the tenants with rules whose facts have changed since they were applied, or where a rule has yet to act."""
    with all_tenants("the sweep looks for every tenant's rules"):
        with_rules = list(RuleVersion.objects.order_by().values_list("tenant_id", flat=True).distinct())
        done = dict(RuleSwitch.objects.values_list("tenant_id", "applied_stamp"))
        stopped = set(RuleSwitch.objects.filter(is_stopped=True).values_list("tenant_id", flat=True))
        to_act = set(RuleVerdict.objects.to_act().order_by().values_list("tenant_id", flat=True).distinct()) - stopped
        now = stamps_of(with_rules, *FACT_AREAS)
    return [tenant_id for tenant_id in with_rules if tenant_id in to_act or done.get(tenant_id) != now[tenant_id]]


def apply_rules(book: RuleBook) -> int:
    """Give every open request of the tenant in scope the verdict of these rules; return how many were new or another one.

    The stamp is read first: what changes while this works makes the next sweep begin anew.
    """
    seen, number, after = stamp(*FACT_AREAS), 0, 0
    while piece := _open_requests(after):
        after = piece[-1].pk
        number += _apply_to(book, piece)
    _forget_decided()
    RuleSwitch.objects.get_or_create(tenant_id=current_tenant_id())
    # What was just written has moved the stamp of this desk: its next pass finds nothing new, and ends.
    RuleSwitch.objects.update(applied_stamp=seen, applied_at=timezone.now())
    return number


def _open_requests(after: int) -> Sequence[AccessRequest]:
    rows = AccessRequest.objects.present().pending().filter(pk__gt=after).order_by("pk")
    return list(rows.defer("payload", "search", "reason")[:PIECE])


def _apply_to(book: RuleBook, requests: Sequence[AccessRequest]) -> int:
    knowledge = knowledge_of(requests)
    names = account_names(key for rule in book.rules for key in rule.conditions.account_ids)
    with transaction.atomic():
        known = {row.access_request_id: row for row in RuleVerdict.objects.filter(access_request__in=requests)}
        rows = []
        for request in requests:
            facts = knowledge[request.pk].facts
            columns = columns_of(decide(book, facts), facts, names)
            before = known.get(request.pk)
            if before is None or any(getattr(before, name) != value for name, value in columns.items()):
                rows.append((request, columns, before))
        for request, columns, before in rows:
            _write(request, columns, before)
        if rows:
            AccessRequest.objects.filter(pk__in=[request.pk for request, *_ in rows]).update(touched_at=timezone.now())
            touch_areas(AREA)
    return len(rows)


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
    RuleVerdict.objects.exclude(access_request__in=AccessRequest.objects.present().pending()).delete()
