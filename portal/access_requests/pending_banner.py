"""What stands above the list: what has not left, what waits for a second person, and what came to nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from portal.access_requests.models import AccessRequest, Decision, DecisionState
from portal.users.models import User

MAX_DECISIONS = 2000
"""What was decided together, or by one rule, is one line: so many decisions are few lines."""
TOLD_FOR = timedelta(days=7)


@dataclass(frozen=True)
class PendingBatch:
    """One decision, or those that were made together or by one rule."""

    decisions: Sequence[Decision]
    number_undone: int = 1
    """How many one press takes back: beside these also what waits for a second person."""

    @property
    def first(self) -> Decision:
        return self.decisions[0]

    @property
    def number(self) -> int:
        return len(self.decisions)

    @property
    def seconds_left(self) -> int:
        return max(decision.seconds_left for decision in self.decisions)


@dataclass(frozen=True)
class PendingBanner:
    """All of it, as one person sees it."""

    held: list[PendingBatch]
    asked: list[Decision]
    notices: list[Decision]
    mine: int
    """How many of those held are this person's."""

    @property
    def is_empty(self) -> bool:
        return not (self.held or self.asked or self.notices)


def pending_banner_for(user: User) -> PendingBanner:
    """Gather what is on its way in the tenant in scope, the newest first, and what this person has yet to be told."""
    waiting = list(Decision.objects.waiting().select_related("access_request").defer("facts").order_by("-id")[:MAX_DECISIONS])
    held = [decision for decision in waiting if decision.state == DecisionState.SCHEDULED]
    ended = Decision.objects.filter(decided_by=user, seen_at=None, settled_at__gt=timezone.now() - TOLD_FOR)
    # The page of a batch lists what did not work out at once; a second person may answer when nobody looks at it anymore.
    of_one = Q(batch=None, state__in=(DecisionState.FAILED, DecisionState.ELSEWHERE))
    notices = ended.filter(of_one | Q(state=DecisionState.DECLINED))
    return PendingBanner(
        held=_lines(held, user, waiting),
        asked=[decision for decision in waiting if decision.state == DecisionState.AWAITING_SECOND],
        notices=list(notices.select_related("access_request").defer("facts").order_by("-settled_at")[:MAX_DECISIONS]),
        mine=sum(decision.is_by(user) for decision in held),
    )


def last_held(user: User, *, beside: AccessRequest) -> Decision | None:
    """What this person decided last and can still undo, of other requests than the one that is open."""
    held = Decision.objects.held().filter(decided_by=user).exclude(access_request=beside)
    return held.select_related("access_request").defer("facts").order_by("-id").first()


def _lines(held: list[Decision], user: User, waiting: list[Decision]) -> list[PendingBatch]:
    """One line for each decision, and one for those that were made together or by the same rule; in the order given."""
    together: dict[object, list[Decision]] = {}
    for decision in held:
        by_rule = (decision.rule_id, decision.verb) if decision.rule_id else None
        together.setdefault(decision.batch or by_rule or decision.pk, []).append(decision)
    of_batches = Counter(each.batch for each in waiting if each.state == DecisionState.SCHEDULED or each.is_by(user))
    of_rules = Counter(each.rule_id for each in waiting)
    return [
        PendingBatch(decisions, of_batches[decisions[0].batch] if decisions[0].batch else of_rules[decisions[0].rule_id])
        for decisions in together.values()
    ]
