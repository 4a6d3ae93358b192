"""The platform's knowledge base: its list, the text of its files, and what of it answers a question."""

import csv
from io import BytesIO

import pytest
import time_machine
from django.utils import timezone

from portal.audit.models import Entry
from portal.connections.services import Urgency, client_for
from portal.lib import text_extraction as lib_text_extraction
from portal.lib.text_extraction import MAX_WAIT_SECONDS, Document, reading_slot
from portal.library.kinds import KNOWLEDGE_RESOURCE, KNOWLEDGE_TEXT
from portal.library.lexicon import edition
from portal.library.mirror import MIRRORS
from portal.library.models import KnowledgeResource, Passage, PassagePosting, TextState
from portal.library.selectors import find_passages
from portal.library.services import renew_postings, tenants_with_outdated_postings, text_extraction
from portal.library.services.store_knowledge import FetchedText, store_text
from portal.library.services.text_extraction import NOT_FETCHED, OTHER_TYPE, TOO_LONG, read_file
from portal.library.similarity import Search
from portal.sandbox.policies import policies
from portal.sync.models import Run, RunState, StaleMark
from portal.sync.services import mark_stale
from portal.tenants import erased_people, personal_data
from portal.tenants.models import Role
from portal.tenants.offboarding import purge
from portal.tenants.scope import tenant_scope
from tests.commands.test_search import found
from tests.contracts.papers import paper
from tests.library.conftest import PAGE
from tests.support.desks import MirroredDesk
from tests.support.kept import after

pytestmark = pytest.mark.both

LIST = f"{PAGE}knowledge-base/"
FILES = "/v1/knowledge-base/resources"
KEPT = {"Cryptography standard", "Secure development guideline", "Status page"}
"""A PDF, a Word document and a page."""


class Desk(MirroredDesk):
    mirrors = MIRRORS

    def add(self, content: bytes = b"Backups are kept for forty-one days.", **fields: object) -> KnowledgeResource:
        """Add a file to the knowledge base, and read it."""
        title = str(fields.pop("title", "Retention note"))
        documents = client_for(Urgency.PERSON).knowledge_base.documents
        self.document = documents.create(BytesIO(content), filename="note.txt", title=title, **fields)
        self.compare()
        return self.stored()

    def stored(self) -> KnowledgeResource:
        return KnowledgeResource.objects.get(platform_id=self.document.id)

    def reads(self) -> int:
        return len([each for each in self.calls("GET", FILES) if each["path"] != FILES])


@pytest.fixture
def whole_desk(connected, scoped, sandbox, platform_tenant, owner) -> Desk:
    """With every document that the sandbox begins with."""
    desk = Desk(sandbox, platform_tenant["tenant_id"])
    desk.compare()
    return desk


def copied(sandbox, tenant_id) -> None:
    """Copy three of them: to read a PDF takes a process."""
    desk = Desk(sandbox, tenant_id)
    for key, one in desk.there("knowledge-resources").items():
        if one["title"] not in KEPT:
            desk.objects.delete(tenant_id, "knowledge-resources", key)
    desk.compare()


@pytest.fixture
@after(copied)
def desk(connected, scoped, sandbox, platform_tenant, owner) -> Desk:
    return Desk(sandbox, platform_tenant["tenant_id"])


def ask(question: str) -> list[str]:
    return [str(each.passage.resource) for each in find_passages(Search(question), most=5)]


def test_every_resource_is_here_and_every_file_is_read(whole_desk):
    desk = whole_desk
    there = desk.there("knowledge-resources")
    rows = {row.platform_id: row for row in KnowledgeResource.objects.all()}
    assert rows.keys() == there.keys()
    for key, said in there.items():
        assert (rows[key].title, rows[key].type) == (said["title"], said["type"])
        assert rows[key].text_state == (TextState.READ if said["type"] == "FILE" else TextState.PAGE)
    standard = KnowledgeResource.objects.get(title="Cryptography standard")
    text = " ".join(standard.passages.values_list("text", flat=True))
    for paragraph in policies()[standard.title]:
        assert paragraph in text


