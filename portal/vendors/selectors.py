"""Reads of the desk's pages."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from portal.audit.services import history
from portal.lib.platform_choices import Pill, pill_of, readable
from portal.lib.unnamed import named
from portal.lib.web_addresses import web_address
from portal.platform_api.models import vendors as remote
from portal.sync.models import StaleMark
from portal.vendors.kinds import PARTS, VENDOR
from portal.vendors.models import Decision, Label, LabelKind, Part, PartKind, Vendor
from portal.vendors.models.choices import ACCEPT, ASSESSMENT_STATUSES, DECISIONS, REMEDIATE, REMEDIATIONS, RISK_STATUSES
from portal.vendors.models.parts import REVIEWS_WITH_DOCUMENTS

ICONS = {
    "vendor.status": ("pencil", "info"),
    "vendor_finding.add": ("plus", "warn"),
    "vendor_finding.change": ("pencil", "info"),
}
NOT_KNOWN = "Not known"
NOBODY = "Unassigned"
MAX_EVENTS = 50


@dataclass(frozen=True)
class Document:
    """One document of a vendor or of one of its reviews. Its file is on the platform."""

    title: str
    type: str
    at: datetime | None


@dataclass(frozen=True)
class Review:
    """One security review or assessment, as the page shows it."""

    title: str
    status: Pill
    decision: Pill
    owner: str
    started_at: datetime | None
    due_at: datetime | None
    completed_at: datetime | None
    notes: str
    documents: list[Document]
    has_documents: bool = False
    """Whether its documents were read at all."""


@dataclass(frozen=True)
class Finding:
    """One finding, as the page shows it."""

    platform_id: str
    content: str
    risk: Pill
    is_accepted: bool
    remediation: Pill | None
    notes: str
    review: str


@dataclass(frozen=True)
class Parts:
    """What belongs to one vendor, in the order of the page."""

    reviews: list[Review]
    assessments: list[Review]
    findings: list[Finding]
    documents: list[Document]


def parts_of(vendor: Vendor) -> Parts:
    """Read all that belongs to a vendor, the latest reviews and assessments first."""
    rows: dict[str, list[Part]] = {kind: [] for kind in PartKind.values}
    for row in Part.objects.filter(vendor=vendor):
        rows[row.kind].append(row)
    reviews = [remote.SecurityReview.read(row.payload) for row in rows[PartKind.REVIEW]]
    assessments = [remote.Assessment.read(row.payload) for row in rows[PartKind.ASSESSMENT]]
    documents: dict[str, list[Document]] = {}
    for row in rows[PartKind.REVIEW_DOCUMENT]:
        documents.setdefault(row.review_id, []).extend(_documents([row]))
    titles = {each.id: review_title(each) for each in reviews}
    return Parts(
        reviews=[
            _review(each, _review_status(each), documents.get(each.id, [] if place < REVIEWS_WITH_DOCUMENTS else None))
            for place, each in enumerate(_latest_first(reviews))
        ],
        assessments=[_review(each, pill_of(each.status, ASSESSMENT_STATUSES)) for each in _latest_first(assessments)],
        findings=[_finding(remote.Finding.read(row.payload), titles) for row in rows[PartKind.FINDING]],
        documents=_documents(rows[PartKind.DOCUMENT]),
    )


def _latest_first[T: (remote.SecurityReview, remote.Assessment)](found: list[T]) -> list[T]:
    def when(each: T) -> str:
        at = each.start_date or each.due_date or each.completion_date
        return at.astimezone(UTC).isoformat() if at else ""

    return sorted(found, key=when, reverse=True)


def review_title(found: remote.SecurityReview | remote.Assessment) -> str:
    return named(found.assessment_type.name) if found.assessment_type else "Security review"


def _review_status(found: remote.SecurityReview) -> Pill:
    """A security review has no status of its own: its dates tell it."""
    if found.completion_date:
        return "Completed", "good"
    return ("In progress", "info") if found.start_date else ("Not started", "muted")


def _review(found: remote.SecurityReview | remote.Assessment, status: Pill, documents: list[Document] | None = None) -> Review:
    notes = found.decision_notes if isinstance(found, remote.SecurityReview) else None
    comments = (found.decision.comments if found.decision else None) or (
        found.comments if isinstance(found, remote.SecurityReview) else None
    )
    return Review(
        title=review_title(found),
        status=status,
        decision=pill_of(found.decision.status if found.decision else "", DECISIONS, without="No decision"),
        owner=_owner(found.owner),
        started_at=found.start_date,
        due_at=found.override_due_date or found.due_date,
        completed_at=found.completion_date,
        notes=" ".join(filter(None, (notes, comments))),
        documents=documents or [],
        has_documents=documents is not None,
    )


def _owner(owner: remote.ReviewOwner | None) -> str:
    """Name who looks after it. A team has no address (specification 2.5)."""
    return NOBODY if owner is None else owner.display_name or owner.email or NOT_KNOWN


def _documents(rows: Iterable[Part]) -> list[Document]:
    """Show the documents that are there: one that was deleted on the platform stays in its list."""
    read = [remote.VendorDocument.read(row.payload) for row in rows]
    return [
        Document(named(each.title or each.file_name), readable(each.type) or "Document", each.updated_date)
        for each in read
        if each.deletion_date is None
    ]


def _finding(found: remote.Finding, titles: dict[str, str]) -> Finding:
    remediation = found.remediation if found.risk_status == REMEDIATE else None
    return Finding(
        platform_id=found.id,
        content=found.content,
        risk=pill_of(found.risk_status, RISK_STATUSES),
        is_accepted=found.risk_status == ACCEPT,
        remediation=pill_of(remediation.state, REMEDIATIONS) if remediation else None,
        notes=(remediation.requirement_notes or "") if remediation else "",
        review=titles.get(found.security_review_id or "", ""),
    )


def unread_of(vendor: Vendor) -> str:
    """Say what of a vendor and its parts could not be read; empty when nothing."""
    marks = StaleMark.objects.unreadable().filter(kind__in=(VENDOR, PARTS), object_id=vendor.platform_id)
    return "; ".join(marks.values_list("problem", flat=True))


def finding_of(row: Part) -> Finding:
    """Return one finding as a page of its own shows it."""
    return _finding(remote.Finding.read(row.payload), {})


def review_options(vendor: Vendor) -> list[tuple[str, str]]:
    """Return the security reviews a finding can belong to, the latest first."""
    rows = Part.objects.filter(vendor=vendor, kind=PartKind.REVIEW)
    reviews = _latest_first([remote.SecurityReview.read(row.payload) for row in rows])
    return [(each.id, " · ".join(filter(None, (review_title(each), _year(each.start_date))))) for each in reviews]


def _year(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d}" if at else ""


def names_of_owners(ids: Collection[str]) -> dict[str, str]:
    """Name owners by their ids; one that nothing names is not known."""
    wanted = {each for each in ids if each}
    rows = Label.objects.filter(kind=LabelKind.USER, platform_id__in=wanted) if wanted else ()
    found = {row.platform_id: row.name for row in rows}
    return {"": NOBODY} | {each: found.get(each, NOT_KNOWN) for each in wanted}


@dataclass(frozen=True)
class Facts:
    """What the page says of a vendor beside its columns."""

    owners: list[tuple[str, str]]
    risk_attributes: list[tuple[str, Pill]]
    unnamed_attributes: int
    remote: remote.Vendor

    @property
    def website(self) -> str:
        return web_address(self.remote.website_url)

    @property
    def amount(self) -> str:
        said = self.remote.contract_amount or {}
        amount, currency = said.get("amount"), said.get("currency")
        return f"{amount:,} {currency}" if isinstance(amount, int | float) and isinstance(currency, str) else ""


def facts_of(vendor: Vendor) -> Facts:
    said = remote.Vendor.read(vendor.payload)
    names = names_of_owners([vendor.security_owner_id, vendor.business_owner_id])
    labels = {
        row.platform_id: row for row in Label.objects.filter(kind=LabelKind.RISK, platform_id__in=said.risk_attribute_ids)
    }
    return Facts(
        owners=[
            ("Security owner", names[vendor.security_owner_id]),
            ("Business owner", names[vendor.business_owner_id]),
        ],
        risk_attributes=[(row.name, row.risk_pill) for row in labels.values()],
        unnamed_attributes=len(set(said.risk_attribute_ids) - labels.keys()),
        remote=said,
    )


def events_of(vendor: Vendor) -> list[dict[str, Any]]:
    """Tell what was decided about a vendor and what was done with it here, newest first."""
    decisions = Decision.objects.filter(vendor=vendor)[:MAX_EVENTS]
    events = [_decided(each, is_awaited=vendor.is_provisional) for each in decisions]
    for entry in history(VENDOR, vendor.platform_id):
        icon, tone = ICONS.get(entry.action, ("circle-dot", "muted"))
        events.append({"title": f"{entry.who}: {entry.summary}", "at": entry.at, "icon": icon, "tone": tone})
    return sorted(events, key=lambda each: each["at"], reverse=True)[:MAX_EVENTS]


def _decided(row: Decision, *, is_awaited: bool) -> dict[str, Any]:
    """Tell of a decision where it came from: an event is a hint until a fetch shows the same.

    `is_awaited`: that fetch is still to come. One that was fetched over since, nobody confirms any more.
    """
    told = "Received by webhook" if row.told_at else "Found when the vendor was synced"
    if row.told_at and (row.confirmed_at or is_awaited):
        told += ", confirmed by the platform" if row.confirmed_at else ", confirming"
    return {
        "title": f"Decision: {row.pill[0]}",
        "text": " · ".join(filter(None, (row.comments, told))),
        "at": row.decided_at or row.told_at or row.confirmed_at,
        "icon": "scale",
        "tone": row.pill[1],
    }
