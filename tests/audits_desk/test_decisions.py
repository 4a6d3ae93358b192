"""The firm's word about requests, evidence and controls: who may give it, what is sent, and what becomes of a lost answer."""

import re

import pytest
from django.core.exceptions import PermissionDenied
from django.utils.html import escape

from portal.audit.models import Entry
from portal.connections.error_messages import TITLES
from portal.connections.models import Connection, State
from portal.engagements.errors import AlreadyDecided
from portal.engagements.models import EngagementControl, EngagementPart, EvidenceItem, InformationRequest
from portal.engagements.services import accept_request, assess_control, flag_request, move_evidence
from portal.platform_api.errors import Party
from portal.sync.models import StaleMark
from portal.tenants.models import Role
from tests.audits_desk.conftest import PAGE
from tests.support.members import find_member

pytestmark = pytest.mark.once
POLLED = {"HX-Request": "true", "Seen": "0"}


def page_of(row: object, tab: str = "requests") -> str:
    return f"{PAGE}{row.engagement.platform_id}/{tab}/{row.platform_id}/"


def status_there(desk, row) -> str:
    kind, name = (
        ("information-requests", "approvalStatus") if isinstance(row, InformationRequest) else ("audit-evidence", "status")
    )
    return str(desk.there(kind)[row.platform_id][name])


@pytest.mark.both
def test_an_approver_approves_a_request_and_others_do_not(client, desk, row, member):
    analyst, approver = member(Role.ANALYST), member(Role.APPROVER)
    client.force_login(analyst)
    assert 'data-open-dialog="accept"' not in client.get(page_of(row)).content.decode()
    assert client.post(f"{page_of(row)}accept/").status_code == 403
    assert status_there(desk, row) == "READY_FOR_AUDIT"
    client.force_login(approver)
    assert 'data-open-dialog="accept"' in client.get(page_of(row)).content.decode()
    client.post(f"{page_of(row)}accept/")
    assert status_there(desk, row) == "AUDITOR_APPROVED"
    row.refresh_from_db()
    assert (row.status, row.is_provisional) == ("AUDITOR_APPROVED", False)
    [entry] = Entry.objects.filter(action="information_request.accept", target_id=row.platform_id)
    assert entry.actor == approver
    activity = desk.of(row, "request-activity")
    assert approver.email in [each["email"] for each in activity], "in the member's own name"


def test_a_request_is_flagged_with_a_reason_only(client, owner, desk, row):
    client.post(f"{page_of(row)}flag/", {"reason": " "})
    assert (desk.calls("POST", "/flag-evidence"), status_there(desk, row)) == ([], "READY_FOR_AUDIT")
    client.post(f"{page_of(row)}flag/", {"reason": "The sample is too small.\r\nSend all of it."})
    row.refresh_from_db()
    assert (row.status, status_there(desk, row)) == ("AUDITOR_FLAGGED", "AUDITOR_FLAGGED")
    assert "The sample is too small.\nSend all of it." in [each["reason"] for each in desk.of(row, "request-activity")]
    assert Entry.objects.filter(action="information_request.flag", target_id=row.platform_id).count() == 1


def test_pressed_twice_it_is_sent_once(client, owner, desk, row):
    client.post(f"{page_of(row)}accept/")
    said = client.post(f"{page_of(row)}accept/", follow=True).content.decode()
    assert "Its status has changed" in said
    assert len(desk.calls("POST", "/accept-evidence")) == 1
    assert Entry.objects.filter(action="information_request.accept").count() == 1


@pytest.mark.parametrize("state", [State.ACTIVE, State.DISCONNECTED])
def test_the_services_themselves_ask_for_the_role_before_anything_else(desk, row, item, member, scoped, state):
    Connection.objects.update(state=state)
    analyst = find_member(tenant=scoped, user=member(Role.ANALYST))
    control = EngagementControl.objects.select_related("engagement")[0]
    for act in (
        lambda: accept_request(row, member=analyst),
        lambda: flag_request(row, "No.", member=analyst),
        lambda: move_evidence(item, "ACCEPT", member=analyst),
        lambda: assess_control(control, "s", "IN_PLACE", "Seen.", seen="", member=analyst),
    ):
        with pytest.raises(PermissionDenied):
            act()
    assert not Entry.objects.filter(target_kind__in=["information_request", "audit_evidence", "audit_control"]).exists()


