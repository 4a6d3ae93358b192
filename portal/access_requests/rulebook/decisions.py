"""The one function that says what the rules make of a request."""

from dataclasses import dataclass
from datetime import datetime

from portal.access_requests.rulebook.book import Act, Action, Level, Rule, RuleBook
from portal.access_requests.rulebook.conditions import FULL, PARTIAL
from portal.access_requests.rulebook.facts import AccountMatch, Facts

__all__ = ["Act", "Verdict", "decide", "held_back"]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the rules say to one request, and which of them."""

    version: int
    rule: Rule | None = None
    is_automatic: bool = False
    """The rule acts by itself. Else it suggests, and people decide."""
    caution: str = ""
    """Why a rule that acts by itself leaves this one to people."""

    @property
    def action(self) -> Action | None:
        return self.rule.action if self.rule else None

    @property
    def suggested(self) -> str:
        """What the rule says, whoever acts."""
        return self.rule.action.act if self.rule else Act.PEOPLE

    @property
    def act(self) -> str:
        """What happens without a person: nothing, unless the rule acts by itself."""
        return self.suggested if self.is_automatic else Act.PEOPLE


def decide(book: RuleBook, facts: Facts) -> Verdict:
    """Apply the first rule all of whose conditions hold. The same book and the same facts give the same verdict, always."""
    rule = next((rule for rule in book.rules if rule.conditions.hold(facts)), None)
    if rule is None:
        return Verdict(version=book.number)
    caution = _caution(rule, facts) if rule.is_automatic else ""
    return Verdict(version=book.number, rule=rule, is_automatic=rule.is_automatic and not caution, caution=caution)


def _caution(rule: Rule, facts: Facts) -> str:
    if was_asked_before(rule, facts):
        return "It was already waiting when the rule was turned on for new requests only."
    return held_back(rule.action, facts) if rule.action.grants else ""


def was_asked_before(rule: Rule, facts: Facts) -> bool:
    """Say whether a request is older than what a rule was switched on for."""
    if not rule.acts_from or not facts.asked_at:
        return False
    return datetime.fromisoformat(facts.asked_at) <= datetime.fromisoformat(rule.acts_from)


def held_back(action: Action, facts: Facts) -> str:
    """Say why nobody is let in without a person, whatever a rule says; nothing when there is no reason."""
    if facts.is_blocked:
        return "The domain is on the blocked list."
    if facts.account == AccountMatch.SEVERAL:
        return "More than one account has this domain."
    if facts.asks_unknown:
        return "It asks for a document we don't recognize."
    if facts.access_level not in (FULL, PARTIAL):
        return "It asks for an access level we don't recognize."
    if action.level == Level.CAPPED and not facts.has_harmless:
        return "Every document it asks for is marked as sensitive."
    return ""
