"""What is known about requests besides what they say: looked up for many at once, for pages, for rules and for the dry run."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from portal.access_requests.models import (
    PARTIAL,
    AccessRequest,
    ListedDomain,
    ListKind,
    Outcome,
    SensitiveDocument,
)
from portal.access_requests.rulebook import AccountMatch, Facts
from portal.accounts.account_facts import CONTRACTS, AccountFacts, facts_for_accounts
from portal.accounts.selectors import Match, matches_by_domain
from portal.calendars.office_time import OfficeTime
from portal.calendars.selectors import office_time
from portal.lib import free_mail as providers
from portal.lib.unnamed import named
from portal.page_refresh.services import cached_by_version
from portal.trust_center.models import Resource

NOBODY = Match(())
type Mark = tuple[str, str, str]
"""Words, tone, and what stands behind them."""


@dataclass(frozen=True)
class Documents:
    """The Trust Center's documents, and which of them the tenant has marked as sensitive."""

    titles: dict[str, str]
    private: frozenset[str]
    """All that access can be given to: those that are public anybody has."""
    sensitive: frozenset[str]

    def asked(self, request: AccessRequest) -> frozenset[str]:
        """Return what a request asks for; everything that is not public, if it asks for everything."""
        if request.access_level == PARTIAL:
            return frozenset(request.requested_resources or ())
        return self.private

    def harmless(self, request: AccessRequest) -> frozenset[str]:
        return (self.asked(request) & self.titles.keys()) - self.sensitive


@dataclass(frozen=True)
class Knowledge:
    """What is known about one request."""

    facts: Facts
    match: Match = NOBODY
    told: dict[str, AccountFacts] = field(default_factory=dict)
    """What the desks know of its account."""
    block: ListedDomain | None = None
    sensitive: frozenset[str] = frozenset()
    """The titles of what is asked for and marked as sensitive."""

    @property
    def marks(self) -> list[Mark]:
        """What somebody who decides has to see at once."""
        return [*self._marks_of_domain(), *self._marks_of_account()]

    def _marks_of_domain(self) -> list[Mark]:
        found: list[Mark] = []
        if self.block:
            found.append(("Blocked", "bad", self.block.why or f"{self.block.listed_by_name} blocked {self.block}"))
        if self.facts.is_free_mail:
            words = "Disposable email" if providers.is_disposable(self.facts.domain) else "Free mail"
            found.append((words, "warn", "Anyone can get an address there, so it says nothing about a company"))
        if self.facts.is_sensitive:
            found.append(("Sensitive", "warn", ", ".join(sorted(self.sensitive)) or "A document marked as sensitive"))
        return found

    def _marks_of_account(self) -> list[Mark]:
        if self.match.is_ambiguous:
            return [(f"{len(self.match.accounts)} accounts", "warn", f"The domain belongs to {self.match.description}")]
        if self.match.account is None:
            return []
        nda, tone = self.match.account.nda
        found: list[Mark] = [
            (str(self.match.account), "info", "The account with this domain"),
            (nda, tone, "Not this person's own NDA"),
        ]
        contracts = self.told.get(CONTRACTS)
        return [*found, ("Contract", "good", contracts.description)] if contracts else found


@dataclass(frozen=True)
class Marks:
    """What a tenant has marked itself: domains, and documents. Rules go by it."""

    listed: "Listed"
    documents: Documents

    @classmethod
    def load(cls) -> "Marks":
        return cls(Listed.load(), documents_known())

    @classmethod
    def cached(cls) -> "Marks":
        """Return them as pages show them: they change rarely, and the documents of a Trust Center are many."""
        return cached_by_version("access_requests", "marks", cls.load)


type Approvals = dict[str, list[datetime]]


@dataclass(frozen=True)
class Domains:
    """What is known about the mail domains that requests come from."""

    matches: dict[str, Match]
    told: dict[str, dict[str, AccountFacts]]
    """What the desks know of their accounts."""
    approvals: Approvals
    """Not of free-mail domains: most requests are of those, and they are no company that was approved before."""

    @classmethod
    def load(cls, domains: set[str]) -> "Domains":
        matches = matches_by_domain(domains)
        account_ids = {match.account.platform_id for match in matches.values() if match.account}
        of_companies = {domain for domain in domains if not providers.is_free_mail(domain)}
        return cls(matches, facts_for_accounts(account_ids, among={CONTRACTS}), approvals_of(of_companies))

    def add(self, more: "Domains") -> None:
        """Take in what was looked up about other domains."""
        self.matches.update(more.matches)
        self.told.update(more.told)
        self.approvals.update(more.approvals)