def test_w1_a_decision_whose_answer_was_lost_is_settled_by_looking(client, owner, desk, row):
    path = "/v1/audits/*/information-requests/*"
    desk.sandbox.fail("drop_answer", method="POST", path=f"{path}/accept-evidence", times=1)
    client.post(f"{page_of(row)}accept/")
    row.refresh_from_db()
    assert (row.status, len(desk.calls("POST", "/accept-evidence"))) == ("AUDITOR_APPROVED", 1)
    # Neither the write nor the look after it is answered: nothing is claimed, and the request is looked at again.
    other = desk.request()
    StaleMark.objects.all().delete()
    desk.sandbox.fail("drop_answer", method="POST", path=f"{path}/accept-evidence", times=1)
    desk.sandbox.fail("status", method="GET", path=path, value=503, times=9)
    said = client.post(f"{page_of(other)}accept/", follow=True).content.decode()
    assert "We could not confirm it and are checking" in said
    other.refresh_from_db()
    assert other.status == "READY_FOR_AUDIT"
    assert StaleMark.objects.due().filter(kind="information_request", object_id=other.platform_id).exists()
    assert Entry.objects.filter(action="information_request.accept").count() == 1


def test_what_the_customer_took_back_meanwhile_is_refused_and_read_again(client, owner, desk, row):
    desk.move_request(row, "take back")
    said = client.post(f"{page_of(row)}accept/", follow=True).content.decode()
    assert "The platform rejected this" in said
    assert "It was sent as alice@acme.example" in said, "it says what the platform may have against it"
    desk.drain()
    row.refresh_from_db()
    assert row.status == "NEEDS_EVIDENCE"
    assert not Entry.objects.filter(action="information_request.accept").exists()


def test_what_a_conflict_refuses_is_read_again(client, owner, desk, row):
    path = "/v1/audits/*/information-requests/*/accept-evidence"
    desk.sandbox.fail("status", method="POST", path=path, value=409, times=1)
    client.post(f"{page_of(row)}accept/")
    assert StaleMark.objects.due().filter(kind="information_request", object_id=row.platform_id, urgent=True).exists()
    row.refresh_from_db()
    assert row.status == "READY_FOR_AUDIT"
    assert not Entry.objects.filter(action="information_request.accept").exists()


STEPS = {
    "ACCEPT": ("READY_FOR_AUDIT", "Accepted"),
    "FLAG": ("READY_FOR_AUDIT", "Flagged"),
    "MARK_NA": ("READY_FOR_AUDIT", "NA"),
    "MARK_APPLICABLE": ("NA", "Not ready for audit"),
    "READY_FOR_AUDIT": ("FLAGGED", "Ready for audit"),
}


@pytest.mark.parametrize("step", STEPS)
def test_evidence_takes_every_step_from_its_status(client, owner, desk, step):
    begins_at, ends_at = STEPS[step]
    item = desk.evidence(begins_at)
    assert f'data-open-dialog="step-{step}"' in client.get(page_of(item, "evidence")).content.decode()
    client.post(f"{page_of(item, 'evidence')}status/", {"step": step})
    assert status_there(desk, item) == ends_at
    item.refresh_from_db()
    assert item.status == ends_at.upper().replace(" ", "_")
    assert Entry.objects.filter(action=f"audit_evidence.{step.lower()}", target_id=item.platform_id).count() == 1


def test_a_step_that_the_status_does_not_allow_is_not_sent(client, owner, desk, scoped):
    item = desk.evidence("NA")
    client.post(f"{page_of(item, 'evidence')}status/", {"step": "ACCEPT"})
    client.post(f"{page_of(item, 'evidence')}status/", {"step": "EXPLODE"})
    EvidenceItem.objects.filter(pk=item.pk).update(status="NEVER_HEARD_OF")
    item.refresh_from_db()
    with pytest.raises(AlreadyDecided):
        move_evidence(item, "ACCEPT", member=owner)
    assert desk.calls("PATCH", "/evidence/") == []


def test_a_control_is_assessed_for_one_segment(client, owner, desk, audit, member):
    control = EngagementControl.objects.select_related("engagement").filter(engagement=audit)[0]
    page = page_of(control, "controls")
    first, second = control.payload["inScopeSegmentIds"]
    [seen] = [each.version for each, *_ in client.get(page).context["assessments"] if each.segment_id == first]
    sent = {"segment": first, "seen": seen, "state": "IN_PLACE", "justification": "Seen in the configuration."}
    client.post(f"{page}assess/", sent | {"justification": ""})
    client.post(f"{page}assess/", sent | {"segment": "of-another-audit"})
    assert desk.calls("PUT", "/assessment") == []
    client.post(f"{page}assess/", sent)
    there = {each["segmentId"]: each for each in desk.there("audit-controls")[control.platform_id]["assessments"]}
    assert (there[first]["assessmentState"], there[second]["assessmentState"]) == ("IN_PLACE", "NOT_ASSESSED")
    shown = client.get(page).content.decode()
    assert "Seen in the configuration." in shown
    assert Entry.objects.filter(action="audit_control.assess", target_id=control.platform_id).count() == 1
    client.force_login(member(Role.ANALYST))
    assert client.post(f"{page}assess/", sent).status_code == 403


