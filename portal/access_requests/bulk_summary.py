"""What a decision about many requests would do, before anybody confirms it; and later what came of each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from portal.access_requests.models import (
    FAILURES,
    FULL,
    OPEN,
    PARTIAL,
    AccessRequest,
    Decision,
    DecisionState,
    latest_decisions,
)
from portal.access_requests.selectors import Row, rows_of

UNDER_WAY = (DecisionState.AWAITING_SECOND, DecisionState.SCHEDULED, DecisionState.SENDING, DecisionState.UNCONFIRMED)
ALARMING = ("warn", "bad")
NOT_MADE = (*FAILURES, DecisionState.ELSEWHERE, DecisionState.REJECTED)


@dataclass(frozen=True)
class Summary:
    """The chosen requests, told apart."""

    decidable: list[Row]
    left_out: list[tuple[Row, str]]
    """With the reason why it cannot be decided."""

    @property
    def domains(self) -> int:
        return len({row.request.domain for row in self.decidable})

    @property
    def people(self) -> int:
        return len({row.request.folded_email for row in self.decidable})

    @property
    def with_access(self) -> list[Row]:
        return [row for row in self.decidable if row.viewer and not row.viewer.is_expired]

    @property
    def duplicates(self) -> list[Row]:
        """Requests of somebody who is among them more than once."""
        times = Counter(row.request.folded_email for row in self.decidable)
        return [row for row in self.decidable if times[row.request.folded_email] > 1]

    @property
    def everything(self) -> int:
        return sum(row.request.access_level == FULL for row in self.decidable)

    @property
    def cautions(self) -> list[tuple[Row, str]]:
        """Those with a mark that somebody who approves has to see, and what it says."""
        marked = [(row, [words for words, tone, _ in row.knowledge.marks if tone in ALARMING]) for row in self.approvable]
        return [(row, ", ".join(marks)) for row, marks in marked if marks]

    @property
    def approvable(self) -> list[Row]:
        return [row for row in self.decidable if not why_not_among_many(row)]

    @property
    def unapprovable(self) -> list[tuple[Row, str]]:
        """Those that need a look each, with the reason."""
        return [(row, why) for row in self.decidable if (why := why_not_among_many(row))]


def why_not_among_many(row: Row) -> str:
    """Say why a request is not approved together with others; nothing when what was asked for can be granted as it stands."""
    if row.knowledge.block:
        return f"its domain is blocked. {row.knowledge.block.why}".strip()
    if is_plain(row.request):
        return ""
    return "it names no document, or an access level we don't recognize. Open it and choose the access."


def is_plain(request: AccessRequest) -> bool:
    """Say whether it can be granted exactly as it was asked for."""
    return request.access_level == FULL or (request.access_level == PARTIAL and bool(request.requested_resources))


def summarise(requests: Sequence[AccessRequest]) -> Summary:
    rows = rows_of(requests)
    return Summary([row for row in rows if row.is_undecided], [(row, why_not(row)) for row in rows if not row.is_undecided])


def why_not(row: Row) -> str:
    if row.request.gone_at:
        return "The request is no longer on the platform."
    if row.decision and row.decision.is_waiting:
        return f"{row.decision.decided_by_name} decided it, but it hasn't been sent yet."
    if row.request.is_pending:
        return "A decision is already being sent."
    return f"It's already {row.request.outcome_label.lower()}."


@dataclass(frozen=True)
class Report:
    """What came of a batch: the decision about each request that counts, or else the last one."""

    decisions: list[Decision]

    def of(self, *states: DecisionState) -> list[Decision]:
        return [decision for decision in self.decisions if decision.state in states]

    @property
    def done(self) -> list[Decision]:
        return self.of(DecisionState.DONE)

    @property
    def under_way(self) -> list[Decision]:
        return self.of(*UNDER_WAY)

    @property
    def scheduled(self) -> list[Decision]:
        return self.of(DecisionState.SCHEDULED)

    @property
    def asked(self) -> list[Decision]:
        return self.of(DecisionState.AWAITING_SECOND)

    @property
    def being_sent(self) -> list[Decision]:
        return self.of(*OPEN)

    @property
    def failed(self) -> list[Decision]:
        return self.of(*FAILURES)

    @property
    def not_made(self) -> list[Decision]:
        return self.of(*NOT_MADE)

    @property
    def undone(self) -> list[Decision]:
        return self.of(DecisionState.UNDONE)

    @property
    def outcome(self) -> str:
        undone = f", {len(self.undone)} undone" if self.undone else ""
        return f"{len(self.done)} of {len(self.decisions)} decided{undone}"

    @property
    def settled(self) -> int:
        return len(self.decisions) - len(self.under_way)

    @property
    def seconds_left(self) -> int:
        return max((decision.seconds_left for decision in self.scheduled), default=0)


def report_of(batch: UUID) -> Report:
    decisions = Decision.objects.filter(batch=batch).select_related("access_request").defer("facts", "access_request__payload")
    # Of two people who tried again, one was too late: what that one could not do is not what came of it.
    return Report(list(latest_decisions(decisions.order_by("id")).values()))
