"""R5 on the desk of audits: whoever refuses what a firm does is named, whichever it is."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.engagements.models import Engagement, EngagementControl, EngagementPart, EvidenceItem, InformationRequest, PartKind
from tests.audits_desk.test_additions import page_of as page_of_audit
from tests.audits_desk.test_additions import typed
from tests.support.refusers import Scene, Sent, Write, press, wrongly_named

pytestmark = pytest.mark.once
NAME_OF = {InformationRequest: "request", EvidenceItem: "evidence", EngagementControl: "control"}
KIND_OF = {InformationRequest: PartKind.REQUEST_COMMENT, EngagementControl: PartKind.CONTROL_COMMENT}


def audit() -> Engagement:
    return Engagement.objects.open().order_by("pk")[0]


def first(scene: Scene, model: type[Any]) -> Any:
    """Find an object that the firm has something to say about."""
    if model is InformationRequest:
        return scene.desk.request()
    if model is EvidenceItem:
        return scene.desk.evidence("READY_FOR_AUDIT")
    return EngagementControl.objects.select_related("engagement").filter(engagement=audit()).order_by("pk")[0]


def at(name: str, row: Any, *more: str) -> str:
    return reverse(f"engagements:{name}", args=["acme", row.engagement.platform_id, row.platform_id, *more])


def comment_on(scene: Scene, model: type[Any]) -> Sent:
    said = {"text": "Please add the list of 2026.", "written_at": timezone.now().isoformat()}
    return at(f"comment_{NAME_OF[model]}", first(scene, model)), said


def own_comment(scene: Scene, model: type[Any]) -> str:
    """Comment, and return the id of what was said."""
    scene.client.post(*comment_on(scene, model))
    return EngagementPart.objects.filter(kind=KIND_OF[model]).order_by("-pk")[0].platform_id


def comments(call: str, model: type[Any]) -> Write:
    return press(call, lambda scene: comment_on(scene, model))


def changed_comment(call: str, model: type[Any]) -> Write:
    def fill(scene: Scene) -> Sent:
        said = own_comment(scene, model)
        return at(f"change_{NAME_OF[model]}_comment", first(scene, model), said), {"text": "Please add both lists."}

    return press(call, fill)


def deleted_comment(call: str, model: type[Any]) -> Write:
    def fill(scene: Scene) -> Sent:
        said = own_comment(scene, model)
        return at(f"delete_{NAME_OF[model]}_comment", first(scene, model), said), {}

    return press(call, fill)


def about(call: str, name: str, model: type[Any], /, **fields: str) -> Write:
    return press(call, lambda scene: (at(name, first(scene, model)), fields))


def adds(call: str, name: str) -> Write:
    return press(call, lambda _: (page_of_audit(audit(), name), typed(name, audit())))


def share(scene: Scene) -> Sent:
    drafts = {"requestsSharedWithCustomer": None}
    scene.desk.change("audits", audit().platform_id, auditorRequestListMetadata=drafts)
    return page_of_audit(audit(), "share_requests"), {}


def assess(scene: Scene) -> Sent:
    row = first(scene, EngagementControl)
    line, *_ = scene.client.get(at("control", row)).context["assessments"][0]
    said = {"state": "IN_PLACE", "justification": "Seen in the configuration."}
    return at("assess_control", row), said | {"segment": line.segment_id, "seen": line.version}


WRITES: dict[str, Write] = {
    "a copy of an audit": adds("audits.duplicate", "duplicate"),
    "sharing the list": press("audits.share_information_requests", share),
    "a request": adds("audits.information_requests.create", "new_request"),
    "end of a request": about("audits.information_requests.delete", "delete_request", InformationRequest),
    "acceptance": about("audits.information_requests.accept_evidence", "accept_request", InformationRequest),
    "a flag": about(
        "audits.information_requests.flag_evidence", "flag_request", InformationRequest, reason="The sample is too small."
    ),
    "evidence": adds("audits.evidence.ask", "request_evidence"),
    "a step with evidence": about("audits.evidence.update", "move_evidence", EvidenceItem, step="ACCEPT"),
    "a control": adds("audits.controls.create", "new_control"),
    "an assessment": press("audits.controls.assess", assess),
    "a comment on a request": comments("audits.information_requests.comments.create", InformationRequest),
    "a changed comment on a request": changed_comment("audits.information_requests.comments.update", InformationRequest),
    "a deleted comment on a request": deleted_comment("audits.information_requests.comments.delete", InformationRequest),
    "a comment on evidence": comments("audits.evidence.comments.create", EvidenceItem),
    "a comment on a control": comments("audits.controls.comments.create", EngagementControl),
    "a changed comment on a control": changed_comment("audits.controls.comments.update", EngagementControl),
    "a deleted comment on a control": deleted_comment("audits.controls.comments.delete", EngagementControl),
}


@pytest.fixture
def scene(client, sandbox, desk, owner) -> Scene:
    return Scene(client, sandbox, desk, owner)


def test_r5_whoever_refuses_something_about_an_audit_is_named(scene):
    assert wrongly_named(scene, WRITES) == []


@pytest.mark.moods
def test_r5_each_refuser_of_everything_about_an_audit_is_named(scene):
    assert wrongly_named(scene, WRITES, is_whole=True) == []
