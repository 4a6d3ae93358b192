"""What changed from one version of the rules to the next, in words."""

from collections.abc import Mapping

from portal.access_requests.rulebook.book import Rule, RuleBook


def sentence(rule: Rule, account_names: Mapping[str, str]) -> str:
    """Write a rule as a sentence."""
    asked = rule.conditions.words(account_names)
    return f"{f'When {" and ".join(asked)}' if asked else 'Always'}: {rule.action.words}."


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
        found.append(f"“{new.name}” was: {sentence(old, account_names)} It is: {sentence(new, account_names)}")
    if old.is_automatic != new.is_automatic:
        found.append(f"“{new.name}” {'acts by itself now' if new.is_automatic else 'only suggests now'}.")
    return found
