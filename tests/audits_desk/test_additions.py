"""What a firm adds to an audit: there once however often it is sent, in its place at once, and lost by no refusal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from portal.audit.models import Entry
from portal.engagements import services
from portal.engagements.kinds import ENGAGEMENT
from portal.engagements.models import Engagement, EngagementControl, EvidenceItem, InformationRequest
from portal.engagements.services import additions
from portal.platform_writes import outcomes
from portal.sync.models import StaleMark
from portal.tenants.models import Role
from tests.support.desks import compare_late
from tests.support.members import find_member

pytestmark = pytest.mark.once
REQUESTS, EVIDENCE, CONTROLS = "information-requests", "audit-evidence", "audit-controls"
KIND_OF = {"new_request": REQUESTS, "request_evidence": EVIDENCE, "new_control": CONTROLS}
MODEL_OF = {"new_request": InformationRequest, "request_evidence": EvidenceItem, "new_control": EngagementControl}
PATH_OF = {
    "new_request": "/v1/audits/*/information-requests",
    "request_evidence": "/v1/audits/*/evidence/custom-evidence-requests",
    "new_control": "/v1/audits/*/controls/custom-controls",
}


def page_of(audit: Engagement, name: str) -> str:
    return reverse(f"engagements:{name}", args=["acme", audit.platform_id])


def typed(name: str, audit: Engagement, /, **values: object) -> dict[str, object]:
    """What somebody types into the form of a page."""
    control = EngagementControl.objects.filter(engagement=audit)[0].platform_id
    forms: dict[str, dict[str, object]] = {
        "new_request": {
            "unique_id": "IR-90",
            "title": "List of joiners",
            "type": "POPULATION",
            "description": "Everybody who joined in the period.",
            "due_on": "2027-01-31",
            "cadence": "QUARTERLY",
            "controls": [control],
        },
        "request_evidence": {
            "title": "Penetration test",
            "description": "The last report, with what was done about it.",
            "cadence": "P1Y",
            "reminder": "P1W",
            "controls": [control],
        },
        "new_control": {
            "external_id": "C-90",
            "name": "Keys are changed every year",
            "description": "Each key is replaced within twelve months.",
            "domain": "CRYPTOGRAPHIC_PROTECTIONS",
            "effective_on": "2026-01-01",
        },
        "duplicate": {
            "name": "The audit of 2027",
            "starts_on": "2027-01-01",
            "ends_on": "2027-12-31",
            "early_access_on": "2026-12-01",
            "auditors": "ada@firm.example\nbo@firm.example, ada@firm.example",
        },
    }
    return forms[name] | values


@pytest.fixture
def lose(desk, monkeypatch) -> Callable[[str], None]:
    """Leave the next write to an address without an answer, and the look after it, too."""
    reserved_calls = outcomes.reserved_calls

    @contextmanager
    def unanswered() -> Iterator[None]:
        monkeypatch.setattr(outcomes, "reserved_calls", reserved_calls)
        desk.sandbox.fail("status", method="GET", path="/v1/audits", value=503, times=9)
        with reserved_calls():
            yield

    def lose(path: str) -> None:
        desk.sandbox.fail("drop_answer", method="POST", path=path, times=1)
        monkeypatch.setattr(outcomes, "reserved_calls", unanswered)

    return lose


def there(desk, audit: Engagement, name: str) -> list[dict]:
    """What stands under the audit on the platform and was not there before."""
    known = set(MODEL_OF[name].objects.filter(engagement=audit).values_list("platform_id", flat=True))
    return [each for each in desk.of(audit, KIND_OF[name]) if each["id"] not in known]


def test_a_request_is_added_and_opens(client, owner, desk, audit):
    answer = client.post(page_of(audit, "new_request"), typed("new_request", audit))
    row = InformationRequest.objects.select_related("engagement").get(unique_id="IR-90")
    assert answer.headers["Location"].endswith(f"/requests/{row.platform_id}/")
    said = desk.there(REQUESTS)[row.platform_id]
    assert (said["title"], said["requestType"], said["cadence"]) == ("List of joiners", "POPULATION", "QUARTERLY")
    assert said["dueDate"].startswith("2027-01-31")
    assert said["additionalControlIds"] == [EngagementControl.objects.filter(engagement=audit)[0].platform_id]
    assert (str(row), row.engagement, row.status) == ("List of joiners", audit, "NEEDS_EVIDENCE")
    assert "List of joiners" in client.get(answer.headers["Location"]).content.decode()
    assert Entry.objects.get(action="information_request.add").target_id == row.platform_id
    # The list of the audit, read again, has it once.
    desk.read(audit)
    assert InformationRequest.objects.filter(unique_id="IR-90").count() == 1


def test_evidence_is_asked_for_and_stands_among_the_rest(client, owner, desk, audit):
    answer = client.post(page_of(audit, "request_evidence"), typed("request_evidence", audit, is_restricted="on"))
    row = EvidenceItem.objects.get(name="Penetration test")
    assert answer.headers["Location"].endswith(f"/evidence/{row.platform_id}/")
    [asked] = [each for each in desk.of(audit, "custom-evidence-requests") if each["title"] == "Penetration test"]
    assert (asked["cadence"], asked["reminderWindow"], asked["isRestricted"]) == ("P1Y", "P1W", True)
    assert Entry.objects.get(action="audit_evidence.add").target_id == row.platform_id


def test_a_control_is_in_scope_for_each_segment(client, owner, desk, audit):
    answer = client.post(page_of(audit, "new_control"), typed("new_control", audit))
    row = EngagementControl.objects.get(name="Keys are changed every year")
    assert answer.headers["Location"].endswith(f"/controls/{row.platform_id}/")
    said = desk.there(CONTROLS)[row.platform_id]
    assert (said["externalId"], said["domains"]) == ("C-90", ["CRYPTOGRAPHIC_PROTECTIONS"])
    shown = client.get(answer.headers["Location"])
    assert len(shown.context["assessments"]) == len(audit.payload["segments"])
    assert Entry.objects.get(action="audit_control.add").target_id == row.platform_id


@pytest.mark.parametrize("name", KIND_OF)
def test_w1_sent_again_after_a_lost_answer_it_is_there_once(client, owner, desk, audit, lose, name):
    form, page = typed(name, audit), page_of(audit, name)
    before = len(desk.of(audit, KIND_OF[name]))
    lose(PATH_OF[name])
    lost = client.post(page, form)
    assert lost.status_code == 422
    assert "We could not confirm it and are checking" in lost.content.decode()
    assert str(form.get("title") or form["name"]) in lost.content.decode(), "nothing typed is lost"
    assert StaleMark.objects.due().filter(kind="engagement_parts", object_id=audit.platform_id).exists()
    desk.sandbox.control("DELETE", "/faults")
    again = client.post(page, form)
    assert again.status_code == 302
    assert len(desk.of(audit, KIND_OF[name])) == before + 1
    assert len(desk.calls("POST", PATH_OF[name].rpartition("/")[2])) == 1


@pytest.mark.parametrize("name", KIND_OF)
def test_w2_what_the_platform_refuses_comes_back_with_all_that_was_typed(client, owner, desk, audit, name):
    desk.sandbox.fail("status", method="POST", path=PATH_OF[name], value=422, times=1)
    form = typed(name, audit)
    answer = client.post(page_of(audit, name), form)
    shown = answer.content.decode()
    assert (answer.status_code, there(desk, audit, name)) == (422, [])
    assert str(form["description"]) in shown
    assert "alice@acme.example" in shown, "it says in whose name it was sent"
    assert client.post(page_of(audit, name), form).status_code == 302


@pytest.mark.parametrize("name", KIND_OF)
def test_a_second_one_with_the_same_number_or_name_is_not_sent(client, owner, desk, audit, name):
    client.post(page_of(audit, name), typed(name, audit))
    calls = len(desk.calls("POST", "/audits/"))
    # Pressed twice, it is the very same.
    assert "Already on the platform" in client.post(page_of(audit, name), typed(name, audit)).content.decode()
    assert Entry.objects.filter(action__endswith=".add").count() == 1
    other = {
        "new_request": {"title": "Another list"},
        "request_evidence": {"description": "Another"},
        "new_control": {"name": "B"},
    }
    answer = client.post(page_of(audit, name), typed(name, audit, **other[name]))
    assert "Already on the platform" in answer.content.decode()
    assert (answer.status_code, len(desk.calls("POST", "/audits/"))) == (422, calls)


def test_what_somebody_added_meanwhile_is_not_taken_for_ones_own(client, owner, desk, audit):
    """Our copy does not have it yet: the platform is looked at, and refuses by itself what was added between look and write."""
    desk.add(audit, REQUESTS, uniqueId="IR-90", title="Somebody else's", requestType="SAMPLE")
    answer = client.post(page_of(audit, "new_request"), typed("new_request", audit))
    assert "Already on the platform" in answer.content.decode()
    assert desk.calls("POST", "/information-requests") == []
    desk.sandbox.fail("status", method="POST", path=PATH_OF["new_request"], value=409, times=1)
    answer = client.post(page_of(audit, "new_request"), typed("new_request", audit, unique_id="IR-91"))
    assert "Already on the platform" in answer.content.decode()


@pytest.mark.parametrize("name", KIND_OF)
def test_a_worker_that_is_faster_does_no_harm(client, owner, desk, audit, monkeypatch, name):
    about = additions.about

    def read_before(row, call):
        found = about(row, call)
        desk.read(audit)
        return found

    monkeypatch.setattr(additions, "about", read_before)
    before = MODEL_OF[name].objects.filter(engagement=audit).count()
    assert client.post(page_of(audit, name), typed(name, audit)).status_code == 302
    assert MODEL_OF[name].objects.filter(engagement=audit).count() == before + 1
    assert Entry.objects.filter(action__endswith=".add").count() == 1


def test_what_is_missing_is_said_at_its_field_and_nothing_is_sent(client, owner, desk, audit):
    for name in KIND_OF:
        answer = client.post(page_of(audit, name), {})
        assert answer.status_code == 422
        assert answer.context["form"].errors
    foreign = typed("request_evidence", audit, controls=["of-another-audit"])
    assert client.post(page_of(audit, "request_evidence"), foreign).context["form"].errors["controls"]
    assert desk.calls("POST", "/audits/") == []


def test_the_next_audit_is_made_from_the_last(client, owner, desk, audit):
    requests = [each for each in desk.of(audit, REQUESTS) if not each["deletionDate"]]
    answer = client.post(page_of(audit, "duplicate"), typed("duplicate", audit))
    copy = Engagement.objects.get(name="The audit of 2027")
    assert answer.headers["Location"].endswith(f"/{copy.platform_id}/")
    assert copy.payload["allowAuditorEmails"] == ["ada@firm.example", "bo@firm.example"]
    assert copy.payload["auditEndDate"].startswith("2027-12-31")
    assert "Drafts: the customer doesn't see them yet" in client.get(answer.headers["Location"]).content.decode()
    desk.drain()
    assert InformationRequest.objects.present().filter(engagement=copy).count() == len(requests) > 0
    assert not InformationRequest.objects.filter(engagement=copy).exclude(status="NEEDS_EVIDENCE").exists()
    [entry] = Entry.objects.filter(action="engagement.duplicate")
    assert (entry.target_id, str(audit) in entry.summary) == (copy.platform_id, True)


def test_w1_an_audit_is_duplicated_once(client, owner, desk, audit, lose):
    form, page = typed("duplicate", audit), page_of(audit, "duplicate")
    lose("/v1/audits/duplicate")
    assert "We could not confirm it" in client.post(page, form).content.decode()
    desk.sandbox.control("DELETE", "/faults")
    assert client.post(page, form).status_code == 302
    assert "Already on the platform" in client.post(page, form).content.decode()
    assert len(desk.calls("POST", "/audits/duplicate")) == 1


def test_a_window_that_cannot_be_is_refused(client, owner, desk, audit):
    wrong = {
        "ends_on": typed("duplicate", audit, ends_on="2026-12-31"),
        "early_access_on": typed("duplicate", audit, early_access_on="2028-01-01"),
        "auditors": typed("duplicate", audit, auditors="ada"),
    }
    for field, form in wrong.items():
        answer = client.post(page_of(audit, "duplicate"), form)
        assert (answer.status_code, [*answer.context["form"].errors]) == (422, [field])
    assert desk.calls("POST", "/audits/duplicate") == []


def test_the_list_is_shared_once_and_for_all(client, owner, desk, audit):
    desk.change("audits", audit.platform_id, auditorRequestListMetadata={"requestsSharedWithCustomer": None})
    desk.compare()
    page = reverse("engagements:requests", args=["acme", audit.platform_id])
    assert 'data-open-dialog="share"' in client.get(page).content.decode()
    desk.sandbox.fail("drop_answer", method="POST", path="/v1/audits/*/share-information-request-list", times=1)
    shown = client.post(page_of(audit, "share_requests"), follow=True).content.decode()
    assert "The customer sees the requests now" in shown
    assert 'data-open-dialog="share"' not in shown
    assert desk.there("audits")[audit.platform_id]["auditorRequestListMetadata"]["requestsSharedWithCustomer"]
    assert len(desk.calls("POST", "/share-information-request-list")) == 1
    assert Entry.objects.filter(action="engagement.share", target_id=audit.platform_id).count() == 1


def test_q11_a_list_from_before_the_requests_were_shared_does_not_hide_that(client, owner, desk, audit):
    desk.change("audits", audit.platform_id, auditorRequestListMetadata={"requestsSharedWithCustomer": None})
    desk.compare()
    compare_late(desk.mirrors, ENGAGEMENT, lambda: client.post(page_of(audit, "share_requests")))
    assert desk.there("audits")[audit.platform_id]["auditorRequestListMetadata"]["requestsSharedWithCustomer"]
    page = reverse("engagements:requests", args=["acme", audit.platform_id])
    assert 'data-open-dialog="share"' not in client.get(page).content.decode()


def test_a_request_is_taken_back(client, owner, desk, row):
    page = reverse("engagements:request", args=["acme", row.engagement.platform_id, row.platform_id])
    assert 'data-open-dialog="delete"' in client.get(page).content.decode()
    desk.sandbox.fail("drop_answer", method="DELETE", path="/v1/audits/*/information-requests/*", times=1)
    shown = client.post(f"{page}delete/", follow=True).content.decode()
    assert f"Deleted: {row}" in shown
    assert desk.there(REQUESTS)[row.platform_id]["deletionDate"]
    assert not InformationRequest.objects.present().filter(pk=row.pk).exists()
    assert 'data-open-dialog="delete"' not in client.get(page).content.decode()
    assert Entry.objects.filter(action="information_request.delete", target_id=row.platform_id).count() == 1


def test_a_request_that_went_meanwhile_is_gone(client, owner, desk, row):
    page = reverse("engagements:request", args=["acme", row.engagement.platform_id, row.platform_id])
    desk.sandbox.fail("status", method="DELETE", path="/v1/audits/*/information-requests/*", value=404, times=1)
    assert "The platform doesn&#x27;t have this anymore" in client.post(f"{page}delete/", follow=True).content.decode()
    assert StaleMark.objects.due().filter(kind="information_request", object_id=row.platform_id).exists()
    assert not Entry.objects.filter(action="information_request.delete").exists()


def test_what_is_over_is_only_repeated(client, owner, desk, audit):
    Engagement.objects.filter(pk=audit.pk).update(completed_at=audit.ends_at)
    shown = client.get(reverse("engagements:requests", args=["acme", audit.platform_id])).content.decode()
    assert (page_of(audit, "new_request") in shown, page_of(audit, "duplicate") in shown) == (False, True)
    assert [client.get(page_of(audit, name)).status_code for name in KIND_OF] == [404, 404, 404]
    assert client.get(page_of(audit, "duplicate")).status_code == 200


def test_the_services_themselves_ask_for_the_role(desk, audit, row, member, scoped):
    viewer, analyst = (find_member(tenant=scoped, user=member(role)) for role in (Role.VIEWER, Role.ANALYST))
    for act, who in (
        (lambda who: services.add_request(audit, None, member=who), viewer),  # type: ignore[arg-type]
        (lambda who: services.ask_for_evidence(audit, None, member=who), viewer),  # type: ignore[arg-type]
        (lambda who: services.add_control(audit, None, member=who), viewer),  # type: ignore[arg-type]
        (lambda who: services.share_requests(audit, member=who), analyst),
        (lambda who: services.duplicate(audit, None, member=who), analyst),  # type: ignore[arg-type]
        (lambda who: services.delete_request(row, member=who), analyst),
    ):
        with pytest.raises(PermissionDenied):
            act(who)
    assert desk.calls("POST", "/audits/") == []
