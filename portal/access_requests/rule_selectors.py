"""What the pages about rules show."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from portal.access_requests.models import Decision, RuleSwitch, RuleVerdict, RuleVersion
from portal.access_requests.rulebook import Act, Rule, RuleBook
from portal.access_requests.rulebook.differences import sentence
from portal.accounts.selectors import account_names

MOST_VERSIONS = 200
TONES = {Act.APPROVE.value: "good", Act.SECOND.value: "info", Act.DENY.value: "bad"}
WORDS = {Act.APPROVE.value: "Approves", Act.SECOND.value: "Asks a second person", Act.DENY.value: "Denies"}


@dataclass(frozen=True)
class RuleRow:
    """One rule on the page, with what it does right now."""

    rule: Rule
    sentence: str
    waiting: int
    """How many open requests it applies to."""
    decided: int
    """How many decisions it has made, under this name."""

    @property
    def act(self) -> tuple[str, str]:
        return WORDS[self.rule.action.act], TONES[self.rule.action.act]

    @property
    def mode(self) -> tuple[str, str]:
        return ("Acts by itself", "warn") if self.rule.is_automatic else ("Suggests", "muted")


def rule_rows(book: RuleBook) -> list[RuleRow]:
    """The rules in their order."""
    names = account_names(key for rule in book.rules for key in rule.conditions.account_ids)
    waiting = _counted(RuleVerdict.objects.exclude(rule_id="").order_by().values("rule_id"), "rule_id")
    decided = _counted(Decision.objects.exclude(rule_name="").order_by().values("rule_name"), "rule_name")
    return [RuleRow(rule, sentence(rule, names), waiting.get(rule.id, 0), decided.get(rule.name, 0)) for rule in book.rules]


def _counted(rows: object, key: str) -> dict[str, int]:
    return dict(rows.annotate(number=Count("id")).values_list(key, "number"))  # type: ignore[attr-defined]


@dataclass(frozen=True)
class SwitchState:
    """Whether rules may act, and who stopped them."""

    is_stopped: bool = False
    at: datetime | None = None
    by: str = ""


def switch_state() -> SwitchState:
    row = RuleSwitch.objects.first()
    return SwitchState(row.is_stopped, row.stopped_at, row.stopped_by_name) if row else SwitchState()


def versions() -> list[RuleVersion]:
    """The newest versions of the rules, with what each changed."""
    return list(RuleVersion.objects.defer("rules")[:MOST_VERSIONS])
