"""Guarantee S11: an address that is everywhere in the portal is nowhere afterwards, but masked and hashed in the ledger."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.core import mail
from django.core.files.base import ContentFile
from django.db import connection
from django.utils import timezone

from portal.access_requests.models import AccessRequest, Decision, Viewer
from portal.access_requests.services import schedule_decision
from portal.access_requests.services.store import store_access_request
from portal.access_requests.services.verification import FetchedRequest
from portal.accounts.models import Account
from portal.accounts.services import store_account
from portal.comments.services import add_comment, edit_comment
from portal.comments.subjects import registered
from portal.commitments.models import Commitment, Suggestion
from portal.commitments.services import Promised, add_commitment
from portal.contracts.models import Contract, Terms, Upload
from portal.contracts.services.store import store_contract
from portal.contracts.services.text_extraction import store_pages
from portal.customers.models import ImportRun
from portal.deletion_requests.addresses import fingerprint
from portal.deletion_requests.models import SecondLook, State
from portal.documents.models import Document as DocumentRow
from portal.documents.models import UploadAttempt
from portal.documents.services.store import store_document, store_user
from portal.engagements.models import InformationRequest
from portal.engagements.models import PartKind as AuditPartKind
from portal.engagements.services.store import store_engagement
from portal.engagements.services.store_details import store_part as store_audit_part
from portal.engagements.services.store_lists import FetchedLists, store_lists
from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.services.erasure import mentioning
from portal.incidents.services import IncidentFacts, open_incident, save_draft
from portal.incidents.services import Message as Letter
from portal.language_model.models import ModelCall
from portal.lib.text_extraction import Document
from portal.library.services import EntryContent, add_entry
from portal.library.services.store_knowledge import FetchedText, store_resource, store_text
from portal.notifications.kinds import ASSIGNED
from portal.notifications.services import notify
from portal.people.services.store import store_group, store_person
from portal.platform_api import models as remote
from portal.platform_api.models import audits, knowledge, vendors
from portal.platform_api.models.customer_trust import User
from portal.platform_api.models.documents import Document as RemoteDocument
from portal.platform_api.models.people import Group, Person
from portal.platform_api.models.risks import Issue, RiskScenario
from portal.platform_api.models.showcase import Subscriber, Update
from portal.platform_api.paging import Collected
from portal.questionnaires.models import (
    Assignment,
    BulkRun,
    DraftedAnswer,
    DraftingRun,
    ExpertFile,
    ExpertLink,
    Intake,
    Questionnaire,
    Response,
    Review,
)
from portal.questionnaires.services import Expert, ask_expert
from portal.questionnaires.tasks import mail_expert_links
from portal.risks.services.store import store_issue, store_issue_owner, store_scenario
from portal.saved_views.models import OwnView, SavedView
from portal.tenants import personal_data
from portal.tenants.models import Membership
from portal.tenants.texts import alone, named_in
from portal.trust_center.services.store_updates import store_subscriber, store_update
from portal.trust_center_activity.models import Conversation, Message
from portal.trust_center_activity.services.conversations import FetchedMessages, store_conversation, store_messages
from portal.vendors.models import Label, LabelKind, PartKind, Vendor
from portal.vendors.services.labels import FetchedLabels, store_labels
from portal.vendors.services.store import store_vendor, tell_decision
from portal.vendors.services.store_parts import store_part
from tests.deletion_requests.conftest import EMAIL, PAGE, check, erase, receive
from tests.deletion_requests.test_second_looks import come_round
from tests.support import tables
from tests.support.members import find_member
from tests.trust_center_activity.conftest import entry, store

KINDS = {
    "Access requests": 1,
    "Language model calls": 1,
    "Chatbot conversations": 1,
    "Comments": 2,
    "Comments and history of audits": 1,
    "Comments of decisions about vendors": 1,
    "Comments on access requests": 1,
    "Commitments": 1,
    "Contacts of groups": 1,
    "Deliveries of the platform": 2,
    "Drafted answers": 2,
    "Incidents": 3,
    "Knowledge base": 1,
    "Library answers": 1,
    "Library questions": 1,
    "Names of contracts": 1,
    "Names of files from experts": 1,
    "Names of imports of customers": 1,
    "Names of uploaded contracts": 1,
    "Names of uploaded documents": 1,
    "Notes of bulk changes": 1,
    "Notes on assigned questions": 1,
    "Notes on contracts": 1,
    "Notes to experts": 1,
    "Notifications": 1,
    "Own views": 1,
    "Owners of documents": 1,
    "Owners of vendors": 1,
    "Owners of issues": 1,
    "Owners of risk scenarios": 1,
    "People named in access requests": 1,
    "People named in answers": 1,
    "People named in audit controls": 1,
    "People named in audit evidence": 1,
    "People named in audits": 1,
    "People named in chatbot messages": 1,
    "People named in conversations": 1,
    "People named in information requests": 1,
    "People named in issues": 1,
    "People named in questionnaires": 1,
    "People named in reviews of vendors": 1,
    "People named in risk scenarios": 1,
    "People named in the fields of customers": 1,
    "People named in vendors": 1,
    "People of the company": 1,
    "People who added viewers": 1,
    "Submitted questionnaires": 1,
    "Questions to experts": 1,
    "Reasons of access decisions": 1,
    "Reasons of reviews": 1,
    "Recipients of updates": 1,
    "Text of contracts": 1,
    "Text of the knowledge base": 1,
    "Saved views": 1,
    "Subscribers of documents": 1,
    "Subscribers of updates": 1,
    "Suggested commitments": 1,
    "Trust Center activity": 2,
    "Viewers": 1,
}
DATABASE = ".sqlite3"
"""In the names of its files, with what each process of the tests and SQLite itself add behind it."""


def dump() -> str:
    """Every cell of every table, in small letters."""
    return tables.dump().casefold()


def files() -> str:
    """Everything that is kept beside the database, which `dump` reads: names of files and what is in them."""
    folders = (Path(settings.DATA_DIR), Path(settings.MEDIA_ROOT))
    paths = [path for folder in folders for path in folder.rglob("*") if path.is_file() and DATABASE not in path.name]
    return "\n".join(f"{path}\n{path.read_bytes().decode('utf-8', 'replace')}" for path in paths).casefold()


def logged(caplog: pytest.LogCaptureFixture) -> str:
    """Every line of any logger since the person was first heard of."""
    records = [record for phase in ("setup", "call") for record in caplog.get_records(phase)]
    return "\n".join(caplog.handler.format(record) for record in records).casefold()


def name_in_vendors(jane: str) -> None:
    """Jane manages a vendor's account, reviews it, and owns its security; a decision names her."""
    manager = {
        "accountManagerName": "Jane",
        "accountManagerEmail": jane,
        "servicesProvided": f"Ask {jane.upper()}, not{jane}.other",
    }
    store_vendor(vendors.Vendor.read({"id": "cloud", "name": "Cloud", "status": "MANAGED", **manager}))
    vendor = Vendor.objects.get(platform_id="cloud")
    owner = {"id": "u", "type": "USER", "displayName": "Jane", "email": jane}
    review = vendors.SecurityReview.read({"id": "review", "owner": owner, "comments": f"{jane} said so"})
    store_part(vendor, PartKind.REVIEW, review, asked_at=timezone.now())
    label = Label(kind=LabelKind.USER, platform_id="u", name="Jane", folded_email=jane.casefold())
    store_labels(FetchedLabels(timezone.now(), [label], frozenset({LabelKind.USER})))
    tell_decision(vendor, status="APPROVED", decided_at=timezone.now(), comments=f"As {jane} says")


