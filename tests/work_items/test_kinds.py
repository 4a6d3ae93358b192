"""Each kind of work comes, changes and goes with the desks' own writes and with the sync; nobody has to remember it."""

from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from portal.access_requests.models import (
    AccessRequest,
    Decision,
    DecisionState,
    DeskSettings,
    Verb,
    Viewer,
    ViewerItem,
    ViewerRun,
)
from portal.access_requests.services import Terms, confirm, schedule_decision, undo
from portal.calendars.models import OfficeHours
from portal.comments.services import add_comment
from portal.comments.subjects import registered
from portal.commitments.models import Suggestion, SuggestionState, Term
from portal.commitments.work import build as build_suggestions
from portal.connections.models import CallWindow, Connection, State
from portal.connections.work import build as build_connection
from portal.contracts.models import Contract, Removal, RemovalState, Upload, UploadState
from portal.contracts.models import Terms as ContractTerms
from portal.controls.mirror import MIRRORS as CONTROLS
from portal.customers.models import ImportItem, ImportRun, NewCustomer, Step
from portal.deletion_requests.models import DeletionRequest
from portal.deletion_requests.models import State as Erasure
from portal.deletion_requests.services.intake import keep
from portal.deletion_requests.work import build as build_deletions
from portal.documents.models import FAR as LATEST
from portal.documents.models import Document, UploadAttempt
from portal.documents.models import UploadState as Sent
from portal.engagements.models import Engagement, EvidenceItem, InformationRequest
from portal.inbox.models import Rhythm
from portal.incidents.models import Incident, Notice, Rank
from portal.library.services import EntryContent, add_entry, verify_entry
from portal.people.models import Group, GroupItem, GroupRun, Person
from portal.platform_writes.models import Item, ItemState
from portal.questionnaires.models import (
    AssignableUser,
    Assignment,
    BulkItem,
    BulkRun,
    Correction,
    CorrectionState,
    Drift,
    ExpertLink,
    Export,
    ExportState,
    Intake,
    IntakeState,
    Questionnaire,
    Response,
)
from portal.risks.models import Issue, IssueOwner, OwnerOfIssue
from portal.tags.models import Category, SwitchChange
from portal.tags.models import Step as Switched
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.trust_center.models import FAR, ContentCheck, Faq, Publication, PublicationItem, Resource
from portal.trust_center.services import bring_back, dismiss
from portal.vendors.models import Label, LabelKind, Vendor
from portal.work_items.kinds import kind_named, kinds
from portal.work_items.models import NEVER, Change, Pass, WorkItem
from portal.work_items.services import catch_up, turn_items
from portal.work_items.tasks import compare_work_items, sweep_work_items
from portal.work_items.triggers import PREFIX, remove, renew, triggers
from tests.support.comparisons import compare_whole
from tests.support.kept import after
from tests.support.members import find_member, remove_members
from tests.support.mirrors import FOR_DESKS
from tests.work_items.support import kept_up, said_by_desks, stored

pytestmark = pytest.mark.both

WITH_WORK = tuple(mirror for mirror in FOR_DESKS if mirror not in CONTROLS)
"""Nothing is to do with controls, frameworks and tests: they are looked up."""


def copied(sandbox, tenant_id) -> None:
    compare_whole(WITH_WORK)


@pytest.fixture
@after(copied)
def synced(connected, scoped, sandbox, platform_tenant):
    """Acme with the first copy of its lists."""
    return connected


def of(kind: str) -> list[WorkItem]:
    return list(WorkItem.objects.filter(kind=kind))


def question() -> Response:
    """Put a question into the first questionnaire."""
    return Response.objects.create(
        questionnaire=Questionnaire.objects.open().first(),
        platform_id="r1",
        position=1,
        question="Do you rotate keys?",
        owner_id="u1",
        read_at=timezone.now(),
    )


def compare_with_platform() -> None:
    compare_whole(WITH_WORK)


def test_the_sync_brings_questionnaires_and_requests(synced, sandbox, platform_tenant):
    kept_up()
    assert len(of("questionnaire")) == Questionnaire.objects.open().count() > 0
    assert len(of("access_request")) == AccessRequest.objects.waiting().count() > 0


def test_the_sync_changes_and_takes_away(synced, sandbox, platform_tenant):
    kept_up()
    objects, tenant_id = sandbox.app.extensions["sandbox"].objects, platform_tenant["tenant_id"]
    row = Questionnaire.objects.open().first()
    due = timezone.now().replace(microsecond=0) + timedelta(days=3)
    there = objects.get(tenant_id, "questionnaires", row.platform_id)
    objects.save(tenant_id, "questionnaires", there | {"dueDate": due.isoformat(), "status": "IN_PROGRESS"})
    compare_with_platform()
    kept_up()
    assert WorkItem.objects.get(kind="questionnaire", object_id=row.pk).due_sort == due
    there = objects.get(tenant_id, "questionnaires", row.platform_id)
    objects.save(tenant_id, "questionnaires", there | {"status": "COMPLETE"})
    CallWindow.objects.all().delete()
    compare_with_platform()
    kept_up()
    assert not WorkItem.objects.filter(kind="questionnaire", object_id=row.pk).exists()
    assert len(of("questionnaire")) == Questionnaire.objects.open().count()


