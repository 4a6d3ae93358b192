"""Rules and the book they stand in. A book is never changed: every change makes a new one, with the next number."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, Self

from portal.access_requests.rulebook.conditions import Conditions
from portal.lib.counted import counted


class Act(StrEnum):
    """What follows. `PEOPLE` is no action of a rule: it is what is left when none applies."""

    APPROVE = "approve"
    DENY = "deny"
    SECOND = "second"
    """Approve, once a person has given the second approval."""
    PEOPLE = "people"


class Level(StrEnum):
    """What an approval grants."""

    ASKED = "asked"
    CAPPED = "capped"
    """Never everything: who asks for everything is given the documents that are not marked as sensitive."""


class Nda(StrEnum):
    """Whether the person has to accept an agreement first."""

    REQUIRED = "required"
    UNLESS_SIGNED = "unless_signed"
    """Not of people whose company has signed one, or needs none."""
    NOT_REQUIRED = "not_required"


ACT_LABELS = {
    Act.APPROVE: "Approve",
    Act.DENY: "Deny",
    Act.SECOND: "Approve after second approval",
    Act.PEOPLE: "Left to people",
}
ACT_TONES = {Act.APPROVE: "good", Act.DENY: "bad", Act.SECOND: "info", Act.PEOPLE: "muted"}
LEVEL_WORDS = {Level.ASKED: "as requested", Level.CAPPED: "all but sensitive documents"}
NDA_WORDS = {
    Nda.REQUIRED: "after the person's NDA",
    Nda.UNLESS_SIGNED: "after the person's NDA unless the company NDA is settled",
    Nda.NOT_REQUIRED: "without a person's NDA",
}


@dataclass(frozen=True, kw_only=True)
class Action:
    """What a rule does, or suggests."""

    act: str = Act.APPROVE
    level: str = Level.ASKED
    expiry_days: int | None = 365
    """None: access never ends."""
    nda: str = Nda.REQUIRED
    reason: str = ""
    """Of a denial: the platform tells it to the person."""

    @property
    def grants(self) -> bool:
        return self.act in (Act.APPROVE, Act.SECOND)

    @property
    def act_label(self) -> str:
        return ACT_LABELS[Act(self.act)]

    @property
    def description(self) -> str:
        said = self.act_label.lower()
        if not self.grants:
            return f"{said}, saying “{self.reason.rstrip('.')}”" if self.reason else f"{said}, without a reason"
        ends = f"for {counted(self.expiry_days, 'day')}" if self.expiry_days else "with no end date"
        return ", ".join([said, LEVEL_WORDS[Level(self.level)], ends, NDA_WORDS[Nda(self.nda)]])


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule. It suggests, until somebody who has seen the dry run makes it act by itself."""

    id: str
    name: str
    conditions: Conditions
    action: Action
    is_automatic: bool = False
    acts_from: str = ""
    """ISO text: what was asked until then is left to people. Empty: it decides whatever waits."""

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Self:
        conditions, action = Conditions.read(kept["conditions"]), Action(**kept["action"])
        return cls(**{**kept, "conditions": conditions, "action": action})

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "conditions": self.conditions.as_json(), "action": asdict(self.action)}


@dataclass(frozen=True, kw_only=True)
class RuleBook:
    """All rules in their order, as they were from one change to the next. The first rule that applies counts."""

    number: int = 0
    rules: tuple[Rule, ...] = ()

    @classmethod
    def read(cls, number: int, kept: list[dict[str, Any]]) -> Self:
        return cls(number=number, rules=tuple(Rule.read(each) for each in kept))

    def as_json(self) -> list[dict[str, Any]]:
        return [rule.as_json() for rule in self.rules]

    def rule(self, rule_id: str) -> Rule | None:
        return next((rule for rule in self.rules if rule.id == rule_id), None)

    def with_rule(self, rule: Rule) -> Self:
        """Put a rule in the place of the one with its id, or at the end."""
        if self.rule(rule.id) is None:
            return replace(self, rules=(*self.rules, rule))
        return replace(self, rules=tuple(rule if each.id == rule.id else each for each in self.rules))

    def without(self, rule_id: str) -> Self:
        return replace(self, rules=tuple(each for each in self.rules if each.id != rule_id))

    def moved(self, rule_id: str, by: int) -> Self:
        """Move a rule up (-1) or down (1); at the end it stays."""
        rules = list(self.rules)
        at = next(index for index, each in enumerate(rules) if each.id == rule_id)
        to = min(max(at + by, 0), len(rules) - 1)
        rules.insert(to, rules.pop(at))
        return replace(self, rules=tuple(rules))

    def automatic(self, rule_id: str, *, is_automatic: bool = True) -> Self:
        """As it would be if this rule acted by itself, on whatever waits, or no longer did."""
        rule = self.rule(rule_id)
        return self if rule is None else self.with_rule(replace(rule, is_automatic=is_automatic, acts_from=""))

    def all_automatic(self) -> Self:
        return replace(self, rules=tuple(replace(each, is_automatic=True) for each in self.rules))

    def all_suggesting(self) -> Self:
        return replace(self, rules=tuple(replace(each, is_automatic=False, acts_from="") for each in self.rules))

    def acting_from(self, moment: str, rule_ids: Collection[str]) -> Self:
        """As it would be if these rules left to people what was asked until a moment. What only suggests stays as it is."""
        return replace(self, rules=tuple(_acting_from(each, moment) if each.id in rule_ids else each for each in self.rules))

    def without_moments(self) -> Self:
        """As it would be if every rule had always been on: what a dry run over the past asks for."""
        return replace(self, rules=tuple(replace(each, acts_from="") for each in self.rules))

    @property
    def automatic_ids(self) -> set[str]:
        return {rule.id for rule in self.rules if rule.is_automatic}

    @property
    def asks_for_contracts(self) -> bool:
        return any(rule.conditions.contract is not None for rule in self.rules)


def _acting_from(rule: Rule, moment: str) -> Rule:
    return replace(rule, acts_from=moment) if rule.is_automatic else rule