def test_a_file_is_read_once_and_again_when_it_changes(desk):
    row, before = desk.add(), desk.reads()
    desk.compare()
    assert desk.reads() == before
    assert Run.objects.get(kind=KNOWLEDGE_RESOURCE).changed == 0
    kept = set(row.passages.values_list("pk", flat=True))
    documents = client_for(Urgency.PERSON).knowledge_base.documents
    documents.replace(row.platform_id, BytesIO(b"Backups are kept for ninety days."), filename="note.txt")
    desk.compare()
    [passage] = row.passages.all()
    assert passage.text == "Backups are kept for ninety days."
    assert passage.pk not in kept


def test_what_is_gone_there_answers_nothing_and_comes_back_read(desk):
    row = desk.add()
    assert "Retention note" in ask("How long are backups kept?")
    body = desk.objects.get(desk.tenant_id, "knowledge-resources", row.platform_id)
    desk.objects.delete(desk.tenant_id, "knowledge-resources", row.platform_id)
    desk.compare()
    assert desk.stored().gone_at
    assert "Retention note" not in ask("How long are backups kept?")
    desk.objects.add(desk.tenant_id, "knowledge-resources", body)
    desk.compare()
    assert (desk.stored().gone_at, desk.stored().text_state) == (None, TextState.READ)
    assert "Retention note" in ask("How long are backups kept?")


@pytest.mark.parametrize(
    ("content", "state", "problem"),
    [
        (b"\xef\xbb\xbfWe do.", TextState.READ, ""),
        (b"", TextState.NONE, ""),
        (b"\xff\xfe\x00\x01", TextState.FAILED, OTHER_TYPE),
        (b"A\x00B", TextState.FAILED, OTHER_TYPE),
        (b"%PDF-1.4 of nothing", TextState.FAILED, "damaged"),
    ],
    ids=["text", "empty", "binary", "nul", "pdf"],
)
def test_other_files_say_why_they_have_no_text(desk, content, state, problem):
    row = desk.add(content)
    assert row.text_state == state
    assert problem in row.problem
    assert row.passages.exists() == (state == TextState.READ)


def test_a_long_text_is_cut_within_no_letter(monkeypatch):
    monkeypatch.setattr(text_extraction, "MAX_TEXT_BYTES", 6)
    read = read_file(BytesIO("Größe und mehr".encode()))
    assert (read.pages[0], read.remark) == ("Größ"[:4], TOO_LONG)


def test_a_file_that_is_too_large_or_not_there_is_said(desk, monkeypatch, sandbox):
    monkeypatch.setattr(text_extraction, "MAX_BYTES", 3)
    row = desk.add()
    assert (row.text_state, row.problem) == (TextState.FAILED, NOT_FETCHED)


@pytest.mark.parametrize("status", [400, 403, 410])
def test_a_file_whose_address_has_expired_is_asked_for_once_more(desk, sandbox, status):
    sandbox.fail("status", method="GET", path="/files/knowledge", value=status, times=1)
    row = desk.add()
    assert (row.text_state, row.problem) == (TextState.READ, "")


def test_q6_a_storage_that_is_too_busy_for_one_file_keeps_nothing_else_of_the_tenant_waiting(desk, sandbox):
    desk.add()
    files = KnowledgeResource.objects.present().filter(type="FILE").values_list("platform_id", flat=True)[:2]
    for each in files:
        mark_stale(KNOWLEDGE_TEXT, each)
    sandbox.fail("status", method="GET", path="/files/knowledge", value=429, times=1)
    desk.drain()
    assert StaleMark.objects.waiting().count() == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_a_file_whose_address_is_dead_is_said_and_asked_for_no_more(desk, sandbox, status):
    sandbox.fail("status", method="GET", path="/files/knowledge", value=status, times=9)
    row = desk.add()
    assert (row.text_state, row.problem) == (TextState.FAILED, NOT_FETCHED)
    assert not StaleMark.objects.waiting().exists()


