"""What a decision about many requests would do, before anybody confirms it; and later what came of each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from portal.access_requests.models import FULL, LEVELS, AccessRequest, Decision, DecisionState
from portal.access_requests.selectors import Row, rows_of

UNDER_WAY = (DecisionState.AWAITING_SECOND, DecisionState.SCHEDULED, DecisionState.SENDING, DecisionState.UNCONFIRMED)
ALARMING = ("warn", "bad")
NOT_MADE = (DecisionState.FAILED, DecisionState.ELSEWHERE, DecisionState.DECLINED)


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
    request = row.request
    if request.access_level in LEVELS and (request.access_level == FULL or request.requested_resources):
        return ""
    return "it names no document, or a level we do not know. Open it and choose what it gets."


def summarise(requests: Sequence[AccessRequest]) -> Summary:
    rows = rows_of(requests)
    return Summary([row for row in rows if row.is_undecided], [(row, why_not(row)) for row in rows if not row.is_undecided])


def why_not(row: Row) -> str:
    if row.request.gone_at:
        return "The platform has no such request any more."
    if row.decision and row.decision.is_waiting:
        return f"{row.decision.decided_by_name} has decided it; it has not been sent yet."
    if row.request.is_pending:
        return "A decision about it is on its way."
    return f"It is {row.request.outcome_label.lower()} already."


@dataclass(frozen=True)
class Report:
    """What came of a batch: the last decision about each request."""

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
    def held(self) -> list[Decision]:
        return self.of(DecisionState.SCHEDULED)

    @property
    def failed(self) -> list[Decision]:
        return self.of(DecisionState.FAILED)

    @property
    def not_made(self) -> list[Decision]:
        return self.of(*NOT_MADE)

    @property
    def undone(self) -> list[Decision]:
        return self.of(DecisionState.UNDONE)

    @property
    def settled(self) -> int:
        return len(self.decisions) - len(self.under_way)

    @property
    def seconds_left(self) -> int:
        return max((decision.seconds_left for decision in self.held), default=0)


def report_of(batch: UUID) -> Report:
    last: dict[int, Decision] = {}
    decisions = Decision.objects.filter(batch=batch).select_related("access_request").defer("facts", "access_request__payload")
    for decision in decisions.order_by("id"):
        last[decision.access_request_id] = decision
    return Report(list(last.values()))