def name_in_audits(jane: str) -> None:
    """Jane audits, owns a control, and has commented; a request and evidence mention her."""
    store_engagement(audits.Audit.read({"id": "audit", "displayName": "SOC 2", "allowAuditorEmails": [jane]}))
    said = {"description": f"Ask {jane.upper()}, not not{jane}.other"}
    request = audits.InformationRequest.read({"id": "r", "title": "List", "approvalStatus": "READY_FOR_AUDIT", **said})
    evidence = audits.AuditEvidence.read({"id": "e", "name": "Report", "status": "Accepted", **said})
    control = audits.AuditControl.read({"id": "c", "name": "Keys", "owner": {"displayName": "Jane", "emailAddress": jane}})
    lists = (Collected([request]), Collected([evidence]), Collected([control]))
    store_lists(FetchedLists("audit", timezone.now(), *lists))
    row = InformationRequest.objects.select_related("engagement").get()
    comment = audits.Comment.read({"id": "said", "text": f"{jane} knows", "email": jane, "authorName": "Jane"})
    store_audit_part(row, AuditPartKind.REQUEST_COMMENT, comment, asked_at=timezone.now())


def name_by_others(jane: str) -> None:
    """John asks for access, and talks to the chatbot; both times he speaks of Jane."""
    john, since = "john@northwind.example", "2026-01-05T09:00:00.000Z"
    asked = {"id": "asks", "email": john, "reason": f"As {jane.upper()} has, not not{jane}.other", "creationDate": since}
    store_access_request(FetchedRequest(remote.AccessRequest.read(asked), is_open=True))
    talk = {"id": "about", "firstMessage": f"Is it\n{jane}?", "numMessages": 1, "userEmail": john, "createdAt": since}
    store_conversation(remote.Conversation.read(talk))
    word = remote.ChatMessage.read({"id": "answer", "role": "ASSISTANT", "message": f"Yes, write to {jane}."})
    store_messages(FetchedMessages("about", [word]))