def test_a_text_that_comes_after_its_resource_is_gone_or_a_page_is_not_kept(desk):
    row = desk.add()
    late = FetchedText(row.platform_id, Document(1, {1: "Too late to be of any use."}))
    for change in ({"type": "URL"}, {"gone_at": timezone.now()}):
        KnowledgeResource.objects.filter(pk=row.pk).update(**change)
        assert not store_text(late)
        KnowledgeResource.objects.filter(pk=row.pk).update(type="FILE", gone_at=None)
    assert "Too late" not in str(list(row.passages.all()))
    assert store_text(late)


def test_before_the_first_copy_and_without_a_resource_the_list_says_so(client, desk):
    KnowledgeResource.objects.all().delete()
    assert "No documents yet" in client.get(LIST).content.decode()
    Run.objects.all().delete()
    assert "Fetching the knowledge base" in client.get(LIST).content.decode()


def test_a_hostile_pdf_has_less_time_than_a_task(monkeypatch):
    seen = []
    monkeypatch.setattr(text_extraction, "read_document", lambda file, seconds: seen.append(seconds) or Document())
    read_file(BytesIO(b"%PDF-1.7"))
    assert seen == [text_extraction.READ_SECONDS]
    assert text_extraction.FETCH_SECONDS + MAX_WAIT_SECONDS + text_extraction.READ_SECONDS < 100


def test_a_file_that_others_keep_waiting_is_read_a_moment_later_and_nothing_is_wrong_with_it(desk, monkeypatch, caplog):
    monkeypatch.setattr(lib_text_extraction, "MAX_WAIT_SECONDS", 0)
    with reading_slot(), reading_slot():
        row = desk.add(paper("Backups are kept for forty-one days."))
        assert (row.text_state, row.problem) == (TextState.WAITING, "")
    mark = StaleMark.objects.waiting().get(kind=KNOWLEDGE_TEXT)
    assert (mark.attempts, mark.last_error) == (0, "Other documents are being read first.")
    assert caplog.records == []
    with time_machine.travel(mark.due_at):
        desk.drain()
    assert desk.stored().text_state == TextState.READ


def test_a_failing_platform_is_asked_again_and_keeps_no_other_waiting(desk, sandbox):
    row = desk.add()
    StaleMark.objects.all().delete()
    desk.change("knowledge-resources", row.platform_id, lastUpdated="2027-01-01T00:00:00.000Z")
    sandbox.fail("status", method="GET", path=f"{FILES}/{row.platform_id}", value=503, times=9)
    desk.compare()
    assert desk.stored().text_state == TextState.WAITING
    assert Run.objects.get(kind=KNOWLEDGE_RESOURCE).state == RunState.DONE
    assert StaleMark.objects.get(kind=KNOWLEDGE_TEXT, object_id=row.platform_id).due_at


def test_the_document_that_answers_comes_first(whole_desk):
    expected = {
        "Do you rotate encryption keys?": "Cryptography standard",
        "How often do you test restoring from backups?": "Backup and restore procedure",
        "Is MFA enforced for production access?": "Access control standard",
        "Within how many hours are customers told of a data breach?": "Incident response plan",
        "Do you perform annual pen tests?": "Secure development guideline",
        "Are subprocessors bound by a DPA?": "Supplier security policy",
    }
    assert {question: ask(question)[0] for question in expected} == expected


def test_of_a_document_the_best_passage_stands_for_it(desk):
    titles = ask("Do you encrypt data at rest with AES-256?")
    assert len(titles) == len(set(titles))


def test_what_is_not_used_in_questionnaires_answers_nothing(desk):
    desk.add(is_used_in_questionnaires="false")
    assert "Retention note" not in ask("How long are backups kept?")


def test_another_lexicon_makes_the_postings_anew(desk):
    row = desk.add()
    Passage.objects.filter(resource=row).update(edition="old")
    PassagePosting.objects.filter(passage__resource=row).delete()
    assert tenants_with_outdated_postings() != []
    while renew_postings():
        pass
    assert set(row.passages.values_list("edition", flat=True)) == {edition()}
    assert PassagePosting.objects.filter(passage__resource=row).exists()
    assert tenants_with_outdated_postings() == []


