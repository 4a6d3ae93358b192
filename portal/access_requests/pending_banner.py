"""The banner above the list: what has not been sent yet, what awaits a second approval, and what came to nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from portal.access_requests.models import FAILURES, AccessRequest, Decision, DecisionQuerySet, DecisionState
from portal.users.models import User
from portal.work_items.selectors import Count

MAX_DECISIONS = 2000
"""So many of a kind are read, and one more that tells whether there are others. What was decided together, or by one rule, is
one line: so many decisions are few lines."""
TOLD_FOR = timedelta(days=7)


@dataclass(frozen=True)
class Listed:
    """The newest decisions of a kind, and how many there are."""

    decisions: Sequence[Decision]
    count: Count

    @property
    def is_cut(self) -> bool:
        return self.count.number > len(self.decisions)


@dataclass(frozen=True)
class PendingBatch:
    """One decision, or those that were made together or by one rule."""

    decisions: Sequence[Decision]
    count: Count
    undone: Count
    """How many one press takes back: beside these also what awaits a second approval."""

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

    scheduled: list[PendingBatch]
    asked: Listed
    notices: Listed
    mine: Count
    """How many of the scheduled ones this person made, or gave the second approval."""


def pending_banner_for(user: User) -> PendingBanner:
    """Gather what is on its way in the tenant in scope, the newest first, and what this person has yet to be told."""
    scheduled, asked = _waiting()
    ended = Decision.objects.filter(decided_by=user, seen_at=None, settled_at__gt=timezone.now() - TOLD_FOR)
    # The page of a batch lists what did not work out at once; a second approval may come when nobody looks at it anymore.
    of_one = Q(batch=None, state__in=(*FAILURES, DecisionState.ELSEWHERE))
    return PendingBanner(
        scheduled=_lines(scheduled, asked, user),
        asked=asked,
        notices=_newest(ended.filter(of_one | Q(state=DecisionState.REJECTED)), "-settled_at"),
        mine=_count(sum(decision.is_of(user) for decision in scheduled.decisions), is_cut=scheduled.is_cut),
    )


def _waiting() -> tuple[Listed, Listed]:
    """Read what is scheduled, and what awaits a second approval. Mostly both are few: then they are read at once."""
    waiting = _newest(Decision.objects.waiting(), "-id")
    if waiting.is_cut:
        return _newest(Decision.objects.scheduled(), "-id"), _newest(Decision.objects.awaiting_second(), "-id")
    scheduled = [decision for decision in waiting.decisions if decision.state == DecisionState.SCHEDULED]
    asked = [decision for decision in waiting.decisions if decision.state == DecisionState.AWAITING_SECOND]
    return Listed(scheduled, _count(len(scheduled), is_cut=False)), Listed(asked, _count(len(asked), is_cut=False))


def _newest(rows: DecisionQuerySet, order_by: str) -> Listed:
    found = list(rows.select_related("access_request").defer("facts").order_by(order_by)[: MAX_DECISIONS + 1])
    return Listed(found[:MAX_DECISIONS], Count(len(found), MAX_DECISIONS))


def _count(number: int, *, is_cut: bool) -> Count:
    """Count those of some that were read; where others were not, there may be more of them."""
    return Count(number + 1, number) if is_cut else Count(number, number)


def last_scheduled(user: User, *, beside: AccessRequest) -> Decision | None:
    """What this person decided or confirmed last and can still undo, of other requests than the one that is open."""
    scheduled = Decision.objects.scheduled().of(user.pk).exclude(access_request=beside)
    return scheduled.select_related("access_request").defer("facts").order_by("-id").first()


def _lines(scheduled: Listed, asked: Listed, user: User) -> list[PendingBatch]:
    """One line for each decision, and one for those that were made together or by the same rule; in the order given."""
    together: dict[object, list[Decision]] = {}
    for decision in scheduled.decisions:
        by_rule = (decision.rule_id, decision.verb) if decision.rule_id else None
        together.setdefault(decision.batch or by_rule or decision.pk, []).append(decision)
    mine = [decision for decision in asked.decisions if decision.is_by(user)]
    of_batches = Counter(each.batch for each in (*scheduled.decisions, *mine))
    of_rules = Counter(each.rule_id for each in (*scheduled.decisions, *asked.decisions))
    lines = []
    for decisions in together.values():
        first = decisions[0]
        undone = of_batches[first.batch] if first.batch else of_rules[first.rule_id]
        is_one = not (first.batch or first.rule_id)
        lines.append(
            PendingBatch(
                decisions,
                _count(len(decisions), is_cut=scheduled.is_cut and not is_one),
                _count(undone, is_cut=(scheduled.is_cut or asked.is_cut) and not is_one),
            )
        )
    return lines
