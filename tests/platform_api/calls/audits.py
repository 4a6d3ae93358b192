"""Calls of audits."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from tests.platform_api.calls.compliance import AT, UNKNOWN
from tests.platform_api.world import World

LATER = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)
AUDITOR = "a@firm.example"
COMMENT: dict[str, Any] = {"text": "Why?", "email": AUDITOR, "creation_date": AT}


def chain(world: World, *kinds: str) -> tuple[str, ...]:
    """Return the ids from an audit down to the newest object of the last kind."""
    found = [world.id_of(kinds[-1])]
    for kind in reversed(kinds):
        found.insert(0, world.sandbox.objects.parent_of(world.tenant.id, kind, found[0]) or "")
    return tuple(found)


def audit(world: World) -> str:
    return world.id_of("audits")


def control(world: World) -> tuple[str, str]:
    audit_id, control_id = chain(world, "audit-controls")
    return audit_id, control_id


def control_comment(world: World) -> tuple[str, str, str]:
    audit_id, control_id, comment_id = chain(world, "audit-controls", "audit-control-comments")
    return audit_id, control_id, comment_id


def evidence(world: World) -> tuple[str, str]:
    audit_id, evidence_id = chain(world, "audit-evidence")
    return audit_id, evidence_id


def evidence_comment(world: World) -> tuple[str, str, str]:
    audit_id, evidence_id, comment_id = chain(world, "audit-evidence", "evidence-comments")
    return audit_id, evidence_id, comment_id


def request(world: World) -> tuple[str, str]:
    """Return an audit and its newest request, which the customer has submitted."""
    audit_id, request_id = chain(world, "information-requests")
    return audit_id, request_id


def request_comment(world: World) -> tuple[str, str, str]:
    audit_id, request_id, comment_id = chain(world, "information-requests", "request-comments")
    return audit_id, request_id, comment_id


def request_evidence(world: World) -> tuple[str, str, str]:
    audit_id, request_id, evidence_id = chain(world, "information-requests", "request-evidence")
    return audit_id, request_id, evidence_id


CALLS: dict[str, Callable[[World], Any]] = {
    "auditors.create": lambda w: w.api.auditors.create(email=AUDITOR, given_name="Ada", family_name="Berg"),
    "audits.all": lambda w: w.api.audits.all.page(None, is_active_audit=True, changed_since_date=AT),
    "audits.get": lambda w: w.api.audits.get(audit(w)),
    "audits.duplicate": lambda w: w.api.audits.duplicate(
        audit(w),
        display_name="Next year",
        audit_start_date=AT,
        audit_end_date=LATER,
        early_access_starts_at=AT,
        allow_auditor_emails=[AUDITOR],
    ),
    "audits.comments": lambda w: w.api.audits.comments.page(None, audit(w)),
    "audits.framework_codes": lambda w: w.api.audits.framework_codes(audit(w)),
    "audits.share_information_requests": lambda w: w.api.audits.share_information_requests(audit(w)),
    "audits.controls.all": lambda w: w.api.audits.controls.all.page(None, audit(w), external_id_matches_any=["A1.2"]),
    "audits.controls.create": lambda w: w.api.audits.controls.create(
        audit(w), external_id="X-1", name=None, description="", effective_date=AT, category="RISK_MANAGEMENT"
    ),
    "audits.controls.information_requests": lambda w: w.api.audits.controls.information_requests.page(None, *control(w)),
    "audits.controls.assess": lambda w: w.api.audits.controls.assess(
        *control(w), assessment_state="IN_PLACE", justification="Seen", auditor_email=AUDITOR
    ),
    "audits.controls.comments.all": lambda w: w.api.audits.controls.comments.all.page(None, *control(w)),
    "audits.controls.comments.create": lambda w: w.api.audits.controls.comments.create(*control(w), **COMMENT),
    "audits.controls.comments.update": lambda w: w.api.audits.controls.comments.update(
        *control_comment(w), text="Good.", email=AUDITOR
    ),
    "audits.controls.comments.delete": lambda w: w.api.audits.controls.comments.delete(*control_comment(w), email=AUDITOR),
    "audits.evidence.all": lambda w: w.api.audits.evidence.all.page(None, audit(w)),
    "audits.evidence.get": lambda w: w.api.audits.evidence.get(*evidence(w)),
    "audits.evidence.update": lambda w: w.api.audits.evidence.update(
        *evidence(w), {"auditorEmail": AUDITOR, "stateTransition": "ACCEPT"}
    ),
    "audits.evidence.urls": lambda w: w.api.audits.evidence.urls.page(None, *evidence(w)),
    "audits.evidence.ask": lambda w: w.api.audits.evidence.ask(
        control(w)[0],
        control_ids=[control(w)[1]],
        title="Contracts",
        description="All",
        cadence="P1Y",
        reminder_window="P1M",
        is_restricted=False,
        auditor_email=AUDITOR,
    ),
    "audits.evidence.comments.all": lambda w: w.api.audits.evidence.comments.all.page(None, *evidence(w)),
    "audits.evidence.comments.create": lambda w: w.api.audits.evidence.comments.create(*evidence(w), **COMMENT),
    "audits.evidence.comments.get": lambda w: w.api.audits.evidence.comments.get(*evidence_comment(w)),
    "audits.information_requests.all": lambda w: w.api.audits.information_requests.all.page(
        None, audit(w), changed_since_date=AT
    ),
    "audits.information_requests.create": lambda w: w.api.audits.information_requests.create(
        audit(w),
        unique_id="N-1",
        title="More",
        request_type="SAMPLE",
        framework_codes=["CC6.1"],
        due_date=LATER,
        cadence=None,
    ),
    "audits.information_requests.get": lambda w: w.api.audits.information_requests.get(*request(w)),
    "audits.information_requests.update": lambda w: w.api.audits.information_requests.update(*request(w), due_date=None),
    "audits.information_requests.delete": lambda w: w.api.audits.information_requests.delete(*request(w)),
    "audits.information_requests.accept_evidence": lambda w: w.api.audits.information_requests.accept_evidence(
        *request(w), auditor_email=AUDITOR
    ),
    "audits.information_requests.flag_evidence": lambda w: w.api.audits.information_requests.flag_evidence(
        *request(w), auditor_email=AUDITOR, reason="Incomplete"
    ),
    "audits.information_requests.activity": lambda w: w.api.audits.information_requests.activity.page(None, *request(w)),
    "audits.information_requests.comments.all": lambda w: w.api.audits.information_requests.comments.all.page(
        None, *request(w)
    ),
    "audits.information_requests.comments.create": lambda w: w.api.audits.information_requests.comments.create(
        *request(w), **COMMENT
    ),
    "audits.information_requests.comments.get": lambda w: w.api.audits.information_requests.comments.get(*request_comment(w)),
    "audits.information_requests.comments.update": lambda w: w.api.audits.information_requests.comments.update(
        *request_comment(w), text="Good.", email=AUDITOR
    ),
    "audits.information_requests.comments.delete": lambda w: w.api.audits.information_requests.comments.delete(
        *request_comment(w), email=AUDITOR
    ),
    "audits.information_requests.evidence.all": lambda w: w.api.audits.information_requests.evidence.all.page(
        None, *request(w), evidence_type_matches_any=["LINK", "OBSERVATION"]
    ),
    "audits.information_requests.evidence.get": lambda w: w.api.audits.information_requests.evidence.get(*request_evidence(w)),
    "audits.information_requests.evidence.test_snapshot": lambda w: w.api.audits.information_requests.evidence.test_snapshot(
        *request_evidence(w)
    ),
}

MISSING: dict[str, Callable[[World], Any]] = {
    "audits.get": lambda w: w.api.audits.get(UNKNOWN),
    "audits.framework_codes": lambda w: w.api.audits.framework_codes(UNKNOWN),
    "audits.controls.comments.update": lambda w: w.api.audits.controls.comments.update(
        *control(w), UNKNOWN, text="x", email=AUDITOR
    ),
    "audits.evidence.get": lambda w: w.api.audits.evidence.get(audit(w), UNKNOWN),
    "audits.evidence.comments.get": lambda w: w.api.audits.evidence.comments.get(*evidence(w), UNKNOWN),
    "audits.information_requests.get": lambda w: w.api.audits.information_requests.get(audit(w), UNKNOWN),
    "audits.information_requests.comments.get": lambda w: w.api.audits.information_requests.comments.get(*request(w), UNKNOWN),
    "audits.information_requests.evidence.test_snapshot": lambda w: w.api.audits.information_requests.evidence.test_snapshot(
        *request(w), UNKNOWN
    ),
}
