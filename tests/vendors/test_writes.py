"""Status and findings on the platform: what is pressed, sent, stored and refused; a lost answer never makes two of one."""

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.audit.models import Entry
from portal.sync.models import StaleMark
from portal.tenants.models import Role
from portal.vendors.forms import FindingForm
from portal.vendors.kinds import VENDOR
from portal.vendors.models import Part, PartKind, Vendor
from portal.vendors.search_hits import vendor_url
from portal.vendors.services import FindingText, add_finding, change_finding, set_status
from tests.support.contrary_writes import show_no_change, spell_otherwise
from tests.support.desks import compare_late
from tests.support.members import find_member

SET_STATUS, FINDINGS = "/v1/vendors/*/set-status", "/v1/vendors/*/findings"
WRITTEN = {"content": "Admins have no second factor.", "risk": "REMEDIATE", "state": "OPEN", "notes": "By June.", "review": ""}


def findings_of(desk, vendor: Vendor, content: str = WRITTEN["content"]) -> list[dict]:
    return [each for each in desk.there("vendor-findings", vendor.platform_id).values() if each["content"] == content]


def finding_url(vendor: Vendor, finding: Part) -> str:
    return f"{vendor_url('acme', vendor.platform_id)}findings/{finding.platform_id}/"


def posted(finding: Part, **changes: str) -> dict[str, str]:
    form = FindingForm(may_accept=True, finding=finding)
    return {name: form[name].value() or "" for name in form.fields} | changes


def with_risk(desk, vendor: Vendor, risk: str) -> Part:
    row = Part.objects.filter(vendor=vendor, kind=PartKind.FINDING).order_by("pk")[0]
    remediation = {"state": "OPEN", "requirementNotes": "Soon."} if risk == "REMEDIATE" else None
    desk.change("vendor-findings", row.platform_id, riskStatus=risk, remediation=remediation)
    desk.read_parts(vendor)
    row.refresh_from_db()
    return row


def test_an_approver_changes_the_status_and_others_do_not(client, desk, vendor, member):
    page = vendor_url("acme", vendor.platform_id)
    analyst, approver = member(Role.ANALYST), member(Role.APPROVER)
    client.force_login(analyst)
    assert "Change status" not in client.get(page).content.decode()
    assert client.post(f"{page}status/", {"status": "ARCHIVED"}).status_code == 403
    client.force_login(approver)
    assert "Change status" in client.get(page).content.decode()
    client.post(f"{page}status/", {"status": "SOLD"})
    client.post(f"{page}status/", {"status": "MANAGED"})
    assert desk.calls("POST", "/set-status") == [], "neither an unknown status nor the one it has is sent"
    client.post(f"{page}status/", {"status": "ARCHIVED"})
    assert desk.there("vendors")[vendor.platform_id]["status"] == "ARCHIVED"
    vendor.refresh_from_db()
    assert vendor.status == "ARCHIVED"
    [entry] = Entry.objects.filter(action="vendor.status", target_id=vendor.platform_id)
    assert (entry.actor, "from Managed to Archived" in entry.summary) == (approver, True)
    assert "from Managed to Archived" in client.get(page).content.decode()


def test_the_service_itself_asks_for_the_role(desk, vendor, member, scoped):
    with pytest.raises(PermissionDenied):
        set_status(vendor, "ARCHIVED", member=find_member(tenant=scoped, user=member(Role.ANALYST)))
    assert desk.calls("POST", "/set-status") == []


def test_a_status_whose_answer_was_lost_is_settled_by_looking(client, owner, desk, vendor):
    page = vendor_url("acme", vendor.platform_id)
    desk.sandbox.fail("drop_answer", method="POST", path=SET_STATUS, times=1)
    client.post(f"{page}status/", {"status": "ARCHIVED"})
    vendor.refresh_from_db()
    assert (vendor.status, len(desk.calls("POST", "/set-status"))) == ("ARCHIVED", 1)
    # Neither the write nor the look after it is answered: nothing is claimed, and the vendor is looked at again.
    StaleMark.objects.all().delete()
    desk.sandbox.fail("drop_answer", method="POST", path=SET_STATUS, times=1)
    desk.sandbox.fail("status", method="GET", path="/v1/vendors/*", value=503, times=9)
    said = client.post(f"{page}status/", {"status": "MANAGED"}, follow=True).content.decode()
    assert "We could not confirm it and are checking" in said
    vendor.refresh_from_db()
    assert vendor.status == "ARCHIVED"
    assert Entry.objects.filter(action="vendor.status").count() == 1
    assert StaleMark.objects.due().filter(kind="vendor", object_id=vendor.platform_id, urgent=True).exists()
    desk.sandbox.control("DELETE", "/faults")
    desk.drain()
    vendor.refresh_from_db()
    assert vendor.status == "MANAGED"


