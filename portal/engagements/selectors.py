"""Reads of the desk's pages."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db.models import Count

from portal.audit.services import history
from portal.engagements.kinds import ENGAGEMENT, PARTS
from portal.engagements.models import (
    Engagement,
    EngagementControl,
    EngagementPart,
    EvidenceItem,
    InformationRequest,
    PartKind,
)
from portal.engagements.models.choices import ACTIVITIES, ASSESSMENTS, EVIDENCE_STATUSES, REQUEST_STATUSES
from portal.lib.platform_choices import Pill, pill_of, readable
from portal.lib.unnamed import named
from portal.lib.web_addresses import web_address
from portal.platform_api.models import audits as remote
from portal.sync.models import StaleMark

UPLOADED = "UPLOADED_DOCUMENT"
SOMEBODY = "Someone"
MAX_EVENTS = 50

type Figures = list[tuple[str, str, int]]
"""Label, tone, number."""


def figures_of(engagements: Collection[Engagement]) -> dict[int, tuple[Figures, Figures]]:
    """Count the requests and the evidence of audits by status; of one that was never read nothing is counted."""
    read = [each.pk for each in engagements if each.parts_read_at]
    requests = _counted(InformationRequest, read, REQUEST_STATUSES)
    evidence = _counted(EvidenceItem, read, EVIDENCE_STATUSES)
    return {key: (requests[key], evidence[key]) for key in read}


def _counted(model: type[Any], keys: Collection[int], known: dict[str, Pill]) -> Mapping[int, Figures]:
    found: dict[int, dict[str, int]] = defaultdict(dict)
    if keys:
        rows = model._default_manager.present().filter(engagement__in=keys).order_by()
        for key, status, number in rows.values_list("engagement", "status").annotate(number=Count("pk")):
            found[key][status] = number
    figures: dict[int, Figures] = defaultdict(list)
    for key, numbers in found.items():
        in_order = [each for each in known if each in numbers] + sorted(numbers.keys() - known.keys())
        figures[key] = [(*pill_of(each, known), numbers[each]) for each in in_order]
    return figures


@dataclass(frozen=True)
class Comment:
    """One comment, as the page shows it. Of a deleted one the words are not shown."""

    platform_id: str
    text: str
    author: str
    at: datetime | None
    changed_at: datetime | None
    deleted_at: datetime | None
    payload: dict[str, Any]


@dataclass(frozen=True)
class Piece:
    """One piece of evidence: a file to download through the portal, a link of the customer's, or only words."""

    platform_id: str
    name: str
    type: str
    description: str
    at: datetime | None
    is_deleted: bool
    is_file: bool
    link: str
    snapshot: remote.TestSnapshot | None = None
    """What a test saw, where this is a snapshot of one."""


@dataclass(frozen=True)
class Entry:
    """One entry of a request's history on the platform."""

    title: str
    text: str
    at: datetime | None
    icon: str = "circle-dot"
    tone: str = "muted"


@dataclass(frozen=True)
class Assessed:
    """A control in one segment of the audit, and what the firm holds of it."""

    segment_id: str
    segment: str
    state: str
    pill: Pill
    justification: str

    @property
    def version(self) -> str:
        """Which assessment a form is drawn with."""
        return sha256(json.dumps([self.state, self.justification]).encode()).hexdigest()[:16]


def parts_of(row: Any, kind: PartKind) -> list[EngagementPart]:
    return list(EngagementPart.objects.of(row, kind))


def comments_of(row: Any, kind: PartKind) -> list[Comment]:
    """Return the comments on an object, the oldest first."""
    found = [_comment(part) for part in parts_of(row, kind)]
    return sorted(found, key=lambda each: (each.at is None, each.at))


def _comment(part: EngagementPart) -> Comment:
    said = remote.Comment.read(part.payload)
    return Comment(
        platform_id=part.platform_id,
        text="" if said.deletion_date else said.text,
        author=said.author_name or said.email or SOMEBODY,
        at=said.creation_date,
        changed_at=said.modification_date,
        deleted_at=said.deletion_date,
        payload=part.payload,
    )