def test_the_list_says_of_each_how_its_text_stands(client, desk):
    desk.add(b"\xff\xfe")
    page = client.get(LIST)
    assert len(page.context["page"].rows) == KnowledgeResource.objects.count()
    assert "Could not be read" in page.content.decode()
    assert [str(row) for row in client.get(LIST, {"tab": "failed"}).context["page"].rows] == ["Retention note"]
    assert [str(row) for row in client.get(LIST, {"q": "retention"}).context["page"].rows] == ["Retention note"]
    assert client.get(LIST, {"q": "zebra"}).status_code == 200


def test_the_page_shows_the_text_and_no_signed_address(client, desk):
    standard = KnowledgeResource.objects.get(title="Cryptography standard")
    page = client.get(f"{LIST}{standard.platform_id}/").content.decode()
    assert "rotated once a year" in page
    assert "Page 1" in page
    assert "signature" not in page.lower()
    web = KnowledgeResource.objects.filter(text_state=TextState.PAGE)[0]
    page = client.get(f"{LIST}{web.platform_id}/").content.decode()
    assert f'href="{web.url}"' in page
    assert "Web pages aren't read" in page


def test_what_is_no_address_of_the_web_is_no_link(client, desk):
    web = KnowledgeResource.objects.filter(text_state=TextState.PAGE)[0]
    desk.change("knowledge-resources", web.platform_id, url="javascript:alert(1)")
    desk.compare()
    assert "javascript:" not in client.get(f"{LIST}{web.platform_id}/").content.decode()


def test_it_is_found_from_everywhere(client, desk):
    assert "Cryptography standard" in str(found(client, "cryptography"))


def test_s11_an_address_is_found_erased_and_does_not_come_back(desk):
    email = "jane@customer.example"
    row = desk.add(f"Ask {email} about backups.".encode(), description=f"By {email}")
    assert personal_data.count(email) == {"Knowledge base": 1, "Text of the knowledge base": 1}
    erased_people.erase(email)
    assert row.passages.get().text == "Ask [erased] about backups."
    desk.change("knowledge-resources", row.platform_id, lastUpdated="2027-01-01T00:00:00.000Z")
    desk.compare()
    assert row.passages.get().text == "Ask [erased] about backups."
    assert desk.stored().description == "By [erased]"


def test_s8_the_file_is_what_the_list_shows_guarded_and_is_written_down(client, whole_desk, member):
    client.force_login(member(Role.ANALYST))
    page = KnowledgeResource.objects.present().filter(text_state=TextState.PAGE)[0]
    KnowledgeResource.objects.filter(pk=page.pk).update(description="=cmd()")
    for query in ("", f"?tab={TextState.PAGE}", "?q=cryptography", "?q=nothing-is-called-so"):
        content = b"".join(client.post(f"{LIST}export/{query}").streaming_content).decode("utf-8-sig")
        lines = list(csv.reader(content.splitlines()))[1:]
        assert [line[0] for line in lines] == [row.platform_id for row in client.get(f"{LIST}{query}").context["page"].rows]
        assert ["'=cmd()" in line for line in lines if line[0] == page.platform_id] in ([], [True])
    done = Entry.objects.filter(action="library.export", summary="Exported the knowledge base as CSV.")
    assert [entry.details["is_filtered"] for entry in done.order_by("pk")] == [False, True, True, True]
    client.force_login(member(Role.VIEWER))
    assert client.post(f"{LIST}export/").status_code == 403


def test_s1_another_tenant_finds_nothing(client, desk, mallory, globex):
    row = desk.add()
    with tenant_scope(globex.pk):
        assert ask("How long are backups kept?") == []
    client.force_login(mallory)
    assert client.get(f"/t/globex/library/knowledge-base/{row.platform_id}/").status_code == 404


def test_it_goes_with_the_copy_of_the_platforms_data(desk):
    desk.add()
    purge()
    assert not KnowledgeResource.objects.exists()
    assert not Passage.objects.exists()
