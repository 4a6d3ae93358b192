"""What the pages about rules show."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Min, Q

from portal.access_requests.models import (
    AccessRequest,
    Decision,
    DecisionState,
    RuleSwitch,
    RuleVerdict,
    RuleVersion,
    seconds_until,
)
from portal.access_requests.rulebook import ACT_TONES, Act, Rule, RuleBook
from portal.access_requests.rulebook.differences import sentence
from portal.accounts.selectors import account_names
from portal.page_refresh.services import cached_by_version

MAX_VERSIONS = 200
WORDS = {Act.APPROVE: "Approves", Act.SECOND: "Approves after second approval", Act.DENY: "Denies"}


@dataclass(frozen=True)
class RuleRow:
    """One rule on the page, with what it does right now."""

    rule: Rule
    sentence: str
    waiting: int
    """How many of the requests that wait it applies to."""
    decided: int
    """How many it has decided so far."""

    @property
    def act(self) -> tuple[str, str]:
        act = Act(self.rule.action.act)
        return WORDS[act], ACT_TONES[act]

    @property
    def mode(self) -> tuple[str, str]:
        if not self.rule.is_automatic:
            return "Suggest only", "muted"
        return ("Auto-approve" if self.rule.action.grants else "Auto-deny"), "warn"

    @property
    def starts(self) -> datetime | None:
        """When it was switched on for new requests only."""
        return datetime.fromisoformat(self.rule.acts_from) if self.rule.acts_from else None


def rule_rows(book: RuleBook) -> list[RuleRow]:
    """The rules in their order."""
    names = account_names(key for rule in book.rules for key in rule.conditions.account_ids)
    waiting = cached_by_version("access_requests", "rules:waiting", _waiting_by_rule)
    decided = cached_by_version("access_requests", "rules:decided", _decided_by_rule)
    return [RuleRow(rule, sentence(rule, names), waiting.get(rule.id, 0), decided.get(rule.id, 0)) for rule in book.rules]


def _waiting_by_rule() -> dict[str, int]:
    return _by_rule(RuleVerdict.objects.filter(access_request__in=AccessRequest.objects.waiting()))


def _decided_by_rule() -> dict[str, int]:
    return _by_rule(Decision.objects.filter(state=DecisionState.DONE))


def _by_rule(rows: Any) -> dict[str, int]:
    counted = rows.exclude(rule_id="").order_by().values("rule_id").annotate(number=Count("id"))
    return dict(counted.values_list("rule_id", "number"))


@dataclass(frozen=True)
class Sending:
    """What one rule has decided and what has not left: one action takes it all back."""

    rule_id: str
    rule_name: str
    scheduled: int
    asked: int
    """Those waiting for second approval."""
    seconds_left: int

    @property
    def number(self) -> int:
        return self.scheduled + self.asked


def sending_by_rule() -> list[Sending]:
    """Count the decisions of rules that have not left, by rule; also of rules that were removed since."""
    scheduled, asked = Q(state=DecisionState.SCHEDULED), Q(state=DecisionState.AWAITING_SECOND)
    rows = Decision.objects.waiting().exclude(rule_id="").order_by().values("rule_id")
    found = list(
        rows.annotate(
            oldest=Min("id"),
            newest=Max("id"),
            scheduled=Count("id", filter=scheduled),
            asked=Count("id", filter=asked),
            latest=Max("send_at", filter=scheduled),
        ).order_by("oldest")
    )
    names = dict(Decision.objects.filter(pk__in=[row["newest"] for row in found]).values_list("pk", "rule_name"))
    return [
        Sending(row["rule_id"], names[row["newest"]], row["scheduled"], row["asked"], seconds_until(row["latest"]))
        for row in found
        if row["newest"] in names
    ]


@dataclass(frozen=True)
class SwitchState:
    """Whether rules may act, and who stopped them."""

    is_stopped: bool = False
    at: datetime | None = None
    by: str = ""


def switch_state() -> SwitchState:
    row = RuleSwitch.objects.first()
    return SwitchState(row.is_stopped, row.stopped_at, row.stopped_by_name) if row else SwitchState()


def applied_at() -> datetime | None:
    """Return when the rules were last applied to what waits; None before the first time, when nothing is counted yet."""
    return RuleSwitch.objects.values_list("applied_at", flat=True).first()


def versions() -> list[RuleVersion]:
    """The newest versions of the rules, with what each changed."""
    return list(RuleVersion.objects.defer("rules")[:MAX_VERSIONS])
