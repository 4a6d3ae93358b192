"""People whom audits name: auditors, owners, who has commented. Erased when a deletion request asks for it; the rows stay."""

from functools import partial
from typing import Any

from portal.engagements.kinds import AREA
from portal.engagements.models import Engagement, EngagementControl, EngagementPart, EvidenceItem, InformationRequest
from portal.engagements.services.payloads import NAMES
from portal.engagements.services.store import engagement_columns
from portal.engagements.services.store_details import part_columns
from portal.engagements.services.store_lists import control_columns, evidence_columns, request_columns
from portal.page_refresh.services import touch_areas
from portal.platform_api.models import audits as remote
from portal.tenants.mentions import Mentions, register_mentions


def _of_audit(payload: Any) -> dict[str, Any]:
    return engagement_columns(remote.Audit.read(payload))


def _of_request(payload: Any) -> dict[str, Any]:
    return _without_status(request_columns(remote.InformationRequest.read(payload)))


def _of_evidence(payload: Any) -> dict[str, Any]:
    return _without_status(evidence_columns(remote.AuditEvidence.read(payload)))


def _of_control(payload: Any) -> dict[str, Any]:
    return control_columns(remote.AuditControl.read(payload))


def _without_status(columns: dict[str, Any]) -> dict[str, Any]:
    """Leave out what an event may have told since: erasing somebody does not take it back."""
    return {name: value for name, value in columns.items() if name != "status"}


HOLDINGS = (
    ("People named in audits", Engagement, _of_audit),
    ("People named in information requests", InformationRequest, _of_request),
    ("People named in audit evidence", EvidenceItem, _of_evidence),
    ("People named in audit controls", EngagementControl, _of_control),
    ("Comments and history of audits", EngagementPart, part_columns),
)


def register_personal_data() -> None:
    changed = partial(touch_areas, AREA)
    register_mentions(
        (name, Mentions(kind=model, columns_of=columns_of, names=NAMES, changed=changed))
        for name, model, columns_of in HOLDINGS
    )