def name_in_notes(jane: str, question: Response, member: Membership) -> None:
    """Jane is in what people typed on the questionnaires desk, each time beside somebody else."""
    note = f"Ask {jane.upper()}, not not{jane}.other"
    Assignment.objects.create(response=question, owner_id="owner", note=note, made_by_name="Alice")
    ask_expert(Expert(email="john@northwind.example", note=note), member=member, responses=[question])
    BulkRun.objects.create(action="assign", note=note, asked_by=member.user, asked_by_name="Alice", finished_at=timezone.now())
    Review.objects.create(response=question, verdict="returned", reason=note, by_name="Alice", answer_digest="d")
    said = {"requester": jane, "notes": note}
    words = {"name": f"{jane} sheet", "filename": f"{jane.upper()}.xlsx", "description": f"no {jane}"}
    Intake.objects.create(kind="OTHER", fingerprint="f", state="absent", origin=said, typed=said, **words)


def name_in_files(jane: str, member: Membership) -> None:
    """Jane is in the names of files and contracts, beside somebody else."""
    name = f"{jane.upper()} and not{jane}.other.pdf"
    upload = {"external_id": f"{jane}.pdf", "state": "refused", "uploaded_by_name": "Alice", "last_error": f"no {jane}"}
    Upload.objects.create(filename=name, **upload)
    contract = {"id": "named", "name": f"With {jane}", "externalId": f"{jane}.pdf"}
    store_contract(remote.Contract.read(contract))
    UploadAttempt.objects.create(document=DocumentRow.objects.get(platform_id="proof"), file_name=name, state="absent")
    ImportRun.objects.create(filename=name, asked_by=member.user, asked_by_name="Alice", finished_at=timezone.now())
    ExpertFile.objects.create(link=ExpertLink.objects.exclude(email=jane.casefold())[0], filename=name, size=1)


def send_as_expert(jane: str) -> None:
    """Jane answers with a file of her own; its name and its text name her."""
    content = ContentFile(f"Signed: {jane}".encode(), name=f"{jane}.txt")
    link = ExpertLink.objects.get(email=jane.casefold())
    ExpertFile.objects.create(link=link, file=content, filename=f"{jane}.txt", size=content.size)