@pytest.mark.parametrize("status", [409, 422])
def test_a_vendor_whose_change_was_refused_is_read_again(client, owner, desk, vendor, status):
    StaleMark.objects.all().delete()
    desk.sandbox.fail("status", method="POST", path=SET_STATUS, value=status, times=1)
    client.post(f"{vendor_url('acme', vendor.platform_id)}status/", {"status": "ARCHIVED"})
    assert StaleMark.objects.due().filter(kind="vendor", object_id=vendor.platform_id, urgent=True).exists()
    assert not Entry.objects.filter(action="vendor.status").exists()


def test_q11_a_list_from_before_a_change_of_status_does_not_take_it_back(client, owner, desk, vendor):
    status = f"{vendor_url('acme', vendor.platform_id)}status/"
    compare_late(desk.mirrors, VENDOR, lambda: client.post(status, {"status": "ARCHIVED"}))
    assert desk.there("vendors")[vendor.platform_id]["status"] == "ARCHIVED"
    vendor.refresh_from_db()
    assert vendor.status == "ARCHIVED"


def test_a_vendor_that_is_gone_there_is_said_to_be(client, owner, desk, vendor):
    desk.objects.delete(desk.tenant_id, "vendors", vendor.platform_id)
    page = vendor_url("acme", vendor.platform_id)
    said = client.post(f"{page}status/", {"status": "ARCHIVED"}, follow=True).content.decode()
    assert "have this anymore" in said
    assert StaleMark.objects.due().filter(kind="vendor", object_id=vendor.platform_id).exists()


@pytest.mark.both
def test_an_analyst_adds_a_finding_to_a_review_and_changes_it(client, desk, vendor, member):
    page, analyst = vendor_url("acme", vendor.platform_id), member(Role.ANALYST)
    client.force_login(analyst)
    review = Part.objects.filter(vendor=vendor, kind=PartKind.REVIEW)[0]
    added = client.post(f"{page}findings/new/", WRITTEN | {"review": review.platform_id})
    assert added["Location"] == page
    [there] = findings_of(desk, vendor)
    assert (there["riskStatus"], there["securityReviewId"]) == ("REMEDIATE", review.platform_id)
    assert there["remediation"] == {"state": "OPEN", "requirementNotes": "By June."}
    assert WRITTEN["content"] in client.get(page).content.decode()
    row = Part.objects.get(platform_id=there["id"])
    client.post(finding_url(vendor, row), posted(row, state="CLOSED", notes="Done."))
    [there] = findings_of(desk, vendor)
    assert there["remediation"] == {"state": "CLOSED", "requirementNotes": "Done."}
    assert there["securityReviewId"] == review.platform_id
    row.refresh_from_db()
    assert row.payload["remediation"]["state"] == "CLOSED"
    # What is not to be remediated says nothing of a remediation.
    client.post(finding_url(vendor, row), posted(row, risk="NONE"))
    assert findings_of(desk, vendor)[0]["riskStatus"] == "NONE"
    client.post(finding_url(vendor, row), posted(Part.objects.get(pk=row.pk)))
    assert len(desk.calls("PATCH", "/findings/")) == 2, "nothing was different, so nothing was sent"
    done = Entry.objects.filter(target_id=vendor.platform_id, actor=analyst).order_by("pk")
    assert list(done.values_list("action", flat=True)) == ["vendor_finding.add", *["vendor_finding.change"] * 2]
    assert not any(WRITTEN["content"] in entry.summary for entry in done)


