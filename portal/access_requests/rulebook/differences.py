"""What changed from one version of the rules to the next, in words."""

from collections.abc import Mapping
from datetime import datetime

from portal.access_requests.rulebook.book import Rule, RuleBook
from portal.users.dates import stored


def sentence(rule: Rule, account_names: Mapping[str, str]) -> str:
    """Write a rule as a sentence."""
    asked = rule.conditions.describe(account_names)
    return f"{f'When {" and ".join(asked)}' if asked else 'Always'}: {rule.action.description}."


def differences(old: RuleBook, new: RuleBook, account_names: Mapping[str, str]) -> list[str]:
    """Say what is different, one sentence for each thing."""
    found = []
    before, after = {rule.id: rule for rule in old.rules}, {rule.id: rule for rule in new.rules}
    found += [f"Removed “{rule.name}”." for key, rule in before.items() if key not in after]
    found += [f"Added “{rule.name}”: {sentence(rule, account_names)}" for key, rule in after.items() if key not in before]
    for key, rule in after.items():
        if key in before:
            found += _changes(before[key], rule, account_names)
    kept = [key for key in before if key in after]
    order = [key for key in after if key in before]
    if kept != order:
        found.append("The order is now: " + ", ".join(f"“{after[key].name}”" for key in after) + ".")
    return found


def _changes(old: Rule, new: Rule, account_names: Mapping[str, str]) -> list[str]:
    found = []
    if old.name != new.name:
        found.append(f"“{old.name}” is now called “{new.name}”.")
    if old.conditions != new.conditions or old.action != new.action:
        found.append(f"“{new.name}” was: {sentence(old, account_names)} Now: {sentence(new, account_names)}")
    if (old.is_automatic, old.acts_from) != (new.is_automatic, new.acts_from):
        found.append(f"“{new.name}” now {mode(new)}.")
    return found


def mode(rule: Rule) -> str:
    """Say what a rule does without a person, as the end of a sentence."""
    if not rule.is_automatic:
        return "only suggests"
    verb = "auto-approves" if rule.action.grants else "auto-denies"
    if not rule.acts_from:
        return f"{verb} waiting and new requests"
    return f"{verb} requests received after {stored(datetime.fromisoformat(rule.acts_from))}"
