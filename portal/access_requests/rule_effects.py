"""What a change of the rules would decide right now, among the requests that wait: told before it is made (guarantee R6)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import batched

from portal.access_requests.facts import Domains, Marks, knowledge_of
from portal.access_requests.models import AccessRequest
from portal.access_requests.rulebook import Act, Facts, Rule, RuleBook, decide

BATCH = 500
"""So many waiting requests are in memory at once, however many there are."""
MAX_LISTED = 500
"""So many are listed by name, those that wait longest; of the others the page says how many each rule would decide."""
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


@dataclass(frozen=True, kw_only=True)
class Effects:
    """All that a change would decide."""

    listed: Sequence[Effect] = ()
    by_rule: Sequence[tuple[Rule, int]] = ()
    """How many requests each rule would decide."""
    digest: str = ""
    """Names these requests, and what is decided of each: whoever confirms says with it which ones were shown."""

    @property
    def number(self) -> int:
        return sum(number for _, number in self.by_rule)

    @property
    def others(self) -> int:
        """How many are not listed by name."""
        return self.number - len(self.listed)

    @property
    def rule_ids(self) -> set[str]:
        return {rule.id for rule, _ in self.by_rule}


def added_effects(before: RuleBook, after: RuleBook, *, marks: Marks | None = None) -> Effects:
    """Return what the rules would decide after a change that they would not have decided the same way without it.

    `marks` are those after the change, where it changes them.
    """
    if not after.automatic_ids:
        return Effects()
    listed: list[Effect] = []
    rules: dict[str, Rule] = {}
    numbers = Counter[str]()
    digest = sha256()
    for request, now, then in _open_to_rules(marks):
        rule = _acting_rule(after, then)
        if rule and not _is_same(rule, _acting_rule(before, now)):
            rules[rule.id] = rule
            numbers[rule.id] += 1
            digest.update(f"{request.pk}:{rule.id}:{rule.action.act}\n".encode())
            if len(listed) < MAX_LISTED:
                listed.append(Effect(request=request, rule=rule))
    by_rule = [(rules[rule_id], number) for rule_id, number in numbers.items()]
    return Effects(listed=listed, by_rule=by_rule, digest=digest.hexdigest()[:32])


def _open_to_rules(marks: Marks | None) -> Iterator[tuple[AccessRequest, Facts, Facts]]:
    """Walk the waiting requests that a rule may decide, with their facts as they are and as they would be with these marks.

    Nobody has ever decided them, so none was undone or turned down either.
    """
    rows = AccessRequest.objects.waiting().filter(decisions=None).order_by("created_at", "id")
    present = Marks.look()
    known = Domains({}, {}, {})
    asked = set[str]()
    for batch in batched(rows.defer("payload", "search", "reason").iterator(BATCH), BATCH):
        domains = {request.domain for request in batch} - {""}
        # Once for each domain: what it was approved for before may be long.
        known.add(Domains.look(domains - asked))
        asked |= domains
        now = knowledge_of(batch, present, known)
        then = knowledge_of(batch, marks, known) if marks else now
        for request in batch:
            yield request, now[request.pk].facts, then[request.pk].facts


def _acting_rule(book: RuleBook, facts: Facts) -> Rule | None:
    verdict = decide(book, facts)
    return verdict.rule if verdict.is_automatic else None


def _is_same(rule: Rule, other: Rule | None) -> bool:
    return other is not None and (rule.id, rule.action) == (other.id, other.action)
