"""How statuses of evidence are read: answers may spell them in words, events do not (platform-api 7.18)."""

import pytest

from portal.platform_api.models.audits import AuditEvidence
from portal.platform_api.reference import DEFINITIONS
from tests.platform_api.world import World

SPELLINGS = {
    "Not ready for audit": "NOT_READY_FOR_AUDIT",
    "Ready for audit": "READY_FOR_AUDIT",
    "Accepted": "ACCEPTED",
    "NA": "NA",
    "READY_FOR_AUDIT": "READY_FOR_AUDIT",
    "Something new": "SOMETHING_NEW",
}


@pytest.mark.parametrize("sent", SPELLINGS)
def test_a_status_is_spelled_as_in_events_and_kept_as_it_came(sent: str) -> None:
    read = AuditEvidence.read({"id": "e1", "status": sent})
    assert read.status == SPELLINGS[sent]
    assert read.raw["status"] == sent


def test_evidence_is_accepted_over_the_wire(world: World) -> None:
    audit = next(world.api.audits.all(is_active_audit=True))
    waiting = next(item for item in world.api.audits.evidence.all(audit.id) if item.status == "READY_FOR_AUDIT")
    update = {"auditorEmail": "a@firm.example", "stateTransition": "ACCEPT"}
    assert world.api.audits.evidence.update(audit.id, waiting.id, update).status == "ACCEPTED"


def test_audits_and_documents_have_scopes_of_their_own() -> None:
    for definition in DEFINITIONS:
        first = definition.name.split(".")[0]
        scope = {"audits": "auditor-api.audit", "auditors": "auditor-api.auditor", "documents": "svc-api.documents"}.get(first)
        assert scope is None or definition.area.scope == scope
        assert (first in {"audits", "auditors"}) == definition.endpoint.bucket.startswith(("auditor", "evidence"))