@pytest.fixture
def everything_is_said(caplog, settings, tmp_path) -> None:
    """Every logger speaks from now on, and files lie in a folder of the test's own."""
    caplog.set_level(logging.DEBUG)
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture
def everywhere(everything_is_said, approver, jane, deliver, alice) -> str:
    """Jane in every room of acme: asked for, decided, active, talking, asked as an expert, named by events."""
    member = find_member(user=alice)
    request = AccessRequest.objects.get(platform_id="jane")
    AccessRequest.objects.filter(pk=request.pk).update(name="")  # then its address is all it can be called by
    schedule_decision(request, verb="deny", reason=f"{jane} is a competitor", member=member)
    name_by_others(jane)
    others = AccessRequest.objects.get(platform_id="asks")
    schedule_decision(others, verb="deny", reason=f"{jane} knows why", member=member)
    store(entry(email=jane), entry(email=None, viewerId=f"viewer-of-{jane}"), entry(email="john@northwind.example"))
    talk = Conversation.objects.create(
        platform_id="talk", email=jane, folded_email=jane.casefold(), first_message=f"I am {jane}", created_at=timezone.now()
    )
    Message.objects.create(conversation=talk, platform_id="word", text=f"write to {jane}", folded=jane.casefold())
    now = timezone.now()
    colleague = {"id": "u", "email": jane}
    sheet = Questionnaire.objects.create(
        platform_id="sheet",
        name="Sheet",
        status="NEW",
        created_at=now,
        updated_at=now,
        payload={"statusLog": [{"status": "NEW", "updatedBy": colleague}]},
    )
    question = Response.objects.create(
        questionnaire=sheet, platform_id="question", position=1, question="Who?", payload={"approvedBy": colleague}
    )
    drafting = DraftingRun.objects.create(questionnaire=sheet, asked_by=alice)
    DraftedAnswer.objects.create(run=drafting, response=question, state="offered", values={"p1": f"Ask {jane.upper()}."})
    other = Response.objects.create(questionnaire=sheet, platform_id="other", position=2, question="Who else?", payload={})
    written = [{"text": f"Ask {jane}.", "sources": [0]}]
    DraftedAnswer.objects.create(run=drafting, response=other, state="offered", sentences=written)
    ModelCall.objects.create(
        question=f"May {jane} call?", sent=f"not{jane}.other", answered=f"Ask {jane.upper()}.", outcome="used"
    )
    Viewer.objects.filter(platform_id="john").update(payload={"addedByUser": colleague})
    store_person(Person.read({"id": "staff", "emailAddress": jane, "name": {"display": "Jane"}, "groupIds": ["team"]}))
    store_group(Group.read({"id": "team", "name": "Team", "pointOfContact": {"email": jane, "displayName": "Jane"}}))
    name_in_vendors(jane)
    name_in_audits(jane)
    store_issue_owner(User.read({"id": "u", "email": jane, "displayName": jane}))
    asked = [{"label": "Contact", "value": jane}]
    issue = {"id": "issue", "title": "Old access", "status": "NOT_STARTED", "detectedDate": "2026-01-05T09:00:00.000Z"}
    store_issue(Issue.read(issue | {"owners": [{"ownerType": "USER", "ownerId": "u"}], "customFields": asked}))
    store_scenario(RiskScenario.read({"id": "risk", "description": "A laptop is stolen", "owner": jane}))
    store_scenario(RiskScenario.read({"id": "other", "description": "A fire", "customFields": asked}))
    since = {"creationDate": "2026-01-05T09:00:00.000Z"}
    store_subscriber(Subscriber.read({"id": "reader", "email": jane, "isEmailVerified": True, "groups": [], **since}))
    news = {"title": "New report", "description": "It is here.", "category": "GENERAL", "visibilityType": "PUBLIC"}
    told = {"updatedDate": since["creationDate"], "notifiedEmails": [jane, f"not{jane}.other"], **since}
    store_update(Update.read({"id": "news", **news, **told}))
    store_user(remote.User.read({"id": "u", "email": jane, "displayName": "Jane"}))
    proof = {"id": "proof", "title": "Proof", "ownerId": "u", "subscribers": [jane, f"not{jane}.other"]}
    store_document(RemoteDocument.read(proof))
    ask_expert(Expert(email=jane.casefold(), name="Jane", note=f"dear {jane}"), member=member, responses=[question])
    send_as_expert(jane)
    name_in_notes(jane, other, member)
    name_in_files(jane, member)
    mail_expert_links(member.tenant_id)
    mail.outbox.clear()
    Commitment.objects.create(account_id="northwind", term="breach-notice", words="at once", created_by_name="Alice")
    SavedView.objects.create(list_key="viewers", name="Theirs", query=urlencode({"q": jane}))
    OwnView.objects.create(owner=alice, list_key="portfolio", name=jane, query=urlencode({"q": jane}))
    facts = IncidentFacts(name="Leak", noticed_at=now, kinds=["personal"], concerns_all=True, notes=f"{jane} saw it")
    incident = open_incident(facts, member=member)
    save_draft(incident.notices.get(), Letter("Leak", f"Dear {jane}"), seen=0, member=member)
    contract = Contract.objects.create(platform_id="paper", name="Paper", created_at=now)
    store_pages(contract, Document(2, {1: f"Write to {jane} or not{jane}.other.", 2: f"Only to not{jane}.other."}))
    contracts = registered("contract")
    said, _ = add_comment(contracts, "paper", f"She is {jane.upper()}", member=member)
    edit_comment(said, f"Ask {jane}, not not{jane}.other", member=member)
    add_comment(registered("access_request"), "jane", f"{jane} again", member=member)
    notify(ASSIGNED, [member.user_id], key="jane", title="Asked", text=f"what {jane} wants", url=lambda slug: f"/t/{slug}/")
    Terms.objects.create(contract=contract, platform_id="paper", notes=f"ask {jane.upper()}, she knows")
    northwind = {
        "id": "northwind",
        "name": "Northwind",
        "emailDomain": "northwind.example",
        "customFields": [{"label": "Contacts", "value": [f"Jane <{jane}>", f"not{jane}.other"]}],
    }
    store_account(remote.Account.read(northwind))
    account = Account.objects.get(platform_id="northwind")
    add_commitment(
        account,
        Promised(term="breach-notice", words="promptly", quote=f"tell <{jane.upper()}>.", notify=f"{jane}, not{jane}.other"),
        member=member,
    )
    asked = [(f"Is {jane.upper()} your DPO?", False)]
    resource = {"id": "k", "type": "FILE", "title": "Contacts", "description": f"Ask {jane}.", "lastUpdated": now.isoformat()}
    store_resource(knowledge.KnowledgeResource.read(resource))
    store_text(FetchedText("k", Document(1, {1: f"Call {jane} at night, never before."})))
    add_entry(
        EntryContent(question=f"May {jane} call?", text=f"Ask {jane}, not not{jane}.other", variants=asked), member=member
    )
    Suggestion.objects.create(
        contract=Contract.objects.create(platform_id="contract", created_at=now),
        fingerprint="f",
        term="breach-notice",
        words="promptly",
        page=1,
        quote=f"write to {jane}, at once",
    )
    assert deliver({"accessRequest": {"id": "jane", "email": jane.upper(), "status": "PENDING"}}).status_code == 204
    assert deliver({"somebody": {"mail": f"Ask\n{jane}"}}).status_code == 204
    assert deliver({"somebody": {"mail": f"not{jane}.other"}}).status_code == 204
    return jane