def evidence_of(row: InformationRequest) -> list[Piece]:
    """Return the evidence of a request, what was deleted last."""
    snapshots = {part.platform_id: remote.TestSnapshot.read(part.payload) for part in parts_of(row, PartKind.TEST_SNAPSHOT)}
    found = []
    for part in parts_of(row, PartKind.REQUEST_EVIDENCE):
        said = remote.RequestEvidence.read(part.payload)
        is_deleted = said.deletion_date is not None
        found.append(
            Piece(
                platform_id=part.platform_id,
                name=named(said.name),
                type=readable(said.evidence_type or "") or "Evidence",
                description=said.description or "",
                at=said.creation_date,
                is_deleted=is_deleted,
                is_file=is_file(said),
                link="" if is_deleted else web_address(said.url),
                snapshot=None if is_deleted else snapshots.get(part.platform_id),
            )
        )
    return sorted(found, key=lambda each: each.is_deleted)


def is_file(said: remote.RequestEvidence) -> bool:
    """Say whether evidence of a request is a file. The address of any other is the customer's own, where it has one."""
    return said.evidence_type == UPLOADED and not said.deletion_date


def files_of(item: EvidenceItem) -> list[Piece]:
    """Return the files and links of an evidence item."""
    found = []
    for part in parts_of(item, PartKind.EVIDENCE_FILE):
        link = part.payload.get("url")
        found.append(
            Piece(
                platform_id=part.platform_id,
                name=named(part.payload.get("filename") or None),
                type="",
                description="",
                at=None,
                is_deleted=False,
                is_file=part.payload.get("isDownloadable") is not False,
                link=web_address(link if isinstance(link, str) else None),
            )
        )
    return found


def history_of(row: InformationRequest) -> list[Entry]:
    """Tell what happened with a request on the platform and what was done with it here, the newest first."""
    found = [_entry(remote.RequestActivity.read(part.payload)) for part in parts_of(row, PartKind.REQUEST_ACTIVITY)]
    return _newest_first(found + done_here(row, "information_request"))


def done_here(row: Any, kind: str) -> list[Entry]:
    """Tell what was done with an object here, the newest first."""
    return [Entry(f"{each.who}: {each.summary}", "", each.at, "pencil", "info") for each in history(kind, row.platform_id)]


def _newest_first(entries: list[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda each: (each.at is not None, each.at), reverse=True)[:MAX_EVENTS]


def _entry(said: remote.RequestActivity) -> Entry:
    old, new = (pill_of(each, REQUEST_STATUSES, without="")[0] for each in (said.old_status, said.new_status))
    moved = f": {' → '.join(filter(None, (old, new)))}" if new else ""
    title = ACTIVITIES.get(said.type or "", readable(said.type or "") or "Changed")
    return Entry(f"{title}{moved}", " · ".join(filter(None, (said.email, said.reason))), said.creation_date)


def segments_of(engagement: Engagement) -> dict[str, str]:
    """Name the segments of an audit by their ids."""
    said = remote.Audit.read(engagement.payload)
    return {each.id: named(each.display_name) for each in said.segments}


def assessments_of(control: EngagementControl, segments: Mapping[str, str]) -> list[Assessed]:
    """Return what the firm holds of a control, one line for each segment that it is in scope for."""
    said = remote.AuditControl.read(control.payload)
    known = {each.segment_id: each for each in said.assessments if each.segment_id}
    lines = []
    for segment_id in dict.fromkeys([*said.in_scope_segment_ids, *known]):
        found = known.get(segment_id)
        state = (found.assessment_state if found else None) or "NOT_ASSESSED"
        justification = (found.justification or "") if found else ""
        segment = segments.get(segment_id, "Segment without a name")
        lines.append(Assessed(segment_id, segment, state, pill_of(state, ASSESSMENTS), justification))
    return lines


def unread_of(engagement: Engagement, *kinds: str) -> str:
    """Say what of an audit could not be read; empty when nothing."""
    of_kinds = kinds or (ENGAGEMENT, PARTS)
    marks = StaleMark.objects.unreadable().filter(kind__in=of_kinds, object_id=engagement.platform_id)
    return "; ".join(marks.values_list("problem", flat=True))


@dataclass(frozen=True)
class Facts:
    """What the page of an audit says beside its columns."""

    auditors: list[str]
    all_auditors: bool
    organization: str
    focus: str
    segments: list[str]
    is_by_requests: bool
    """It is run by information requests; the others are run by evidence."""
    is_shared: bool
    """The customer sees the information requests; until then they are drafts."""


def facts_of(engagement: Engagement) -> Facts:
    said = remote.Audit.read(engagement.payload)
    return Facts(
        auditors=said.allow_auditor_emails,
        all_auditors=bool(said.allow_all_auditors),
        organization=said.customer_organization_name,
        focus=readable(said.audit_focus or ""),
        segments=[named(each.display_name) for each in said.segments],
        is_by_requests=said.auditor_request_list_metadata is not None,
        is_shared=said.is_shared,
    )