def knowledge_of(
    requests: Sequence[AccessRequest], marks: Marks | None = None, known: Domains | None = None
) -> dict[int, Knowledge]:
    """Look up what is known about requests, by their primary keys; a handful of queries for all.

    With `marks` as it would be if the tenant had marked those, and not what it has. `known` spares looking up their domains.
    """
    marks = marks or Marks.load()
    listed, documents = marks.listed, marks.documents
    domains = {request.domain for request in requests} - {""}
    known = known or Domains.load(domains)
    hours = office_time()
    # Once for each domain: the thousands of requests of a dry run come from far fewer.
    blocks = {domain: listed.block_of(domain) for domain in domains}
    free_mail = {domain for domain in domains if listed.is_free_mail(domain)}
    found = {}
    for request in requests:
        match = known.matches.get(request.domain, NOBODY)
        block, is_free_mail = blocks.get(request.domain), request.domain in free_mail
        sensitive = documents.asked(request) & documents.sensitive
        account_told = known.told.get(match.account.platform_id, {}) if match.account else {}
        facts = Facts(
            domain=request.domain,
            asked_at=request.created_at.isoformat(),
            access_level=request.access_level,
            is_free_mail=is_free_mail,
            is_blocked=block is not None,
            **account_facts(match, account_told),
            in_office_hours=is_open(hours, request.created_at),
            is_sensitive=bool(sensitive),
            asks_unknown=asks_unknown(documents, request),
            has_harmless=bool(documents.harmless(request)),
            approved_before=0 if is_free_mail else approved_before(known.approvals, request),
        )
        titles = frozenset(documents.titles[each] for each in sensitive if each in documents.titles)
        found[request.pk] = Knowledge(facts, match, account_told, block, titles)
    return found


def account_facts(match: Match, told: dict[str, AccountFacts]) -> dict[str, Any]:
    """Write down whose domain it is; of several accounts nothing else is a fact."""
    if match.account is None:
        return {"account": AccountMatch.SEVERAL if match.is_ambiguous else AccountMatch.NONE}
    return {
        "account": AccountMatch.ONE,
        "account_id": match.account.platform_id,
        "account_nda": match.account.nda_status,
        "has_contract": CONTRACTS in told,
    }


def asks_unknown(documents: Documents, request: AccessRequest) -> bool:
    asked = documents.asked(request)
    return not asked <= documents.titles.keys() or (request.access_level == PARTIAL and not asked)


def documents_known() -> Documents:
    rows = list(Resource.objects.present().values_list("platform_id", "title", "is_public"))
    return Documents(
        titles={platform_id: named(title) for platform_id, title, _ in rows},
        private=frozenset(platform_id for platform_id, _, is_public in rows if not is_public),
        sensitive=frozenset(SensitiveDocument.objects.values_list("resource_id", flat=True)),
    )


@dataclass(frozen=True)
class Listed:
    """The domains that a tenant has marked. A mark is also good for what is below the domain."""

    rows: dict[tuple[str, str], ListedDomain]

    @classmethod
    def load(cls) -> "Listed":
        return cls({(row.kind, row.domain): row for row in ListedDomain.objects.all()})

    def with_row(self, row: ListedDomain) -> "Listed":
        return Listed(self.rows | {(row.kind, row.domain): row})

    def without(self, row: ListedDomain) -> "Listed":
        return Listed({key: kept for key, kept in self.rows.items() if key != (row.kind, row.domain)})

    def block_of(self, domain: str) -> ListedDomain | None:
        return next(filter(None, (self.rows.get((ListKind.BLOCKED, each)) for each in upwards(domain))), None)

    def is_free_mail(self, domain: str) -> bool:
        return providers.is_free_mail(domain) or any((ListKind.FREE_MAIL, each) in self.rows for each in upwards(domain))


def upwards(domain: str) -> Iterable[str]:
    """Walk a domain and those above it: eu.mail.example, mail.example, example."""
    labels = domain.split(".")
    return (".".join(labels[start:]) for start in range(len(labels)))


def is_open(hours: OfficeTime, at: datetime) -> bool:
    """Say whether the office was open at a moment."""
    opening = hours.opening_on(at.astimezone(hours.zone).date())
    return opening is not None and opening[0] <= at < opening[1]


BATCH = 500


def approvals_of(domains: set[str]) -> Approvals:
    """When requests of these domains were approved, in order."""
    found: Approvals = defaultdict(list)
    rows = AccessRequest.objects.present().filter(outcome=Outcome.APPROVED).order_by("updated_at")
    if len(domains) <= BATCH:
        rows = rows.filter(domain__in=domains)
    for domain, at in rows.values_list("domain", "updated_at").iterator(BATCH):
        if domain in domains:
            found[domain].append(at)
    return found


def approved_before(approvals: Approvals, request: AccessRequest) -> int:
    """Count the approvals of a domain before this request was decided; all of them while it is not."""
    moments = approvals.get(request.domain, [])
    return len(moments) if request.is_pending else bisect_left(moments, request.updated_at)