def test_c3_an_assessment_that_nobody_knows_stays_chosen(client, owner, desk, audit):
    control = EngagementControl.objects.select_related("engagement").filter(engagement=audit)[0]
    first = control.payload["inScopeSegmentIds"][0]
    said = {"segmentId": first, "assessmentState": "BRAND_NEW", "justification": "As agreed."}
    EngagementControl.objects.filter(pk=control.pk).update(payload=control.payload | {"assessments": [said]})
    page = page_of(control, "controls")
    [(each, form)] = [found[:2] for found in client.get(page).context["assessments"] if found[0].segment_id == first]
    assert (form["state"].value(), dict(form.fields["state"].choices)["BRAND_NEW"]) == ("BRAND_NEW", "Brand new")
    assert next(iter(dict(form.fields["state"].choices))) == "NOT_ASSESSED"
    sent = {"segment": first, "seen": each.version, "state": "BRAND_NEW", "justification": "As agreed in May."}
    client.post(f"{page}assess/", sent)
    assert len(desk.calls("PUT", "/assessment")) == 1, "the platform decides"


def test_r2_buttons_that_a_refresh_brings_have_their_dialogs(client, owner, desk, row, item, audit):
    control = EngagementControl.objects.select_related("engagement").filter(engagement=audit)[0]
    for page in (page_of(row), page_of(item, "evidence"), page_of(control, "controls")):
        polled = client.get(page, headers=POLLED).content.decode()
        opened = set(re.findall(r'data-open-dialog="([^"]+)"', polled))
        assert opened
        assert opened <= set(re.findall(r'<dialog[^>]* id="([^"]+)"', polled)), page


def test_files_come_through_the_portal(client, owner, desk, item, member):
    shown = client.get(page_of(item, "evidence")).content.decode()
    names = [each["filename"] for each in desk.of(item, "evidence-urls")]
    assert all(name in shown for name in names)
    assert "signature" not in shown.lower(), "no signed address is on the page"
    file_id = desk.of(item, "evidence-urls")[0]["id"]
    answer = client.post(f"{page_of(item, 'evidence')}files/{file_id}/")
    assert answer["Content-Disposition"] == f'attachment; filename="{names[0]}"'
    assert b"".join(answer).startswith(b"%PDF")
    assert Entry.objects.filter(action="audit_evidence.download", target_id=item.platform_id).count() == 1
    client.force_login(member(Role.VIEWER))
    assert client.post(f"{page_of(item, 'evidence')}files/{file_id}/").status_code == 403


def test_a_file_that_the_platform_names_no_longer_is_said_to_be_missing(client, owner, desk, item):
    file_id = desk.of(item, "evidence-urls")[0]["id"]
    desk.objects.delete(desk.tenant_id, "evidence-urls", file_id)
    said = client.post(f"{page_of(item, 'evidence')}files/{file_id}/", follow=True).content.decode()
    assert "have this anymore" in said


def test_r5_a_storage_that_refuses_a_file_says_nothing_about_the_grant(client, owner, desk, item):
    file_id = desk.of(item, "evidence-urls")[0]["id"]
    for status in (400, 401, 403, 410, 415):
        desk.sandbox.control("DELETE", "/faults")
        desk.sandbox.fail("status", method="GET", path="/files/", value=status)
        answer = client.post(f"{page_of(item, 'evidence')}files/{file_id}/", follow=True)
        assert escape(TITLES[Party.STORAGE]) in answer.content.decode(), status
        assert "does not cover" not in answer.content.decode()


def test_a_file_whose_address_has_expired_is_asked_for_once_more(client, owner, desk, item):
    file_id = desk.of(item, "evidence-urls")[0]["id"]
    for times, is_file in ((1, True), (2, False)):
        desk.sandbox.control("DELETE", "/faults")
        desk.sandbox.fail("status", method="GET", path="/files/", value=403, times=times)
        asked = len(desk.calls("GET", "/urls"))
        answer = client.post(f"{page_of(item, 'evidence')}files/{file_id}/")
        assert ("Content-Disposition" in answer, len(desk.calls("GET", "/urls"))) == (is_file, asked + 2)


def test_no_signed_address_is_kept(desk, row, item):
    assert EngagementPart.objects.filter(parent_id=item.platform_id, kind="evidence_file").count() == 3
    assert not [each for each in EngagementPart.objects.all() if "url" in each.payload and each.kind == "evidence_file"]