def test_a_questionnaire_is_whose_name_it_bears(synced, acme, alice, member):
    analyst = member(Role.ANALYST)
    row = Questionnaire.objects.open().first()
    for name, status, owner in (
        (str(alice), "IN_PROGRESS", alice.pk),
        ("Somebody Else", "IN_PROGRESS", None),
        (str(analyst).upper(), "IN_PROGRESS", analyst.pk),
    ):
        Questionnaire.objects.filter(pk=row.pk).update(owner_name=name, status=status, approver_name=str(alice))
        kept_up()
        item = WorkItem.objects.get(kind="questionnaire", object_id=row.pk)
        assert (item.owner_id, item.is_taken, item.is_with_others) == (owner, True, False)
    Questionnaire.objects.filter(pk=row.pk).update(status="IN_REVIEW")
    kept_up()
    item = WorkItem.objects.get(kind="questionnaire", object_id=row.pk)
    assert (item.owner_id, item.asked_by_id, item.role) == (alice.pk, analyst.pk, Role.APPROVER)
    Questionnaire.objects.filter(pk=row.pk).update(status="COMPLETE")
    kept_up()
    assert not WorkItem.objects.filter(kind="questionnaire", object_id=row.pk).exists()


def test_who_joins_leaves_or_is_renamed_changes_who_has_it(synced, acme, alice, member):
    Questionnaire.objects.update(owner_name="Analyst of Acme", status="IN_PROGRESS")
    kept_up()
    assert {item.owner_id for item in of("questionnaire")} == {None}
    analyst = member(Role.ANALYST)
    kept_up()
    assert {item.owner_id for item in of("questionnaire")} == {analyst.pk}
    analyst.name = "Another Name"
    analyst.save()
    kept_up()
    assert {item.owner_id for item in of("questionnaire")} == {None}
    Questionnaire.objects.update(owner_name="Another Name")
    kept_up()
    remove_members(user=analyst)
    kept_up()
    assert {(item.owner_id, item.is_taken) for item in of("questionnaire")} == {(None, True)}


def test_a_request_waits_for_the_second_person_and_goes_with_the_decision(synced, alice, acme, member):
    DeskSettings.objects.update_or_create(defaults={"needs_two_for_approval": True})
    request = AccessRequest.objects.waiting().first()
    terms = Terms(access_level="FULL")
    asked = schedule_decision(request, verb=Verb.APPROVE, terms=terms, member=find_member(user=alice))
    kept_up()
    item = WorkItem.objects.get(kind="access_request", object_id=request.pk)
    assert item.asked_by_id == alice.pk
    second = find_member(user=member(Role.APPROVER))
    confirmed = confirm(asked, member=second)
    kept_up()
    assert not WorkItem.objects.filter(kind="access_request", object_id=request.pk).exists()
    undo(Decision.objects.get(pk=confirmed.pk, state=DecisionState.SCHEDULED), member=second)
    kept_up()
    assert WorkItem.objects.filter(kind="access_request", object_id=request.pk, asked_by=None).exists()


def test_the_deadline_of_the_desk_moves_every_request(synced):
    kept_up()
    assert {item.due_sort.year for item in of("access_request")} == {9999}
    DeskSettings.objects.create(deadline_hours=8)
    assert catch_up() is False, "what concerns all of them is left to the task"
    kept_up()
    assert all(item.due_sort.year < 9999 for item in of("access_request"))
    AccessRequest.objects.update(created_at=timezone.now() - timedelta(days=40))
    kept_up()
    assert all(item.due_sort < timezone.now() for item in of("access_request"))


def test_a_deletion_request_stays_until_it_is_over(scoped):
    row = DeletionRequest.objects.create(
        email="a@b.example", email_hash="h", masked_email="a…@b.example", requested_by_name="Alice", state=Erasure.RECEIVED
    )
    kept_up()
    (item,) = of("deletion_request")
    assert (item.due_sort.date(), item.is_with_others) == (row.deadline_on, False)
    DeletionRequest.objects.update(state=Erasure.SENDING)
    kept_up()
    assert of("deletion_request")[0].is_with_others
    DeletionRequest.objects.update(state=Erasure.CLOSED, email="")
    kept_up()
    assert of("deletion_request") == []


def test_an_erasure_in_vain_is_work_until_there_is_a_new_request(scoped):
    # tests/deletion_requests try what finds the person again.
    person = {"email_hash": "h", "masked_email": "a…@b.example", "requested_by_name": "Alice"}
    yesterday = timezone.localdate() - timedelta(days=1)
    row = DeletionRequest.objects.create(email="", state=Erasure.ERASED, deadline_on=yesterday, **person)
    kept_up()
    assert of("deletion_request") == []
    DeletionRequest.objects.filter(pk=row.pk).update(came_back=True)
    kept_up()
    (item,) = of("deletion_request")
    assert (item.object_id, item.due_sort, item.is_with_others) == (row.pk, NEVER, False), "it was erased here in time"
    assert build_deletions([row.pk])[row.pk].to_do == "Found again after erasure: send a new request"
    new, _ = keep({"email": "a@b.example", "state": Erasure.RECEIVED, **person}, reference="N2")
    kept_up()
    assert [item.object_id for item in of("deletion_request")] == [new.pk]


