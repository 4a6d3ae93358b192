"""What a change of the rules would decide right now, among the requests that wait: told before it is made (guarantee R6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from portal.access_requests.facts import Marks, knowledge_of
from portal.access_requests.models import AccessRequest
from portal.access_requests.rulebook import Act, Facts, Rule, RuleBook, decide

ACTS = {
    Act.APPROVE.value: ("Approve", "good"),
    Act.SECOND.value: ("Ask a second person to approve", "info"),
    Act.DENY.value: ("Deny", "bad"),
}


@dataclass(frozen=True, kw_only=True)
class Effect:
    """One waiting request, and the rule that would decide it."""

    request: AccessRequest
    rule: Rule

    @property
    def act(self) -> tuple[str, str]:
        return ACTS[self.rule.action.act]


def added_effects(before: RuleBook, after: RuleBook, *, marks: Marks | None = None) -> list[Effect]:
    """Return what the rules would decide after a change that they would not have decided the same way without it.

    `marks` are those after the change, where it changes them.
    """
    requests = open_to_rules()
    now = _facts(requests, None)
    then = _facts(requests, marks) if marks else now
    found = []
    for request in requests:
        rule = _acting_rule(after, then[request.pk])
        if rule and not _is_same(rule, _acting_rule(before, now[request.pk])):
            found.append(Effect(request=request, rule=rule))
    return found


def open_to_rules() -> Sequence[AccessRequest]:
    """Return the waiting requests that a rule may decide: nobody ever has, so none was undone or turned down either."""
    rows = AccessRequest.objects.waiting().filter(decisions=None).order_by("created_at", "id")
    return list(rows.defer("payload", "search", "reason"))


def digest_of(effects: Sequence[Effect]) -> str:
    """Name a list of effects: whoever confirms says with it which one was shown."""
    lines = sorted(f"{each.request.pk}:{each.rule.id}:{each.rule.action.act}" for each in effects)
    return sha256("\n".join(lines).encode()).hexdigest()[:32]


def _facts(requests: Sequence[AccessRequest], marks: Marks | None) -> dict[int, Facts]:
    if not requests:
        return {}
    return {key: knowledge.facts for key, knowledge in knowledge_of(requests, marks).items()}


def _acting_rule(book: RuleBook, facts: Facts) -> Rule | None:
    verdict = decide(book, facts)
    return verdict.rule if verdict.is_automatic else None


def _is_same(rule: Rule, other: Rule | None) -> bool:
    return other is not None and (rule.id, rule.action) == (other.id, other.action)