def test_s11_an_address_that_is_everywhere_is_nowhere_afterwards(
    approver, everywhere, caplog, django_capture_on_commit_callbacks
):
    assert personal_data.count(everywhere) == KINDS
    assert Decision.objects.filter(access_request__platform_id="jane").exists()
    assert dump().count(everywhere.casefold()) > 10
    assert everywhere.casefold() in files()
    row = receive(approver, everywhere, note=f"mail of {everywhere}")
    approver.get(f"{PAGE}{row.reference}/review/")
    check(approver, row, note=f"{everywhere.upper()} answered")
    approver.post(f"{PAGE}find/", {"email": everywhere}, follow=True)
    with django_capture_on_commit_callbacks(execute=True):
        approver.post(f"{PAGE}{row.reference}/send/", {"again": everywhere})
    come_round(SecondLook.objects.get())
    row.refresh_from_db()
    assert (row.state, row.found, row.erased) == (State.ERASED, KINDS, KINDS)
    folded = everywhere.casefold()
    # The other one's address, which only ends like this one, stays.
    left = dump().replace(f"not{folded}.other", "")
    assert folded not in left
    assert row.masked_email.casefold() in left
    assert fingerprint(everywhere) in left
    assert folded not in files()
    assert folded not in logged(caplog)
    assert personal_data.count(everywhere) == {}
    # What the platform goes on sending of the customer is stored without the address.
    again = [{"label": "Contacts", "value": f"{everywhere.upper()}, not{everywhere}.other"}]
    store_account(remote.Account.read({"id": "northwind", "name": "Northwind", "customFields": again}))
    assert Account.objects.get().custom_fields[0]["value"] == f"[erased], not{everywhere}.other"
    # So do notes, without it.
    note = f"Ask [erased], not not{everywhere}.other"
    assert {each.objects.get().note for each in (Assignment, ExpertLink, BulkRun)} == {note}
    assert Review.objects.get().reason == note
    handed_in = Intake.objects.get()
    assert handed_in.origin == handed_in.typed == {"requester": "[erased]", "notes": note}
    assert (handed_in.name, handed_in.filename) == ("[erased] sheet", "[erased].xlsx")
    name = f"[erased] and not{everywhere}.other.pdf"
    assert {each.objects.get().filename for each in (Upload, ImportRun, ExpertFile)} == {name}
    store_contract(remote.Contract.read({"id": "named", "name": f"With {everywhere}", "externalId": f"{everywhere}.pdf"}))
    assert Contract.objects.get(platform_id="named").title == "With [erased]"
    # What others have written stays without it, also what is fetched again, and what it is found by.
    for _ in range(2):
        asks, about = AccessRequest.objects.get(platform_id="asks"), Conversation.objects.get(platform_id="about")
        assert (asks.email, asks.reason) == ("john@northwind.example", f"As [erased] has, not not{everywhere}.other")
        assert (about.first_message, about.messages.get().text) == ("Is it\n[erased]?", "Yes, write to [erased].")
        assert about.search.split() == ["is", "it", "erased", "yes", "write", "to", "erased"]
        assert folded not in dump().replace(f"not{folded}.other", "")
        name_by_others(everywhere)
    # Of a vendor its manager's name goes with the address, and what else it says stays.
    cloud = Vendor.objects.get(platform_id="cloud")
    assert (cloud.payload["accountManagerName"], cloud.payload["accountManagerEmail"]) == ("[erased]", "[erased]")
    assert cloud.search == f"cloud ask [erased], not{folded}.other"
    # The promise is the company's: it stays, without the address.
    promise = Commitment.objects.exclude(quote="").get()
    assert (promise.quote, promise.notify) == ("tell <[erased]>.", f"[erased], not{everywhere}.other")