def test_the_customers_of_an_incident_go_when_it_is_closed(scoped):
    now = timezone.now()
    incident = Incident.objects.create(name="Token in a log", noticed_at=now, opened_by_name="Alice")
    for number in range(3):
        due = {"rank": Rank.DEADLINE, "due_at": now, "due_sort": now, "tell_by": now}
        Notice.objects.create(incident=incident, account_id=f"a{number}", customer=f"Customer {number}", **due)
    kept_up()
    assert len(of("incident_notice")) == 3
    Notice.objects.filter(account_id="a0").update(state="not-needed", note="Not concerned")
    kept_up()
    assert len(of("incident_notice")) == 2
    Incident.objects.update(closed_at=now, closed_by_name="Alice")
    kept_up()
    assert of("incident_notice") == []
    Incident.objects.update(closed_at=None, closed_by_name="")
    kept_up()
    assert len(of("incident_notice")) == 2


def test_days_of_a_contract_are_shown_when_they_come_near(synced, alice):
    contract = Contract.objects.first()
    far = timezone.localdate() + timedelta(days=60)
    terms = ContractTerms.objects.create(contract=contract, platform_id=contract.platform_id, notice_on=far, owner=alice)
    kept_up()
    (item,) = of("contract_notice")
    assert item.owner_id == alice.pk
    now = timezone.now()
    assert not WorkItem.objects.visible(now).filter(kind="contract_notice").exists()
    turn_items(now + timedelta(days=45))
    assert WorkItem.objects.visible(now + timedelta(days=45)).filter(kind="contract_notice").exists()
    assert WorkItem.objects.visible(now + timedelta(days=62)).filter(kind="contract_notice").exists(), "missed, not over"
    ContractTerms.objects.filter(pk=terms.pk).update(notice_on=None, turns_on=date(2030, 1, 1))
    kept_up()
    assert (len(of("contract_notice")), len(of("contract_end"))) == (0, 1)
    Contract.objects.filter(pk=contract.pk).update(gone_at=now)
    kept_up()
    assert of("contract_end") == []


def test_an_upload_that_was_refused_waits_for_whoever_made_it(scoped, alice):
    upload = Upload.objects.create(filename="msa.pdf", external_id="x", uploaded_by=alice, uploaded_by_name="Alice")
    kept_up()
    assert of("contract_upload") == []
    Upload.objects.filter(pk=upload.pk).update(state=UploadState.REFUSED)
    kept_up()
    assert [item.owner_id for item in of("contract_upload")] == [alice.pk]
    Upload.objects.filter(pk=upload.pk).update(state=UploadState.DISCARDED)
    kept_up()
    assert of("contract_upload") == []


def test_a_lost_grant_waits_for_an_owner(synced):
    kept_up()
    assert of("connection") == []
    broke_at = timezone.now() - timedelta(minutes=3)
    Connection.objects.update(state=State.NEEDS_RECONNECTION, ended_at=broke_at)
    kept_up()
    assert [(item.role, item.due_sort) for item in of("connection")] == [(Role.OWNER, broke_at)]
    (row,) = Connection.objects.all()
    assert build_connection([row.pk])[row.pk].to_do == "Reconnect to the platform"
    Connection.objects.update(state=State.UNCONFIRMED, ended_at=None)
    kept_up()
    assert [item.due_sort for item in of("connection")] == [Connection.objects.get().connected_at]
    Connection.objects.update(state=State.ACTIVE)
    kept_up()
    assert of("connection") == []


def test_a_question_waits_for_who_was_asked_until_it_is_answered(synced, alice, member):
    analyst = member(Role.ANALYST)
    response = question()
    Response.objects.filter(pk=response.pk).update(owner_id="u1", owner_name=str(analyst), is_answered=False)
    Assignment.objects.create(response=response, owner_id="u1", made_by=alice, made_by_name=str(alice))
    kept_up()
    (item,) = of("question")
    assert (item.owner_id, item.asked_by_id) == (analyst.pk, alice.pk)
    Questionnaire.objects.filter(pk=response.questionnaire_id).update(gone_at=timezone.now())
    kept_up()
    assert of("question") == []
    Questionnaire.objects.filter(pk=response.questionnaire_id).update(gone_at=None)
    Response.objects.filter(pk=response.pk).update(is_answered=True)
    kept_up()
    assert of("question") == []


