"""A file with an answer by link: which are taken, how they are kept, who gets them, and when they go."""

import zipfile
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from portal.questionnaires import services
from portal.questionnaires.attachments import MAX_FILE_BYTES, MAX_FILES
from portal.questionnaires.models import Asked, ExpertFile, ExpertLink, Questionnaire, Response
from portal.tenants import personal_data
from tests.questionnaires.conftest import TWO_PARTS, Desk, address, fill_in
from tests.questionnaires.test_experts import EMAIL, ask, at, change, path_of

pytestmark = pytest.mark.django_db
PDF = b"%PDF-1.7 the policy of the key store"


@pytest.fixture(autouse=True)
def storage(settings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def link(analyst: Client, desk: Desk) -> ExpertLink:
    ask(analyst, desk.set_answer(TWO_PARTS, {"p1": None, "p2": None}, question="Who can read the master key?"))
    return ExpertLink.objects.select_related("response__questionnaire", "tenant").get()


def send(link: ExpertLink, name: str = "Key policy.pdf", content: bytes = PDF, **parts: str) -> HttpResponse:
    file = SimpleUploadedFile(name, content, content_type="text/html")
    return Client().post(path_of(link), {**fill_in(link.response, **parts), "file": file})


def stored(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]


def office(*parts: str) -> bytes:
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for part in parts:
            archive.writestr(part, "x")
    return content.getvalue()


def url_of(file: ExpertFile) -> str:
    return f"{address(file.link.response)}experts/{file.link_id}/files/{file.pk}/"


def test_a_file_comes_with_the_answer_and_is_a_download_for_members(analyst, bob, link, storage):
    assert send(link, p2="It is in the policy.").status_code == 302
    file = ExpertFile.objects.get()
    assert (file.filename, file.size, stored(storage)) == ("Key policy.pdf", len(PDF), [PDF])
    assert "Key policy" not in file.file.name
    assert "Key policy.pdf" in Client().get(path_of(link)).content.decode()
    assert url_of(file) in analyst.get(address(link.response)).content.decode()
    viewer = Client()
    viewer.force_login(bob)
    for member in (analyst, viewer):
        answer = member.get(url_of(file))
        assert b"".join(answer.streaming_content) == PDF
        assert answer["Content-Disposition"] == 'attachment; filename="Key policy.pdf"'
        assert answer["Content-Type"] == "application/octet-stream"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert "no-store" in answer["Cache-Control"]


def test_s1_nobody_else_gets_it_and_no_other_address_leads_to_it(analyst, mallory, link, desk):
    send(link)
    file = ExpertFile.objects.get()
    other = Response.objects.filter(questionnaire=link.response.questionnaire).exclude(pk=link.response_id).first()
    assert analyst.get(f"{address(other)}experts/{file.link_id}/files/{file.pk}/").status_code == 404
    assert analyst.get(url_of(file).replace(f"/experts/{file.link_id}/", f"/experts/{file.link_id + 1}/")).status_code == 404
    stranger = Client()
    assert stranger.get(url_of(file)).status_code == 302
    stranger.force_login(mallory)
    assert stranger.get(url_of(file)).status_code == 404


def test_a_file_alone_is_an_answer(analyst, link):
    send(link)
    assert Response.objects.get(pk=link.response_id).asked == Asked.ANSWERED
    assert "Sent a file." in analyst.get(address(link.response)).content.decode()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("page.html", b"<script>alert(1)</script>", "This type of file is not accepted"),
        ("image.svg", b"<svg onload='x'/>", "This type of file is not accepted"),
        ("tool.exe", b"MZ", "This type of file is not accepted"),
        ("macros.docm", office("word/document.xml"), "This type of file is not accepted"),
        ("archive.zip", office("a"), "This type of file is not accepted"),
        ("page.pdf", b"<html>", "does not match its extension .pdf"),
        ("photo.png", b"GIF89a", "does not match its extension .png"),
        ("letter.docx", office("xl/workbook.xml"), "does not match its extension .docx"),
        ("letter.docx", office("word/document.xml", "word/vbaProject.bin"), "contains macros or other files"),
        ("sheet.xlsx", office("xl/workbook.xml", "xl/embeddings/oleObject1.bin"), "contains macros or other files"),
        ("large.pdf", PDF.ljust(MAX_FILE_BYTES + 1), "This file is too large"),
        ("none.pdf", b"", "The submitted file is empty"),
    ],
)
def test_what_is_no_plain_document_is_refused_and_the_text_stays(link, storage, name, content, words):
    answer = send(link, name, content, p2="Typed before the file was chosen.")
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert "Typed before the file was chosen." in answer.content.decode()
    assert (ExpertFile.objects.count(), stored(storage)) == (0, [])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("photo.JPG", b"\xff\xd8\xff\xe0"),
        ("photo.png", b"\x89PNG\r\n\x1a\n"),
        ("letter.docx", office("word/document.xml")),
        ("sheet.xlsx", office("xl/workbook.xml")),
        ("large.pdf", PDF.ljust(MAX_FILE_BYTES)),
    ],
)
def test_plain_documents_and_pictures_are_taken(link, name, content):
    assert send(link, name, content).status_code == 302
    assert ExpertFile.objects.get().size == len(content)


