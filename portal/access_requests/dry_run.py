"""What the rules would have done to the requests of the past, compared with what was done."""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from itertools import batched

from portal.access_requests.facts import knowledge_of
from portal.access_requests.models import AccessRequest, Decision, DecisionState, Outcome
from portal.access_requests.rulebook import Act, Facts, RuleBook, Verdict, decide
from portal.lib.counted import counted
from portal.page_refresh.services import cached_by_version

MAX_TRIED = 5000
"""The rules are tried while a page is drawn: on so many requests, the newest, which takes about a second."""
BATCH = 1000
OPPOSITE = {Outcome.APPROVED.value: {Act.DENY}, Outcome.DENIED.value: {Act.APPROVE}}
LABELS = {
    Act.APPROVE.value: "Would approve",
    Act.SECOND.value: "Would approve after second approval",
    Act.DENY.value: "Would deny",
    Act.PEOPLE.value: "Left to people",
}


@dataclass(frozen=True, kw_only=True)
class Tried:
    """One past request: what the rules say to it, and what became of it."""

    request: AccessRequest
    facts: Facts
    verdict: Verdict
    is_of_then: bool
    """The facts are those that were kept when it was decided; else they are as they are now."""

    @property
    def act(self) -> str:
        return str(self.verdict.act)

    @property
    def act_label(self) -> str:
        return LABELS[self.act]

    @property
    def disagrees(self) -> bool:
        """The rules would have done the opposite of what was done."""
        return self.verdict.act in OPPOSITE.get(self.request.outcome, set())


KINDS: dict[str, tuple[str, Callable[[Tried], bool]]] = {
    "": ("All", lambda tried: True),
    "in": ("Would approve", lambda tried: tried.act == Act.APPROVE),
    "second": ("After second approval", lambda tried: tried.act == Act.SECOND),
    "out": ("Would deny", lambda tried: tried.act == Act.DENY),
    "people": ("Left to people", lambda tried: tried.act == Act.PEOPLE),
    "against": ("Differs from decision", lambda tried: tried.disagrees),
}


@dataclass(frozen=True)
class DryRun:
    """The rules tried on past requests, the newest first."""

    tried: Sequence[Tried]
    looked_at: int
    """On how many the rules were tried."""
    past: int
    """How many past requests there are."""

    def of_kind(self, kind: str) -> list[Tried]:
        _, fits = KINDS[kind]
        return [each for each in self.tried if fits(each)]

    def counts(self) -> dict[str, int]:
        return {kind: sum(map(fits, self.tried)) for kind, (_, fits) in KINDS.items()}

    def of_rules(self, rule_ids: Set[str]) -> "DryRun":
        """Only what some of the rules apply to."""
        return replace(self, tried=[each for each in self.tried if each.verdict.rule and each.verdict.rule.id in rule_ids])

    @property
    def of_then(self) -> int:
        return sum(each.is_of_then for each in self.tried)

    @property
    def of_now(self) -> int:
        return len(self.tried) - self.of_then

    @property
    def is_partial(self) -> bool:
        return self.looked_at < self.past

    @property
    def reach(self) -> str:
        """Name the requests that the rules were tried on: no figure of the dry run stands for others (guarantee R3)."""
        if self.is_partial:
            return f"the latest {counted(self.looked_at, 'request')} decided so far ({self.past:,} in all)"
        return "the requests decided so far"


def try_on_past(book: RuleBook) -> DryRun:
    """Try rules on what has been decided, here or elsewhere: on the newest of it, where it is much."""
    rows = AccessRequest.objects.present().exclude(outcome=Outcome.PENDING)
    newest = list(rows.defer("payload", "search", "reason").order_by("-updated_at", "-id")[:MAX_TRIED])
    run = try_on(book, newest)
    if len(newest) < MAX_TRIED:
        return run
    return replace(run, past=cached_by_version("access_requests", "past", rows.count))


def try_on(book: RuleBook, requests: Sequence[AccessRequest]) -> DryRun:
    """Try rules on requests, with the facts that a decision kept, and where there are none with those of now."""
    book, kept = book.without_moments(), kept_facts(requests)
    without = [request for request in requests if request.pk not in kept]
    now = {pk: knowledge.facts for pk, knowledge in knowledge_of(without).items()} if without else {}
    found = []
    for request in requests:
        facts = kept.get(request.pk) or now[request.pk]
        verdict = decide(book, facts)
        found.append(Tried(request=request, facts=facts, verdict=verdict, is_of_then=request.pk in kept))
    return DryRun(found, looked_at=len(found), past=len(found))


def kept_facts(requests: Sequence[AccessRequest]) -> dict[int, Facts]:
    """The facts that were kept with the decisions that were made about these requests, by request."""
    made = Decision.objects.filter(state=DecisionState.DONE, facts__has_key="rules").order_by("id")
    found: dict[int, Facts] = {}
    for batch in batched([request.pk for request in requests], BATCH):
        rows = made.filter(access_request__in=batch).values_list("access_request_id", "facts")
        found |= {pk: Facts.read(facts["rules"]) for pk, facts in rows.iterator(BATCH)}
    return found