def test_a_question_to_an_expert_comes_back_to_who_asked(synced, alice):
    response, now = question(), timezone.now()
    link = ExpertLink.objects.create(
        response=response, email="e@x.example", expires_at=now + timedelta(days=3), made_by=alice, made_by_name="Alice"
    )
    kept_up()
    (item,) = of("expert_link")
    assert (item.owner_id, item.asked_by_id, item.is_with_others) == (None, alice.pk, True)
    ExpertLink.objects.filter(pk=link.pk).update(answered_at=now)
    kept_up()
    (item,) = of("expert_link")
    assert (item.owner_id, item.asked_by_id, item.is_with_others) == (alice.pk, None, False)
    ExpertLink.objects.filter(pk=link.pk).update(settled_at=now)
    kept_up()
    assert of("expert_link") == []


def test_what_was_asked_goes_with_a_questionnaire_that_is_finished(synced, alice):
    response, now = question(), timezone.now()
    asked = {"response": response, "made_by": alice, "made_by_name": "Alice"}
    Assignment.objects.create(owner_id="u1", **asked)
    ExpertLink.objects.create(email="e@x.example", expires_at=now + timedelta(days=3), **asked)
    rows = Questionnaire.objects.filter(pk=response.questionnaire_id)
    before = rows.get().status
    for columns, count in (({"status": "NO_LONGER_NEEDED"}, 0), ({"status": before}, 1), ({"gone_at": now}, 0)):
        rows.update(**columns)
        kept_up()
        assert (len(of("question")), len(of("expert_link"))) == (count, count)


def test_a_silent_feed_waits_for_an_admin_until_it_speaks_again(synced):
    silent_since = timezone.now() - timedelta(hours=9)
    Rhythm.objects.create(silent_since=silent_since)
    kept_up()
    assert [(item.role, item.due_sort) for item in of("silent_feed")] == [(Role.ADMIN, silent_since)]
    Rhythm.objects.update(silent_since=None)
    kept_up()
    assert of("silent_feed") == []


def test_the_suggestions_of_a_contract_are_one_item_until_all_are_decided(synced):
    contract = Contract.objects.order_by("pk")[0]
    for number in range(3):
        Suggestion.objects.create(contract=contract, fingerprint=str(number), term=Term.DELETION, page=1, quote="99.9 %")
    kept_up()
    (item,) = of("commitment_suggestions")
    assert (item.object_id, build_suggestions([contract.pk])[contract.pk].to_do) == (
        contract.pk,
        "Decide on 3 suggested commitments",
    )
    Suggestion.objects.filter(fingerprint="0").update(state=SuggestionState.ACCEPTED)
    kept_up()
    assert build_suggestions([contract.pk])[contract.pk].to_do == "Decide on 2 suggested commitments"
    Suggestion.objects.update(state=SuggestionState.PUT_AWAY)
    kept_up()
    assert of("commitment_suggestions") == []


def test_an_entry_of_the_library_is_its_owner_s_until_it_is_verified(synced, acme, alice):
    own, near = find_member(tenant=acme, user=alice), timezone.localdate() + timedelta(days=5)
    entry = add_entry(EntryContent(question="Do you rotate keys?", short="Yes", owner=alice), review_on=near, member=own)
    kept_up()
    (item,) = of("library_entry")
    assert (item.object_id, item.owner_id, item.visible_from < timezone.now()) == (entry.pk, alice.pk, True)
    verify_entry(entry, review_on=None, member=own)
    kept_up()
    assert of("library_entry") == []


def test_a_report_waits_from_a_month_before_its_day_until_that_moves(synced, alice):
    # tests/trust_center try what makes the day.
    row = Resource.objects.order_by("pk")[0]
    Resource.objects.exclude(pk=row.pk).update(renew_on=FAR)
    Resource.objects.filter(pk=row.pk).update(renew_on=timezone.localdate() + timedelta(days=20))
    kept_up()
    (item,) = of("document_renewal")
    assert (item.object_id, item.owner_id, item.visible_from < timezone.now()) == (row.pk, None, True)
    Resource.objects.filter(pk=row.pk).update(renew_on=FAR)
    kept_up()
    assert of("document_renewal") == []


def test_a_faq_that_contradicts_an_answer_waits_until_it_is_right_or_dismissed(synced, alice):
    # tests/trust_center try what finds it.
    faq = Faq.objects.order_by("pk")[0]
    columns = {"subject": "faq", "object_key": faq.pk, "platform_id": faq.platform_id, "cause": "contradiction", "sign": "a"}
    row = ContentCheck.objects.create(title=faq.question, **columns)
    kept_up()
    (item,) = of("faq_contradiction")
    assert (item.object_id, item.owner_id, item.visible_from < timezone.now()) == (row.pk, None, True)
    dismiss(row, "Right so", seen="a", member=find_member(user=alice))
    kept_up()
    assert of("faq_contradiction") == []
    bring_back(row, member=find_member(user=alice))
    kept_up()
    assert len(of("faq_contradiction")) == 1
    ContentCheck.objects.all().delete()
    kept_up()
    assert of("faq_contradiction") == []