def test_a_lost_answer_never_makes_two_findings_of_one(client, owner, desk, vendor):
    new = f"{vendor_url('acme', vendor.platform_id)}findings/new/"
    desk.sandbox.fail("drop_answer", method="POST", path=FINDINGS, times=1)
    assert client.post(new, WRITTEN).status_code == 302
    assert client.post(new, WRITTEN).status_code == 422, "it is there already"
    # Known there and not yet here, with another risk: nothing is sent, and nothing is overwritten.
    Part.objects.filter(kind=PartKind.FINDING).delete()
    assert client.post(new, WRITTEN | {"risk": "NONE"}).status_code == 422
    assert [each["riskStatus"] for each in findings_of(desk, vendor)] == ["REMEDIATE"]
    assert Part.objects.get(kind=PartKind.FINDING).payload["content"] == WRITTEN["content"], "what is there can be edited"
    assert len(desk.calls("POST", "/findings")) == 1
    # Added there, and the person never heard of it: pressed again, it is found.
    Part.objects.filter(kind=PartKind.FINDING).delete()
    assert client.post(new, WRITTEN).status_code == 302
    assert len(findings_of(desk, vendor)) == len(desk.calls("POST", "/findings")) == 1
    assert Entry.objects.filter(action="vendor_finding.add").count() == 2, "each time it was confirmed"


def test_a_changed_finding_whose_answer_was_lost_is_settled_by_looking(client, owner, desk, vendor):
    row = with_risk(desk, vendor, "REMEDIATE")
    desk.sandbox.fail("drop_answer", method="PATCH", path=f"{FINDINGS}/*", times=1)
    client.post(finding_url(vendor, row), posted(row, notes="By July."))
    row.refresh_from_db()
    assert row.payload["remediation"]["requirementNotes"] == "By July."
    assert len(desk.calls("PATCH", "/findings/")) == 1


def test_w2_what_somebody_else_has_made_of_a_finding_is_shown_before_it_is_replaced(client, owner, desk, vendor):
    row = with_risk(desk, vendor, "NONE")
    mine = posted(row, content="Mine.")
    desk.change("vendor-findings", row.platform_id, content="Theirs.")
    shown = client.post(finding_url(vendor, row), mine)
    assert shown.status_code == 422
    assert "Theirs." in shown.content.decode()
    assert shown.context["form"]["content"].value() == "Mine."
    assert findings_of(desk, vendor, "Theirs.")
    client.post(finding_url(vendor, row), mine | {"seen": shown.context["form"]["seen"].value()})
    assert findings_of(desk, vendor, "Mine.")


def test_line_breaks_of_a_browser_are_no_change(client, owner, desk, vendor):
    row = with_risk(desk, vendor, "NONE")
    desk.change("vendor-findings", row.platform_id, content="One.\nTwo.")
    desk.read_parts(vendor)
    row.refresh_from_db()
    said = client.post(finding_url(vendor, row), posted(row, content="One.\r\nTwo."), follow=True).content.decode()
    assert "No changes, so nothing was sent" in said
    client.post(finding_url(vendor, row), posted(row, content="One.\r\nThree."))
    assert findings_of(desk, vendor, "One.\nThree.")


def test_w2_what_was_typed_stays_when_the_finding_or_its_vendor_is_gone_meanwhile(client, owner, desk, vendor):
    row = with_risk(desk, vendor, "NONE")
    mine, page = posted(row, content="Mine."), finding_url(vendor, row)

    def stays(address: str) -> None:
        answer = client.post(address, mine)
        assert (answer.status_code, answer.context["form"]["content"].value()) == (422, "Mine.")
        assert "have this anymore" in answer.content.decode()

    desk.objects.delete(desk.tenant_id, "vendor-findings", row.platform_id)
    stays(page)
    desk.read_parts(vendor)
    assert not Part.objects.filter(pk=row.pk).exists()
    stays(page)
    assert client.get(page).status_code == 404
    desk.objects.delete(desk.tenant_id, "vendors", vendor.platform_id)
    Vendor.objects.filter(pk=vendor.pk).update(gone_at=timezone.now())
    stays(page)
    stays(f"{vendor_url('acme', vendor.platform_id)}findings/new/")


