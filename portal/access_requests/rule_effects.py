"""What a change of the rules would decide right now, among the requests that wait: told before it is made (guarantee R6)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import batched

from portal.access_requests.facts import Domains, Marks, knowledge_of
from portal.access_requests.models import AccessRequest, AccessRequestQuerySet
from portal.access_requests.rulebook import ACT_TONES, Act, Facts, Rule, RuleBook, decide

BATCH = 500
"""So many waiting requests are in memory at once, however many there are."""
MAX_LISTED = 500
"""So many are listed by name, those that wait longest; of the others the page says how many each rule would decide."""


@dataclass(frozen=True, kw_only=True)
class Effect:
    """One waiting request, and the rule that would decide it."""

    request: AccessRequest
    rule: Rule

    @property
    def act(self) -> tuple[str, str]:
        return self.rule.action.act_label, ACT_TONES[Act(self.rule.action.act)]


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


class TooManyWait(Exception):
    """More requests wait than may be looked at."""


def added_effects(before: RuleBook, after: RuleBook, *, marks: Marks | None = None, at_most: int | None = None) -> Effects:
    """Return what the rules would decide after a change that they would not have decided the same way without it.

    `marks` are those after the change, where it changes them. Raises TooManyWait where more than `at_most` requests wait.
    """
    if not after.automatic_ids:
        return Effects()
    if at_most is not None and _undecided()[at_most : at_most + 1].exists():
        raise TooManyWait
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
    """Walk the waiting requests that a rule may decide, with their facts as they are and as they would be with these marks."""
    rows = _undecided().order_by("created_at", "id")
    present = Marks.load()
    known = Domains({}, {}, {})
    asked = set[str]()
    for batch in batched(rows.defer("payload", "search", "reason").iterator(BATCH), BATCH):
        domains = {request.domain for request in batch} - {""}
        # Once for each domain: what it was approved for before may be long.
        known.add(Domains.load(domains - asked))
        asked |= domains
        now = knowledge_of(batch, present, known)
        then = knowledge_of(batch, marks, known) if marks else now
        for request in batch:
            yield request, now[request.pk].facts, then[request.pk].facts


def _undecided() -> AccessRequestQuerySet:
    """Return the waiting requests that nobody has ever decided: none of them was undone or rejected either."""
    return AccessRequest.objects.waiting().filter(decisions=None)


def _acting_rule(book: RuleBook, facts: Facts) -> Rule | None:
    verdict = decide(book, facts)
    return verdict.rule if verdict.is_automatic else None


def _is_same(rule: Rule, other: Rule | None) -> bool:
    return other is not None and (rule.id, rule.action) == (other.id, other.action)