def test_evidence_waits_for_its_owner_from_the_reminder_until_its_day_moves(synced, alice):
    # tests/compliance_documents try what makes the days.
    # tests/compliance_documents try what makes the days.
    row, day = Document.objects.order_by("pk")[0], timezone.localdate() + timedelta(days=20)
    Document.objects.filter(pk=row.pk).update(renew_on=day, remind_on=day - timedelta(days=30), owner_name=str(alice))
    kept_up()
    (item,) = of("evidence_renewal")
    assert (item.object_id, item.owner_id, item.visible_from < timezone.now()) == (row.pk, alice.pk, True)
    Document.objects.filter(pk=row.pk).update(owner_name="Somebody Else")
    kept_up()
    assert of("evidence_renewal")[0].owner_id is None
    Document.objects.filter(pk=row.pk).update(renew_on=LATEST)
    kept_up()
    assert of("evidence_renewal") == []


def test_a_security_review_waits_for_its_owner_from_a_month_before_its_day(synced, alice):
    row = Vendor.objects.filter(status="MANAGED").order_by("pk")[0]
    Vendor.objects.exclude(pk=row.pk).update(review_due_at=None)
    due = timezone.now().replace(microsecond=0) + timedelta(days=20)
    Vendor.objects.filter(pk=row.pk).update(review_due_at=due, security_owner_id="u1")
    kept_up()
    (item,) = of("vendor_review")
    assert (item.object_id, item.owner_id, item.due_sort, item.visible_from < timezone.now()) == (row.pk, None, due, True)
    # The owner's name comes later, and is a member's.
    Label.objects.create(kind=LabelKind.USER, platform_id="u1", name=alice.name, read_at=timezone.now())
    kept_up()
    assert [item.owner_id for item in of("vendor_review")] == [alice.pk]
    Vendor.objects.filter(pk=row.pk).update(review_due_at=due + timedelta(days=300))
    kept_up()
    assert [(item.is_near, item.turns_at) for item in of("vendor_review")] == [
        (False, item.visible_from + 299 * timedelta(days=1))
    ]
    Vendor.objects.filter(pk=row.pk).update(status="ARCHIVED")
    kept_up()
    assert of("vendor_review") == []


def test_what_the_platform_has_due_on_a_day_is_due_at_its_end_where_the_office_is(synced):
    vendor, issue = Vendor.objects.filter(status="MANAGED").order_by("pk")[0], Issue.objects.open().order_by("pk")[0]
    Vendor.objects.exclude(pk=vendor.pk).update(review_due_at=None)
    Issue.objects.exclude(pk=issue.pk).update(is_open=False)
    day = timezone.localdate() + timedelta(days=5)
    midnight, end = (datetime.combine(day, at, tzinfo=UTC) for at in (time(), time(23, 59, 59)))
    Vendor.objects.filter(pk=vendor.pk).update(review_due_at=midnight)
    Issue.objects.filter(pk=issue.pk).update(due_at=midnight, due_sort=midnight)
    audit = Engagement.objects.create(platform_id="audit", name="SOC 2", customer="Northwind", ends_at=midnight)
    common = {"engagement": audit, "status": "READY_FOR_AUDIT", "read_at": timezone.now()}
    InformationRequest.objects.create(platform_id="r", name="List of leavers", due_at=midnight, **common)
    EvidenceItem.objects.create(platform_id="e", name="Report", **common)
    kinds_of_days = ("vendor_review", "issue", "audit_request", "audit_evidence")
    kept_up()
    assert [item.due_sort for kind in kinds_of_days for item in of(kind)] == [end] * 4
    new_york = ZoneInfo("America/New_York")
    OfficeHours.objects.create(zone=new_york.key)
    kept_up()
    assert [item.due_sort for kind in kinds_of_days for item in of(kind)] == [end.replace(tzinfo=new_york)] * 4


def test_an_issue_with_a_day_is_its_owner_s_from_two_weeks_before_until_it_is_closed(synced, alice):
    row, due = Issue.objects.open().exclude(due_at=None)[0], timezone.now() + timedelta(days=20)
    Issue.objects.exclude(pk=row.pk).update(is_open=False)
    Issue.objects.filter(pk=row.pk).update(due_at=due, due_sort=due)
    OwnerOfIssue.objects.filter(issue=row).delete()
    OwnerOfIssue.objects.create(issue=row, owner_type="USER", owner_id="u1")
    IssueOwner.objects.create(platform_id="u1", name=str(alice), read_at=timezone.now())
    kept_up()
    (item,) = of("issue")
    assert (item.object_id, item.owner_id, item.due_sort, item.visible_from) == (
        row.pk,
        alice.pk,
        due,
        due - timedelta(days=14),
    )
    IssueOwner.objects.filter(platform_id="u1").update(name="Somebody Else")
    kept_up()
    assert [(item.owner_id, item.is_taken) for item in of("issue")] == [(None, True)]
    OwnerOfIssue.objects.filter(issue=row).delete()
    kept_up()
    assert [item.is_taken for item in of("issue")] == [False]
    Issue.objects.filter(pk=row.pk).update(is_open=False)
    kept_up()
    assert of("issue") == []