@pytest.mark.parametrize(
    "text",
    [
        "Is it {}?",
        "{}!",
        "[{}]",
        "**{}**",
        "mailto:{}?subject=hi",
        "q={}",
        "{}/x@y.example",
        "So {}…",
        "{}.pdf",
        "{}.docx, of May",
    ],
)
def test_s11_an_address_with_a_mark_beside_it_is_known(text):
    email = "jane.doe@northwind.example"
    assert alone(email).search(text.format(email.upper()))
    assert email in named_in(text.format(email.upper()))
    assert email not in named_in(text.format(f"not{email}")) | named_in(text.format(f"{email}.other"))
    assert not alone(email).search(text.format(f"{email}.other"))
    assert not alone(email).search(text.format(f"{email}.pdf.other"))


def test_w1_the_name_of_what_is_under_way_stays_until_it_is_known_what_came_of_it(scoped):
    names = {"filename": f"{EMAIL}.pdf", "uploaded_by_name": "Alice"}
    waiting = Upload.objects.create(external_id=f"{EMAIL}.pdf", state="waiting", **names)
    doubted = Upload.objects.create(external_id=f"B {EMAIL}.pdf", state="uncertain", **names)
    sheet = Intake.objects.create(name=f"{EMAIL} sheet", kind="OTHER", fingerprint="f", state="uncertain")
    assert personal_data.count(EMAIL) == personal_data.erase(EMAIL) == {"Names of uploaded contracts": 1}
    for row in (waiting, doubted, sheet):
        row.refresh_from_db()
    assert (waiting.external_id, waiting.filename, waiting.attempts) == ("[erased].pdf", "[erased].pdf", 1)
    assert (doubted.external_id, sheet.name) == (f"B {EMAIL}.pdf", f"{EMAIL} sheet")
    assert EMAIL.casefold() in set(personal_data.addresses()), "the follow-up check finds them"
    Upload.objects.filter(pk=doubted.pk).update(state="done")
    Intake.objects.filter(pk=sheet.pk).update(state="absent")
    assert personal_data.erase(EMAIL) == {"Names of uploaded contracts": 1, "Submitted questionnaires": 1}


