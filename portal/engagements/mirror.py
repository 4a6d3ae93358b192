"""How audits and what each consists of are fetched, stored and found gone."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from portal.engagements.kinds import AREA, CONTROL, ENGAGEMENT, EVIDENCE, ORGANIZATION, PARTS, REQUEST
from portal.engagements.models import Engagement, EngagementControl, EvidenceItem, InformationRequest, OpenedList, PartKind
from portal.engagements.organization import LISTS
from portal.engagements.services.coverage import covers_audits
from portal.engagements.services.store import mark_parts, store_engagement
from portal.engagements.services.store_details import FetchedDetails, store_control, store_evidence, store_request
from portal.engagements.services.store_lists import FetchedLists, store_lists
from portal.engagements.services.store_organization import FetchedOrganization, store_organization
from portal.platform_api import Page, Platform
from portal.platform_api.errors import NotFound, PermissionRefused, Unavailable, Unreadable
from portal.platform_api.models import audits as remote
from portal.platform_api.models.remote import Listed
from portal.platform_api.paging import Collected, Unread, collect
from portal.sync.copies import mirror_of_copies
from portal.sync.mirrors import Mirror, names_of_rows
from portal.sync.services.drain import problem_of

SNAPSHOT = "_TEST_SNAPSHOT"
"""How the platform's word for a snapshot of a test ends; it begins with the platform's own name."""


def list_audits(client: Platform, cursor: str | None) -> Page[remote.Audit]:
    """Read a page of the audits. Only a grant of an audit firm is asked at all: the pages say so where it is none."""
    return client.audits.all.page(cursor) if covers_audits() else Page([], None)


def fetch_lists(client: Platform, audit_id: str) -> FetchedLists:
    """Read the requests, evidence and controls of one audit."""
    audits, asked_at = client.audits, timezone.now()
    return FetchedLists(
        audit_id,
        asked_at,
        requests=collect(lambda cursor: audits.information_requests.all.page(cursor, audit_id)),
        evidence=collect(lambda cursor: audits.evidence.all.page(cursor, audit_id)),
        controls=collect(lambda cursor: audits.controls.all.page(cursor, audit_id)),
    )


def fetch_organization(client: Platform, audit_id: str) -> FetchedOrganization:
    """Read of the audited organization the lists that somebody waits for."""
    asked_at = timezone.now()
    opened = OpenedList.objects.filter(engagement__platform_id=audit_id)
    wanted = opened.filter(Q(read_at=None) | Q(read_at__lt=F("asked_at"))).values_list("kind", flat=True)
    return FetchedOrganization(audit_id, asked_at, {PartKind(kind): _fetch_list(client, audit_id, kind) for kind in wanted})


def _fetch_list(client: Platform, audit_id: str, kind: str) -> Collected[Any] | None:
    """Read one list; None where the audit has none of this kind, as newer ones have none of the older lists."""
    try:
        return LISTS[PartKind(kind)].fetch(client, audit_id)
    except NotFound:
        return None
    except PermissionRefused as error:
        return Collected([], refusal=error)


def audit_of(model: type[Any], object_id: str) -> str:
    """Return the audit that an object of ours belongs to: the platform asks for it in each address. Raises NotFound."""
    row = model._default_manager.filter(platform_id=object_id).values_list("engagement__platform_id", flat=True).first()
    if row is None:
        raise NotFound("GET", "", message="no audit here has it")
    return str(row)


def fetch_request(client: Platform, request_id: str) -> FetchedDetails:
    """Read one information request with its comments, evidence and history."""
    requests, asked_at = client.audits.information_requests, timezone.now()
    ids = (audit_of(InformationRequest, request_id), request_id)
    evidence = collect(lambda cursor: requests.evidence.all.page(cursor, *ids))
    return FetchedDetails(
        request_id,
        asked_at,
        requests.get(*ids),
        {
            PartKind.REQUEST_COMMENT: collect(lambda cursor: requests.comments.all.page(cursor, *ids)),
            PartKind.REQUEST_EVIDENCE: evidence,
            PartKind.TEST_SNAPSHOT: fetch_snapshots(requests, ids, evidence),
            PartKind.REQUEST_ACTIVITY: collect(lambda cursor: requests.activity.page(cursor, *ids)),
        },
    )


def fetch_snapshots(requests: Any, ids: tuple[str, str], evidence: Collected[remote.RequestEvidence]) -> Collected[Listed]:
    """Read what tests saw, for the pieces of evidence that are snapshots of tests; each by the id of its piece.

    One that is refused, missing or broken may be there again soon: it counts as unread, and what was read of it before stays.
    """
    found, unread = list[Listed](), [*evidence.unread]
    for piece in evidence.items:
        if (piece.evidence_type or "").endswith(SNAPSHOT) and piece.deletion_date is None:
            try:
                snapshot = requests.evidence.test_snapshot(*ids, piece.id)
            except (NotFound, PermissionRefused, Unavailable, Unreadable) as error:
                if isinstance(error, Unavailable) and not error.status:
                    # The platform does not answer at all.
                    raise
                unread.append(Unread(piece.id, problem_of(error)))
                continue
            found.append(Listed.read(snapshot.raw | {"id": piece.id}))
    return Collected(found, tuple(unread), evidence.circle)


def fetch_evidence(client: Platform, evidence_id: str) -> FetchedDetails:
    """Read one evidence item with its comments and files."""
    evidence, asked_at = client.audits.evidence, timezone.now()
    ids = (audit_of(EvidenceItem, evidence_id), evidence_id)
    return FetchedDetails(
        evidence_id,
        asked_at,
        evidence.get(*ids),
        {
            PartKind.EVIDENCE_COMMENT: collect(lambda cursor: evidence.comments.all.page(cursor, *ids)),
            PartKind.EVIDENCE_FILE: collect(lambda cursor: evidence.urls.page(cursor, *ids)),
        },
    )


def fetch_control(client: Platform, control_id: str) -> FetchedDetails:
    """Read the comments on one control; the control itself comes with its audit."""
    comments, asked_at = client.audits.controls.comments, timezone.now()
    ids = (audit_of(EngagementControl, control_id), control_id)
    found = collect(lambda cursor: comments.all.page(cursor, *ids))
    return FetchedDetails(control_id, asked_at, None, {PartKind.CONTROL_COMMENT: found})


def mark_row_gone(model: type[Any], object_id: str) -> bool:
    rows = model._default_manager.filter(platform_id=object_id, gone_at=None)
    return bool(rows.update(gone_at=timezone.now()))


def remove_control(object_id: str) -> bool:
    return bool(EngagementControl.objects.filter(platform_id=object_id).delete()[0])


def has_row(model: type[Any], object_id: str) -> bool:
    return bool(model._default_manager.filter(platform_id=object_id).exists())


def mirror_of_details(
    kind: str, model: type[Any], title: str, *, mark_gone: Callable[[str], bool], unread: tuple[str, ...], **how: Any
) -> Mirror:
    """Describe a kind that its audit lists, and that is fetched by itself when an event names it or somebody opens it."""
    return Mirror(
        kind=kind,
        title=title,
        names=names_of_rows(model, *unread),
        area=AREA,
        mark_gone=mark_gone,
        has=partial(has_row, model),
        identify=lambda fetched: fetched.object_id,
        problem=lambda fetched: fetched.problem,
        **how,
    )


AUDITS = mirror_of_copies(
    ENGAGEMENT,
    Engagement,
    area=AREA,
    unread=("payload", "search"),
    title="Audits",
    fetch=lambda client, audit_id: client.audits.get(audit_id),
    page=list_audits,
    before_save=mark_parts,
    save=store_engagement,
)
MIRRORS = (
    AUDITS,
    Mirror(
        kind=PARTS,
        names=AUDITS.names,
        title="Requests, evidence and controls of audits",
        area=AREA,
        is_bulk=True,
        fetch=fetch_lists,
        save=store_lists,
        # The platform knows no parts of it, so it knows no such audit either.
        mark_gone=AUDITS.mark_gone,
        has=AUDITS.has,
        identify=lambda fetched: fetched.engagement_id,
        problem=lambda fetched: fetched.problem,
    ),
    Mirror(
        kind=ORGANIZATION,
        names=AUDITS.names,
        title="Audited organizations",
        area=AREA,
        is_bulk=True,
        fetch=fetch_organization,
        save=store_organization,
        mark_gone=AUDITS.mark_gone,
        has=AUDITS.has,
        identify=lambda fetched: fetched.engagement_id,
        problem=lambda fetched: fetched.problem,
    ),
    mirror_of_details(
        REQUEST,
        InformationRequest,
        "Information requests",
        fetch=fetch_request,
        save=store_request,
        mark_gone=partial(mark_row_gone, InformationRequest),
        unread=("payload", "search"),
    ),
    mirror_of_details(
        EVIDENCE,
        EvidenceItem,
        "Audit evidence",
        fetch=fetch_evidence,
        save=store_evidence,
        mark_gone=partial(mark_row_gone, EvidenceItem),
        unread=("payload", "search"),
    ),
    mirror_of_details(
        CONTROL,
        EngagementControl,
        "Comments on audit controls",
        fetch=fetch_control,
        save=store_control,
        mark_gone=remove_control,
        unread=("payload",),
    ),
)