def test_what_did_not_arrive_waits_for_who_sent_it_for_some_days(synced, alice):
    lost = {"begun_by": alice, "begun_by_name": "Alice", "settled_at": timezone.now()}
    customer = NewCustomer.objects.create(name="Lost", domain="lost.example", key="k", state=Step.ABSENT, **lost)
    intake = Intake.objects.create(name="SIG 2026", kind="FILE", fingerprint="f", state=IntakeState.ABSENT, **lost)
    kept_up()
    for kind in ("new_customer", "intake"):
        (item,) = of(kind)
        assert item.owner_id == alice.pk
        assert timedelta(days=6) < item.visible_until - timezone.now() <= timedelta(days=7)
    NewCustomer.objects.filter(pk=customer.pk).update(state=Step.CLOSED)
    again = Intake.objects.create(name="SIG 2026", kind="FILE", fingerprint="f", state=IntakeState.ASKING, begun_by=alice)
    Intake.objects.filter(pk=intake.pk).update(successor=again)
    kept_up()
    assert of("new_customer") == []
    assert [item.object_id for item in of("intake")] == [again.pk]
    again.delete()
    kept_up()


def test_a_file_that_did_not_reach_its_document_waits_for_whoever_uploaded_it(scoped, alice):
    document = Document.objects.create(platform_id="d1", title="Penetration test")
    row = UploadAttempt.objects.create(document=document, file_name="pentest.pdf", begun_by=alice, state=Sent.UNCERTAIN)
    kept_up()
    assert of("document_upload") == []
    UploadAttempt.objects.update(state=Sent.ABSENT)
    kept_up()
    assert [(item.object_id, item.owner_id, item.role) for item in of("document_upload")] == [(row.pk, alice.pk, Role.ANALYST)]
    Document.objects.update(gone_at=timezone.now())
    kept_up()
    assert of("document_upload") == [], "nothing can be uploaded to it anymore"
    Document.objects.update(gone_at=None)
    kept_up()
    assert len(of("document_upload")) == 1
    row.delete()
    kept_up()
    assert of("document_upload") == []


def test_an_export_that_failed_waits_until_it_is_asked_for_again(synced, alice):
    row, now = Questionnaire.objects.open().first(), timezone.now()
    asked = {"questionnaire": row, "format": "csv", "asked_by": alice, "asked_by_name": "Alice"}
    failed = Export.objects.create(state=ExportState.PENDING, asked_at=now - timedelta(minutes=5), **asked)
    kept_up()
    assert of("failed_export") == []
    Export.objects.filter(pk=failed.pk).update(state=ExportState.FAILED, is_confirmed=True, ended_at=now)
    kept_up()
    (item,) = of("failed_export")
    assert (item.object_id, item.owner_id, item.visible_until) == (row.pk, alice.pk, now + timedelta(days=7))
    again = Export.objects.create(state=ExportState.PENDING, asked_at=now, **asked)
    kept_up()
    assert of("failed_export") == []
    Export.objects.filter(pk=again.pk).update(state=ExportState.UNANSWERED)
    kept_up()
    assert len(of("failed_export")) == 1
    Questionnaire.objects.filter(pk=row.pk).update(gone_at=now)
    kept_up()
    assert of("failed_export") == []


def test_what_a_bulk_run_has_not_changed_waits_for_who_began_it(synced, alice):
    rows, now = list(Questionnaire.objects.all()[:2]), timezone.now()
    run = BulkRun.objects.create(action="hold", asked_by=alice, asked_by_name="Alice")
    items = [BulkItem.objects.create(run=run, questionnaire=row, state=ItemState.FAILED) for row in rows]
    kept_up()
    assert of("bulk_run") == [], "it is not over"
    BulkRun.objects.update(finished_at=now)
    kept_up()
    (item,) = of("bulk_run")
    assert (item.owner_id, item.visible_until) == (alice.pk, now + timedelta(days=7))
    build = kind_named("bulk_run").build
    said = build([run.pk])[run.pk]
    assert (said.to_do, said.actions) == ("Not changed: 2 questionnaires", ("retry",))
    BulkItem.objects.filter(pk=items[0].pk).update(is_in_doubt=True)
    said = build([run.pk])[run.pk]
    assert (said.to_do, said.actions) == ("Not changed: 1 questionnaire · Not confirmed: 1 questionnaire", ())
    items[0].delete()
    kept_up()
    assert len(of("bulk_run")) == 1
    items[1].delete()
    kept_up()
    assert of("bulk_run") == [], "what it was about is gone"


def test_what_a_run_of_viewers_has_not_changed_waits_for_an_approver(synced, alice):
    viewer = Viewer.objects.first()
    run = ViewerRun.objects.create(verb="revoke", asked_by_name="Somebody", finished_at=timezone.now())
    ViewerItem.objects.create(run=run, viewer=viewer, state=ItemState.FAILED)
    kept_up()
    assert [(item.owner_id, item.is_taken, item.role) for item in of("viewer_run")] == [(None, False, Role.APPROVER)]
    ViewerItem.objects.update(state=ItemState.WAITING)
    ViewerRun.objects.update(finished_at=None)
    kept_up()
    assert of("viewer_run") == []