def test_to_accept_a_risk_and_to_change_what_was_accepted_takes_an_approver(client, desk, vendor, member, scoped):
    analyst, approver = member(Role.ANALYST), member(Role.APPROVER)
    row = with_risk(desk, vendor, "NONE")
    client.force_login(analyst)
    new = f"{vendor_url('acme', vendor.platform_id)}findings/new/"
    assert client.post(new, WRITTEN | {"risk": "ACCEPT"}).status_code == 422
    assert client.post(finding_url(vendor, row), posted(row, risk="ACCEPT")).status_code == 422
    with pytest.raises(PermissionDenied):
        text = FindingText(content="Fine.", risk_status="ACCEPT")
        add_finding(vendor, text, member=find_member(tenant=scoped, user=analyst))
    assert desk.calls("POST", "/findings") == []
    client.force_login(approver)
    client.post(finding_url(vendor, row), posted(row, risk="ACCEPT"))
    row.refresh_from_db()
    assert desk.there("vendor-findings", vendor.platform_id)[row.platform_id]["riskStatus"] == "ACCEPT"
    client.force_login(analyst)
    assert client.get(finding_url(vendor, row)).status_code == 403
    assert client.post(finding_url(vendor, row), posted(row, risk="NONE")).status_code == 403
    # Accepted there meanwhile, and our copy does not know: what is there counts.
    stale = row.payload | {"riskStatus": "NONE"}
    Part.objects.filter(pk=row.pk).update(payload=stale)
    row.refresh_from_db()
    seen = FindingText(content=row.payload["content"], risk_status="ACCEPT").version
    wanted = FindingText(content="Not so bad.", risk_status="NONE")
    with pytest.raises(PermissionDenied):
        change_finding(vendor, row, wanted, seen=seen, member=find_member(tenant=scoped, user=analyst))
    assert desk.there("vendor-findings", vendor.platform_id)[row.platform_id]["riskStatus"] == "ACCEPT"


def test_what_was_typed_stays_when_the_platform_refuses_it(client, owner, desk, vendor):
    row = with_risk(desk, vendor, "NONE")
    desk.sandbox.fail("status", method="PATCH", path=f"{FINDINGS}/*", value=422, times=1)
    shown = client.post(finding_url(vendor, row), posted(row, content="Mine."))
    assert shown.status_code == 422
    assert shown.context["form"]["content"].value() == "Mine."


def test_a_viewer_reads_and_writes_nothing(client, desk, vendor, member):
    client.force_login(member(Role.VIEWER))
    page = vendor_url("acme", vendor.platform_id)
    shown = client.get(page).content.decode()
    assert vendor.name in shown
    assert "Add finding" not in shown
    assert client.get(f"{page}findings/new/").status_code == 403
    row = Part.objects.filter(vendor=vendor, kind=PartKind.FINDING)[0]
    assert client.post(finding_url(vendor, row), posted(row)).status_code == 403


@pytest.mark.parametrize(("sent", "kept"), [("\n", "\r\n"), ("!", ".")])
def test_a_finding_that_the_platform_spells_otherwise_counts_as_written(client, owner, desk, vendor, monkeypatch, sent, kept):
    spell_otherwise(monkeypatch, sent, kept)
    page = f"{vendor_url('acme', vendor.platform_id)}findings/new/"
    assert client.post(page, WRITTEN | {"content": "One line.\nAnother one.", "notes": "By June!"}).status_code == 302
    row = Part.objects.filter(vendor=vendor, kind=PartKind.FINDING).latest("pk")
    assert client.post(page, WRITTEN | {"content": row.payload["content"]}).status_code == 422, "it is there already"
    assert client.post(finding_url(vendor, row), posted(row, content="Other lines.\nTwo of them!")).status_code == 302
    done = Entry.objects.filter(target_id=vendor.platform_id).order_by("pk").values_list("action", flat=True)
    assert list(done) == ["vendor_finding.add", "vendor_finding.change"]


def test_w1_a_finding_that_is_accepted_and_not_shown_yet_counts_as_not_confirmed(client, owner, desk, vendor, monkeypatch):
    row = with_risk(desk, vendor, "REMEDIATE")
    StaleMark.objects.all().delete()
    show_no_change(monkeypatch)
    assert client.post(finding_url(vendor, row), posted(row, content="Changed.")).status_code == 422
    assert not Entry.objects.filter(action="vendor_finding.change").exists()
    assert StaleMark.objects.filter(object_id=vendor.platform_id, urgent=True).exists()
