"""What the pages of the desk show, over several rows and models."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Min

from portal.access_requests.deadlines import kept_deadlines
from portal.access_requests.documents import resource_titles, summary_of
from portal.access_requests.facts import Knowledge, Marks, knowledge_of
from portal.access_requests.kinds import VIEWER
from portal.access_requests.models import (
    ACTIVE,
    FAILURES,
    AccessRequest,
    Decision,
    DecisionState,
    DeskSettings,
    RuleVerdict,
    Viewer,
    latest_decisions,
)
from portal.access_requests.surroundings import DomainHistory, surroundings_of
from portal.accounts.services import ACCOUNT
from portal.page_refresh.services import cached_by_version
from portal.sync.selectors import kinds_read


@dataclass(frozen=True)
class Waiting:
    """The requests that wait for a person, as every page counts them."""

    number: int
    oldest_at: datetime | None


def waiting_figures() -> Waiting:
    """Count what waits in the tenant in scope, and say since when. Kept: the navigation of every page asks."""
    return cached_by_version("access_requests", "waiting", _waiting_figures)


def _waiting_figures() -> Waiting:
    counted = AccessRequest.objects.waiting().order_by().aggregate(number=Count("id"), oldest=Min("created_at"))
    return Waiting(counted["number"], counted["oldest"])


def two_people_approve() -> bool:
    """Say whether approvals need a second approval in the tenant in scope."""
    return DeskSettings.objects.filter(needs_two_for_approval=True).exists()


@dataclass(frozen=True)
class Row:
    """A request with everything that helps to decide it."""

    request: AccessRequest
    resources: list[str]
    domain: DomainHistory
    viewer: Viewer | None
    """The same person's access, where there is one already."""
    knowledge: Knowledge
    """Its account, the marks of its domain, and what the rules may know."""
    decision: Decision | None = None
    """The one that was made here, is scheduled or is on its way."""
    failure: Decision | None = None
    """The last one, where it did not work out and nobody has decided since, here or there."""
    same_person: int = 0
    """How many other requests of this person wait."""
    due_at: datetime | None = None
    """Until when it should be decided, where the tenant has a deadline."""
    verdict: RuleVerdict | None = None
    """What the rules say to it."""
    read_kinds: frozenset[str] = frozenset()
    """The lists of the platform that were read completely before: nothing else is claimed to be none."""

    @property
    def is_undecided(self) -> bool:
        """Nobody has decided it, here or there, and nobody is about to."""
        return self.request.is_pending and self.decision is None and self.request.gone_at is None

    @property
    def state(self) -> tuple[str, str]:
        """Words and tone: what is known, and how surely."""
        request = self.request
        if request.gone_at:
            return "No longer on the platform", "muted"
        if self.decision and self.decision.is_waiting:
            return self._state_of_waiting(self.decision)
        if self.decision and self.decision.is_open:
            return ("Checking", "warn") if self.decision.state == DecisionState.UNCONFIRMED else ("Being decided", "info")
        if self.failure:
            return self.failure.outcome_words, "bad"
        if request.is_provisional:
            return f"{request.outcome_label}, being confirmed", "info"
        return request.outcome_label, request.tone

    @staticmethod
    def _state_of_waiting(decision: Decision) -> tuple[str, str]:
        if decision.state == DecisionState.AWAITING_SECOND:
            return "Waiting for second approval", "warn"
        return f"{decision.doing}, not sent yet", "info"

    @property
    def scheduled(self) -> Decision | None:
        """What can still be undone by every approver."""
        return self.decision if self.decision and self.decision.state == DecisionState.SCHEDULED else None

    @property
    def asked(self) -> Decision | None:
        """What waits for second approval."""
        return self.decision if self.decision and self.decision.state == DecisionState.AWAITING_SECOND else None

    @property
    def asks(self) -> str:
        return summary_of(self.resources) or self.request.level_label

    @property
    def nda(self) -> tuple[str, str]:
        """Words and tone of this person's own agreement: known by their access, once the list of that was read."""
        if self.viewer:
            return self.viewer.nda
        return ("This person: none" if self.knows_viewers else "This person: not checked yet"), "muted"

    @property
    def knows_viewers(self) -> bool:
        return VIEWER in self.read_kinds

    @property
    def knows_accounts(self) -> bool:
        return ACCOUNT in self.read_kinds


def _viewers_of(requests: Sequence[AccessRequest]) -> dict[str, Viewer]:
    """Return the access that the people of requests have already, by address."""
    addresses = {request.folded_email for request in requests}
    rows = Viewer.objects.present().filter(folded_email__in=addresses).defer("payload", "search")
    return {viewer.folded_email: viewer for viewer in rows}


def rows_of(requests: Sequence[AccessRequest]) -> list[Row]:
    """Add to each request what is known about its documents, its domain and its person; a handful of queries for all."""
    marks = Marks.cached()
    asked = {each for request in requests for each in request.requested_resources or ()}
    titles = marks.documents.titles | resource_titles(asked - marks.documents.titles.keys())
    read_kinds = kinds_read()
    around = surroundings_of(requests, knows_viewers=VIEWER in read_kinds)
    viewers = _viewers_of(requests)
    decisions = Decision.objects.filter(access_request__in=[request.pk for request in requests]).defer("facts").order_by("id")
    last = latest_decisions(each for each in decisions if not each.was_too_late)
    active = {key: each for key, each in last.items() if each.state in ACTIVE}
    failed = {key: each for key, each in last.items() if each.state in FAILURES}
    due_of = kept_deadlines()
    knowledge, verdicts = knowledge_of(requests, marks, around.known), verdicts_of(requests)
    return [
        Row(
            request=request,
            resources=[titles[each] for each in request.requested_resources or ()],
            domain=around.histories.get(request.domain, DomainHistory()),
            viewer=viewers.get(request.folded_email),
            knowledge=knowledge[request.pk],
            decision=active.get(request.pk),
            failure=failed.get(request.pk) if request.is_pending else None,
            same_person=0 if request.pk in active else around.others_of(request),
            due_at=due_of(request),
            verdict=verdicts.get(request.pk),
            read_kinds=read_kinds,
        )
        for request in requests
    ]


def verdicts_of(requests: Sequence[AccessRequest]) -> dict[int, RuleVerdict]:
    """What the rules say to requests that wait; nothing where none applies."""
    waiting = [request.pk for request in requests if request.is_pending]
    rows = RuleVerdict.objects.exclude(rule_id="").filter(access_request__in=waiting) if waiting else ()
    return {row.access_request_id: row for row in rows}


def facts_of(request: AccessRequest) -> dict[str, Any]:
    """What is known about a request at the moment of deciding, without the person's name and address."""
    row = rows_of([request])[0]
    return {
        "company": request.company,
        "domain": request.domain,
        "asked_at": request.created_at.isoformat(),
        "access_level": request.access_level,
        "requested_resources": row.resources,
        "domain_requests": row.domain.requests,
        "domain_approved": row.domain.approved,
        "domain_denied": row.domain.denied,
        "domain_viewers": row.domain.viewers,
        "was_viewer_already": row.viewer is not None,
        "nda": row.nda[0],
        "account": row.knowledge.match.description,
        "known": {name: known.description for name, known in row.knowledge.told.items()},
        "rules": row.knowledge.facts.as_json(),
    }