def test_what_a_change_of_a_group_has_not_changed_waits_for_whoever_began_it(synced, alice):
    group, person = Group.objects.first(), Person.objects.first()
    run = GroupRun.objects.create(
        verb="add", group=group, group_name="Team", asked_by=alice, asked_by_name="Alice", finished_at=timezone.now()
    )
    GroupItem.objects.create(run=run, person=person, state=ItemState.FAILED)
    kept_up()
    assert [(item.owner_id, item.role) for item in of("group_run")] == [(alice.pk, Role.ADMIN)]
    GroupItem.objects.update(state=ItemState.WAITING)
    GroupRun.objects.update(finished_at=None)
    kept_up()
    assert of("group_run") == []


def test_what_an_import_of_customers_has_not_created_waits_for_whoever_began_it(scoped, alice):
    asked = {"asked_by": alice, "asked_by_name": "Alice", "finished_at": timezone.now()}
    run = ImportRun.objects.create(filename="crm.csv", **asked)
    ImportItem.objects.create(run=run, name="Initech", domain="initech.example", state=ItemState.FAILED)
    kept_up()
    assert [(item.owner_id, item.role) for item in of("customer_import")] == [(alice.pk, Role.ANALYST)]
    item = kind_named("customer_import").build([run.pk])[run.pk]
    assert (item.to_do, item.url("acme")) == ("Not changed: 1 customer", f"/t/acme/customers/import/{run.pk}/")
    ImportItem.objects.update(state=ItemState.WAITING)
    ImportRun.objects.update(finished_at=None)
    kept_up()
    assert of("customer_import") == []


def test_the_bulk_runs_of_every_desk_are_work_where_something_failed():
    items = {model for model in apps.get_models() if issubclass(model, Item)}
    assert items
    assert items <= {source.model for kind in kinds() for source in kind.sources}


def test_an_update_that_was_not_published_waits_for_whoever_published_it(synced, alice):
    asked = {"asked_by": alice, "asked_by_name": "Alice", "finished_at": timezone.now()}
    publication = Publication.objects.create(title="Our new report", description="It is here.", category="GENERAL", **asked)
    PublicationItem.objects.create(run=publication, state=ItemState.FAILED)
    kept_up()
    assert [(item.owner_id, item.role) for item in of("publication")] == [(alice.pk, Role.APPROVER)]
    PublicationItem.objects.update(state=ItemState.WAITING)
    Publication.objects.update(finished_at=None)
    kept_up()
    assert of("publication") == []


def test_a_removal_that_was_refused_waits_until_it_is_asked_for_again(synced, alice):
    contract = Contract.objects.first()
    asked = {"contract": contract, "asked_by": alice, "asked_by_name": "Alice"}
    Removal.objects.create(state=RemovalState.REFUSED, settled_at=timezone.now(), **asked)
    kept_up()
    assert [(item.object_id, item.owner_id, item.role) for item in of("contract_removal")] == [
        (contract.pk, alice.pk, Role.APPROVER)
    ]
    Removal.objects.create(**asked)
    kept_up()
    assert of("contract_removal") == []
    Removal.objects.filter(state=RemovalState.WAITING).update(state=RemovalState.REFUSED, settled_at=timezone.now())
    kept_up()
    assert len(of("contract_removal")) == 1
    Contract.objects.filter(pk=contract.pk).update(gone_at=timezone.now())
    kept_up()
    assert of("contract_removal") == []


def test_a_switch_that_did_not_move_waits_until_it_is_pressed_again(scoped, alice):
    category = Category.objects.create(platform_id="cat", name="SOC 2")
    now, pressed = timezone.now(), {"begun_by": alice, "begun_by_name": "Alice", "is_on": True}
    change = SwitchChange.objects.create(category=category, context="DOCUMENT_SHARING", **pressed)
    kept_up()
    assert of("tag_switch") == []
    SwitchChange.objects.filter(pk=change.pk).update(state=Switched.REFUSED, settled_at=now)
    kept_up()
    (item,) = of("tag_switch")
    assert (item.owner_id, item.role, item.visible_until) == (alice.pk, Role.ADMIN, now + timedelta(days=7))
    Category.objects.update(gone_at=now)
    kept_up()
    assert of("tag_switch") == []
    Category.objects.update(gone_at=None)
    SwitchChange.objects.update(state=Switched.CLOSED)
    kept_up()
    assert of("tag_switch") == []


def test_a_write_that_changes_nothing_notes_nothing(synced):
    kept_up()
    compare_with_platform()
    for row in Questionnaire.objects.all():
        row.save()
    Questionnaire.objects.update(priority=30)
    assert not Change.objects.exists()


def test_the_comparison_repairs_what_was_lost_and_what_is_too_much(synced, acme):
    kept_up()
    WorkItem.objects.filter(kind="questionnaire").delete()
    WorkItem.objects.create(kind="questionnaire", object_id=987654321, arrived_at=timezone.now())
    WorkItem.objects.create(kind="of an older release", object_id=1, arrived_at=timezone.now())
    assert stored() != said_by_desks()
    Pass.objects.update(compared_at=None)
    compare_work_items()
    sweep_work_items()
    assert stored() == said_by_desks()