def test_s11_what_stands_in_place_of_a_short_address_fits_into_every_column(scoped):
    short = "j@n.eu"
    sheet = Intake.objects.create(
        name=(f"{short} " * 72)[:500], filename=f"{'x' * 244} {short}.pdf", kind="OTHER", state="absent"
    )
    upload = Upload.objects.create(external_id="B", filename=sheet.filename, uploaded_by_name="Alice", state="done")
    assert personal_data.erase(short)
    for row, column in ((sheet, "name"), (sheet, "filename"), (upload, "filename")):
        row.refresh_from_db()
        text = getattr(row, column)
        assert short not in text and "[erased" in text
        assert len(text) <= row._meta.get_field(column).max_length


def test_s11_the_quick_way_leaves_no_trace_either(approver, everywhere, caplog, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        assert erase(approver, everywhere).erased == KINDS
    assert everywhere.casefold() not in dump().replace(f"not{everywhere.casefold()}.other", "")
    assert everywhere.casefold() not in files()
    assert everywhere.casefold() not in logged(caplog)


def test_every_kind_that_can_be_found_is_tried_here(everywhere):
    assert sorted(KINDS) == personal_data.kinds()
    assert everywhere.casefold() in set(personal_data.addresses())


def test_a_delivery_that_was_cut_is_known_and_not_replayed(approver, everywhere):
    Delivery.objects.filter(pk=mentioning(everywhere)[0].pk).update(state=DeliveryState.DEAD)
    erase(approver, everywhere)
    cut = Delivery.objects.filter(is_cut=True)
    assert {(bytes(each.body), each.is_waiting) for each in cut} == {(b"", False)}
    assert not cut.filter(state=DeliveryState.DEAD).exists()
    assert Delivery.objects.count() == 3
    page = approver.get(f"/t/acme/settings/webhooks/{cut[0].pk}/", follow=True)
    assert EMAIL.encode() not in page.content


def test_s11_of_a_contract_only_the_address_goes(approver, everywhere):
    erase(approver, everywhere)
    pages = list(Contract.objects.get(platform_id="paper").pages.values_list("text", flat=True))
    other = f"not{everywhere}.other"
    assert pages == [f"Write to [erased] or {other}.", f"Only to {other}."]
    assert Terms.objects.get().notes == "ask [erased], she knows"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no such switch; its vacuum reuses the room")
def test_s11_what_is_deleted_is_overwritten_in_the_file(tmp_path):
    """A file of the test's own, opened as the portal opens its database: a test's transaction never reaches the real one."""
    path = tmp_path / "portal.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.executescript(connection.settings_dict["OPTIONS"]["init_command"])
        database.execute("CREATE TABLE people (email text)")
        database.execute("INSERT INTO people VALUES ('gone@traces.example')")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert b"gone@traces.example" in path.read_bytes()
        database.execute("DELETE FROM people")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"gone@traces.example" not in path.read_bytes()
