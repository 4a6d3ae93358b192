"""Auto-approve rules, and how requests are to be decided, as they are copied to another tenant."""

from collections.abc import Sequence
from dataclasses import dataclass

from portal.access_requests.models import DeskSettings
from portal.access_requests.rulebook import AccountIs, Rule
from portal.access_requests.rulebook.differences import sentence
from portal.access_requests.services.desk_settings import set_desk_settings
from portal.access_requests.services.rules import TooManyRules, add_suggesting_rules, current_book, lock_switch
from portal.lib.counted import counted
from portal.tenants.copied_settings import CopiedSettings, NotCopied, register_copied_settings
from portal.tenants.models import Membership


@dataclass(frozen=True)
class DeskTerms:
    """How a tenant wants its requests decided."""

    needs_two: bool
    deadline_hours: int | None

    @property
    def description(self) -> Sequence[str]:
        hours = self.deadline_hours
        waits = "No deadline" if hours is None else f"Due within {counted(hours, 'office hour')}"
        return ("Second approval required" if self.needs_two else "No second approval", waits)


def read_rules(member: Membership) -> tuple[Rule, ...]:
    """Read the rules that mean the same in every tenant: accounts are known by ids that each has of its own."""
    return tuple(rule for rule in current_book().rules if rule.conditions.account != AccountIs.ONE_OF)


def describe_rules(rules: Sequence[Rule]) -> Sequence[str]:
    return [rule.name for rule in rules] or ["No rules"]


def plan_rules(given: Sequence[Rule], before: Sequence[Rule]) -> Sequence[str]:
    return [f"{rule.name}, suggest only. {sentence(rule, {})}" for rule in _missing(given, before)]


def apply_rules(given: Sequence[Rule], member: Membership) -> None:
    try:
        add_suggesting_rules(_missing(given, read_rules(member)), member=member)
    except TooManyRules as refusal:
        raise NotCopied("there are too many rules already") from refusal


def _missing(given: Sequence[Rule], before: Sequence[Rule]) -> list[Rule]:
    names = {rule.name.casefold() for rule in before}
    return [rule for rule in given if rule.name.casefold() not in names]


def read_terms(member: Membership) -> DeskTerms:
    settings = DeskSettings.objects.first() or DeskSettings()
    return DeskTerms(settings.needs_two_for_approval, settings.deadline_hours)


def plan_terms(given: DeskTerms, before: DeskTerms) -> Sequence[str]:
    return [new for new, old in zip(given.description, before.description, strict=True) if new != old]


def apply_terms(given: DeskTerms, member: Membership) -> None:
    set_desk_settings(needs_two_for_approval=given.needs_two, deadline_hours=given.deadline_hours, member=member)


def register() -> None:
    register_copied_settings(
        "rules",
        CopiedSettings(
            label="Auto-approve rules",
            note="Copied rules only suggest, and come after the existing ones. A rule with the same name doesn't change. "
            "Rules for specific accounts aren't copied.",
            read=read_rules,
            describe=describe_rules,
            plan=plan_rules,
            apply=apply_rules,
            lock=lock_switch,
        ),
    )
    register_copied_settings(
        "requests",
        CopiedSettings(
            label="Access request approval",
            note="Replaces the number of approvers and the deadline.",
            read=read_terms,
            describe=lambda terms: terms.description,
            plan=plan_terms,
            apply=apply_terms,
            lock=lambda: DeskSettings.objects.select_for_update().first(),
        ),
    )