def test_the_sweep_works_off_every_tenant_and_forgets_those_that_went(synced, acme, globex):
    with tenant_scope(globex.pk):
        DeletionRequest.objects.create(email="a@b.example", email_hash="h", masked_email="a…", requested_by_name="M")
    sweep_work_items()
    assert stored() == said_by_desks()
    assert not of("deletion_request")
    with tenant_scope(globex.pk):
        assert len(of("deletion_request")) == 1
        assert stored() == said_by_desks()


def standing() -> set[str]:
    with connection.cursor() as cursor:
        source = "pg_trigger" if connection.vendor == "postgresql" else "sqlite_master"
        column = "tgname" if connection.vendor == "postgresql" else "name"
        cursor.execute(f"SELECT {column} FROM {source} WHERE {column} LIKE %s", [f"{PREFIX}%"])  # noqa: S608
        return {name for (name,) in cursor.fetchall()}


def test_sqlite_is_migrated_without_the_triggers_and_what_was_written_meanwhile_is_found(scoped):
    kept_up()
    is_sqlite, wanted = connection.vendor == "sqlite", standing()
    remove(plan=[])
    assert standing() == wanted
    remove(plan=["a migration"])
    assert standing() == (set() if is_sqlite else wanted)
    renew()
    assert standing() == wanted
    assert (Pass.objects.get().compared_at is None) == is_sqlite


def test_the_triggers_stand_once_and_are_renewed():
    wanted = {each.name for each in triggers()}
    assert standing() == wanted
    lost = min(wanted)
    table = next(each.table for each in triggers() if each.name == lost)
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {lost} ON {table}" if connection.vendor == "postgresql" else f"DROP TRIGGER {lost}")
    renew()
    assert standing() == wanted


def test_a_customer_stays_to_be_corrected_until_they_are(synced, alice):
    now = timezone.now()
    drift = Drift.objects.create(question_key="k", question="Do you encrypt backups?", newest_at=now, checked_at=now)
    response = question()
    row = Correction.objects.create(drift=drift, response=response, right_answer="k", due_at=now, owner=alice)
    assert ("correction", row.pk) in kept_up()
    Correction.objects.update(state=CorrectionState.DONE)
    assert ("correction", row.pk) not in kept_up()


def test_what_is_ready_for_audit_waits_for_an_approver_until_it_is_decided(synced):
    # tests/audits_desk try what makes it ready.
    audit = Engagement.objects.create(platform_id="audit", name="SOC 2", customer="Northwind")
    common = {"engagement": audit, "status": "READY_FOR_AUDIT", "read_at": timezone.now()}
    request = InformationRequest.objects.create(platform_id="r", name="List of leavers", **common)
    item = EvidenceItem.objects.create(platform_id="e", name="Report", **common)
    kept_up()
    assert [(each.object_id, each.role) for each in of("audit_request")] == [(request.pk, Role.APPROVER)]
    assert [(each.object_id, each.role) for each in of("audit_evidence")] == [(item.pk, Role.APPROVER)]
    InformationRequest.objects.filter(pk=request.pk).update(status="AUDITOR_FLAGGED")
    Engagement.objects.filter(pk=audit.pk).update(completed_at=timezone.now())
    kept_up()
    assert of("audit_request") == of("audit_evidence") == []


def test_every_kind_of_work_is_tried_here():
    text = Path(__file__).read_text()
    assert all(f'"{kind.name}"' in text for kind in kinds())


@pytest.fixture(autouse=True)
def _database(db):
    """Every test here has one."""


def test_items_are_the_tenant_s_own(synced, globex):
    kept_up()
    with tenant_scope(globex.pk):
        assert kept_up() == {}


def test_assignable_people_are_offered(synced):
    AssignableUser.objects.create(platform_id="u1", name="Alice Ames", read_at=timezone.now())
    assert next(kind for kind in kinds() if kind.name == "questionnaire").actions["assign"].options() == [("u1", "Alice Ames")]


def test_a_mention_in_a_comment_comes_and_goes_with_its_answer(scoped, alice, member):
    Contract.objects.create(platform_id="paper", name="Paper", created_at=timezone.now())
    owner, analyst = find_member(user=alice), find_member(user=member(Role.ANALYST))
    add_comment(registered("contract"), "paper", "@analyst@acme.example which clause?", member=owner)
    kept_up()
    (item,) = of("comment")
    assert (item.owner_id, item.asked_by_id, item.role) == (analyst.user_id, alice.pk, Role.ANALYST)
    analyst.role = Role.VIEWER
    analyst.save()
    compare_work_items()
    kept_up()
    assert of("comment") == []
    analyst.role = Role.ANALYST
    analyst.save()
    sweep_work_items()
    add_comment(registered("contract"), "paper", "Clause 7", member=analyst)
    kept_up()
    assert of("comment") == []
