"""What the pages of the desk show, over several rows and models."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from portal.access_requests.models import ACTIVE, AccessRequest, Decision, DecisionState, Outcome, Resource, Viewer
from portal.audit.services import history
from portal.connections.services import connection_of_tenant
from portal.sync.models import Run, RunState

ICONS = {
    "access_request.approve": ("check", "good"),
    "access_request.deny": ("x", "bad"),
    "access_request.too_late": ("clock-alert", "warn"),
}


def pending_count() -> int:
    return AccessRequest.objects.present().pending().count()


@dataclass(frozen=True)
class DomainHistory:
    """What a mail domain has asked for and got so far."""

    requests: int = 0
    approved: int = 0
    denied: int = 0
    viewers: int = 0

    @property
    def words(self) -> str:
        """Everything from this domain, this request included."""
        parts = [
            f"{self.requests} request{'' if self.requests == 1 else 's'}",
            f"{self.approved} approved" if self.approved else "",
            f"{self.denied} denied" if self.denied else "",
            f"{self.viewers} with access" if self.viewers else "",
        ]
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True)
class Row:
    """A request with everything that helps to decide it."""

    request: AccessRequest
    resources: list[str]
    domain: DomainHistory
    viewer: Viewer | None
    """The same person's access, where there is one already."""
    decision: Decision | None = None
    """The one that was made here, or is on its way."""

    @property
    def is_undecided(self) -> bool:
        """Nobody has decided it, here or there, and nobody is about to."""
        return self.request.is_pending and self.decision is None and self.request.gone_at is None

    @property
    def state(self) -> tuple[str, str]:
        """Words and tone: what is known, and how surely."""
        request = self.request
        if request.gone_at:
            return "Gone on the platform", "muted"
        if self.decision and self.decision.is_open:
            return ("Checking", "warn") if self.decision.state == DecisionState.UNCONFIRMED else ("Being decided", "info")
        if request.is_provisional:
            return f"{request.outcome_label}, being confirmed", "info"
        return request.outcome_label, request.tone

    @property
    def asks(self) -> str:
        return summary_of(self.resources) or self.request.level_label

    @property
    def nda(self) -> tuple[str, str]:
        """Words and tone of the agreement of this person."""
        return self.viewer.nda if self.viewer else ("No NDA on record", "muted")


def rows_of(requests: Sequence[AccessRequest]) -> list[Row]:
    """Add to each request what is known about its documents, its domain and its person; a handful of queries for all."""
    titles = resource_titles({each for request in requests for each in request.requested_resources or ()})
    domains = domain_histories({request.domain for request in requests})
    addresses = {request.folded_email for request in requests}
    viewers = {viewer.folded_email: viewer for viewer in Viewer.objects.present().filter(folded_email__in=addresses)}
    decisions = Decision.objects.filter(access_request__in=[request.pk for request in requests], state__in=ACTIVE)
    active = {decision.access_request_id: decision for decision in decisions}
    return [
        Row(
            request=request,
            resources=[titles[each] for each in request.requested_resources or ()],
            domain=domains.get(request.domain, DomainHistory()),
            viewer=viewers.get(request.folded_email),
            decision=active.get(request.pk),
        )
        for request in requests
    ]


def summary_of(titles: Sequence[str]) -> str:
    """Name the first documents of a list and count the others; nothing for an empty list."""
    shown, others = list(titles[:2]), len(titles) - 2
    return " and ".join([", ".join(shown), f"{others} more"]) if others > 0 else ", ".join(shown)


def resource_titles(resource_ids: Iterable[str]) -> dict[str, str]:
    """Name documents; one that is not known here keeps its id, so that nobody grants it unseen."""
    wanted = set(resource_ids)
    known = dict(Resource.objects.filter(platform_id__in=wanted).values_list("platform_id", "title"))
    return {each: known.get(each) or f"Unknown document {each}" for each in wanted}


def domain_histories(domains: Iterable[str]) -> dict[str, DomainHistory]:
    wanted = {domain for domain in domains if domain}
    viewers = dict(_by_domain(Viewer.objects.present(), wanted).annotate(number=Count("id")).values_list("domain", "number"))
    requests = _by_domain(AccessRequest.objects.present(), wanted).annotate(
        number=Count("id"),
        approved=Count("id", filter=Q(outcome=Outcome.APPROVED)),
        denied=Count("id", filter=Q(outcome=Outcome.DENIED)),
    )
    return {
        row["domain"]: DomainHistory(row["number"], row["approved"], row["denied"], viewers.get(row["domain"], 0))
        for row in requests
    }


def _by_domain(rows: Any, domains: set[str]) -> Any:
    return rows.filter(domain__in=domains).order_by().values("domain")


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
    }


def events_of(request: AccessRequest) -> list[dict[str, Any]]:
    """What happened to a request, newest first."""
    events = []
    for entry in history("access_request", request.platform_id[:100]):
        icon, tone = ICONS.get(entry.action, ("globe", "info"))
        events.append({"title": f"{entry.who}: {entry.summary}", "text": "", "at": entry.at, "icon": icon, "tone": tone})
    events.append({"title": "Asked for access", "text": "", "at": request.created_at, "icon": "key-round", "tone": "muted"})
    return events


@dataclass(frozen=True)
class Readiness:
    """Whether the desk can show and decide requests, and if not, what is missing."""

    is_connected: bool
    was_connected: bool
    has_trust_center: bool
    is_fetching: bool
    problem: str


def readiness(kind: str) -> Readiness:
    """Say what stands between the tenant and its requests or viewers."""
    connection = connection_of_tenant()
    run = Run.objects.filter(kind=kind).first()
    is_connected = connection is not None and connection.is_active
    has_problem = is_connected and run is not None and run.state in (RunState.BLOCKED, RunState.FAILED)
    return Readiness(
        is_connected=is_connected,
        was_connected=connection is not None and connection.connected_at is not None,
        has_trust_center=bool(connection and connection.slug_id),
        is_fetching=is_connected and (run is None or (run.is_first and not has_problem)),
        problem=run.error if run and has_problem else "",
    )


def choosable_resources(also: Iterable[str] = ()) -> list[tuple[str, str]]:
    """The documents that access can be granted to: first those that were asked for, then those that are not public anyway."""
    asked = set(also)
    private = Resource.objects.present().filter(is_public=False).exclude(platform_id__in=asked)
    wanted = sorted(resource_titles(asked).items(), key=lambda pair: pair[1].casefold())
    return [*wanted, *private.values_list("platform_id", "title")]


def viewer_rows(viewers: Sequence[Viewer]) -> list[tuple[Viewer, list[str], str]]:
    """Give each viewer with the names of the documents that the person may see, and in few words what that is."""
    titles = resource_titles({each for viewer in viewers for each in viewer.resource_ids or ()})
    rows = []
    for viewer in viewers:
        documents = [titles[each] for each in viewer.resource_ids or ()]
        rows.append((viewer, documents, summary_of(documents) or viewer.level_label))
    return rows


def next_pending(request: AccessRequest) -> AccessRequest | None:
    """Return the request that has waited longest beside this one."""
    return AccessRequest.objects.present().pending().exclude(pk=request.pk).order_by("created_at", "id").first()