def test_s5_a_name_leads_nowhere_and_ends_no_header(analyst, link):
    send(link, "..\\..\\etc\\pass:wd<b>;x|y.PDF")
    file = ExpertFile.objects.get()
    assert file.filename == "pass wd b x y.pdf"
    assert analyst.get(url_of(file)).status_code == 200


def test_who_empties_the_text_beside_a_file_still_has_sent_the_file(link):
    send(link, p2="It is in the policy.")
    assert change(link, p2="").status_code == 302
    link.refresh_from_db()
    assert (link.values, link.answered_at is None) == ({}, False)
    assert "Key policy.pdf" in Client().get(path_of(link)).content.decode()


def test_one_question_takes_so_many_files_and_no_more(link, storage):
    for _ in range(MAX_FILES):
        assert send(link).status_code == 302
    page = Client().get(path_of(link)).content.decode()
    assert 'type="file"' not in page
    with pytest.raises(services.TooManyFiles):
        services.answer_by_link(link, seen="", parts={}, file=("one.pdf", SimpleUploadedFile("one.pdf", PDF)))
    assert len(stored(storage)) == MAX_FILES, "what was not kept leaves nothing behind"


def test_two_last_files_at_once_are_told_apart_and_the_text_stays(link, monkeypatch):
    """The page had room when it was drawn; the one that comes too late is told so."""

    def full(*args: object, **options: object) -> None:
        raise services.TooManyFiles

    monkeypatch.setattr("portal.questionnaires.services.answer_by_link", full)
    answer = send(link, p2="And this.")
    assert answer.status_code == 422
    assert "reached the file limit for this question" in answer.content.decode()
    assert "And this." in answer.content.decode()


def test_s20_a_file_is_taken_from_an_open_link_alone_and_never_reaches_the_disk_unchecked(link, storage, monkeypatch):
    """Whether the link is open is asked before anything is read; a large body is refused unread, with a link or without."""
    made = []
    monkeypatch.setattr("django.core.files.uploadhandler.TemporaryUploadedFile", lambda *args: made.append(args))
    assert list(send(link).wsgi_request.FILES) == ["file"]
    assert send(link, content=PDF.ljust(3_000_000)).status_code == 400
    forged = Client().post("/answer/x:y/", {"file": SimpleUploadedFile("a.pdf", PDF)})
    assert (forged.status_code, forged.wsgi_request.FILES) == (404, {})
    # The list of questions has no form.
    listed = Client().post(f"/answer/all/{link.token}/", {"file": SimpleUploadedFile("a.pdf", PDF)})
    assert (listed.status_code, listed.wsgi_request.FILES) == (405, {})
    ExpertLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    ended = send(link)
    assert (ended.status_code, ended.wsgi_request.FILES) == (410, {})
    assert made == []
    assert len(stored(storage)) == 1


def test_a_browser_sends_its_file_with_the_token_of_the_page(link):
    """Reading that token reads the whole form, before any view has looked at the link."""
    browser = Client(enforce_csrf_checks=True)
    token = browser.get(path_of(link)).context["csrf_token"]
    file = SimpleUploadedFile("Key policy.pdf", PDF)
    sent = {**fill_in(link.response), "csrfmiddlewaretoken": str(token), "file": file}
    assert browser.post(path_of(link), sent).status_code == 302
    assert ExpertFile.objects.get().size == len(PDF)


@pytest.mark.parametrize("change", ["revoked", "declined", "gone"])
def test_s20_nothing_is_taken_for_a_question_that_has_ended_otherwise(link, change):
    if change == "revoked":
        ExpertLink.objects.update(revoked_at=timezone.now())
    elif change == "declined":
        Questionnaire.objects.update(status="NO_LONGER_NEEDED")
    else:
        Response.objects.update(gone_at=timezone.now())
    assert send(link).wsgi_request.FILES == {}


def test_w2_a_link_that_ends_while_a_file_is_sent_keeps_nothing_of_it(link, storage):
    ExpertLink.objects.update(revoked_at=timezone.now())
    with pytest.raises(services.LinkEnded):
        services.answer_by_link(link, seen="", parts={}, file=("one.pdf", SimpleUploadedFile("one.pdf", PDF)))
    assert (ExpertFile.objects.count(), stored(storage)) == (0, [])


def test_s11_the_file_goes_with_the_person(link, storage, django_capture_on_commit_callbacks):
    send(link)
    with django_capture_on_commit_callbacks(execute=True):
        personal_data.erase(EMAIL)
    assert (ExpertFile.objects.count(), stored(storage)) == (0, [])


def test_s11_the_file_goes_with_the_questionnaire(link, storage, django_capture_on_commit_callbacks):
    send(link)
    with django_capture_on_commit_callbacks(execute=True):
        link.response.questionnaire.delete()
    assert stored(storage) == []


def test_used_answers_keep_their_file_beside_the_form(analyst, link):
    send(link, p2="It is in the policy.")
    analyst.post(at(link.response, link), {"do": "take"})
    pane = analyst.get(address(link.response)).content.decode()
    assert "Answered by <b>Dana Reyes</b>" in pane
    assert "Key policy.pdf" in pane
