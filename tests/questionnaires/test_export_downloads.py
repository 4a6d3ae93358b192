"""The file of an export through the portal: whole or not at all, to members only, and its address for nobody."""

import io
import logging
import tempfile
import zipfile
from urllib.parse import unquote

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.audit.models import Entry
from portal.lib import fetched_files
from portal.platform_api import Platform, errors
from portal.questionnaires import services
from portal.questionnaires.models import Export, ExportState, Questionnaire
from portal.questionnaires.services import downloads
from portal.tenants.models import Membership, Role
from tests.questionnaires.exports import CALL, ask, download, end_there, only, page_of, work

pytestmark = pytest.mark.once

FILES = "/files/exports"


@pytest.fixture
def ready(desk, analyst):
    """Make an export that is ready."""

    def make(export_format="csv") -> Export:
        ask(analyst, desk, export_format)
        end_there(desk)
        work()
        assert only().state == ExportState.COMPLETED
        return only()

    return make


def body(answer):
    return b"".join(answer.streaming_content)


@pytest.mark.parametrize("in_memory", [10, fetched_files.IN_MEMORY], ids=["on disk", "in memory"])
def test_a_reader_downloads_the_file_and_that_is_written_down(desk, client, bob, ready, monkeypatch, in_memory):
    monkeypatch.setattr(fetched_files, "IN_MEMORY", in_memory)
    export = ready()
    client.force_login(bob)
    answer = download(client, desk, export)
    assert answer.status_code == 200
    content = body(answer)
    assert desk.response.question.encode() in content
    assert int(answer["Content-Length"]) == len(content)
    entry = Entry.objects.get(action="questionnaire.export_download")
    assert (entry.actor, entry.details) == (bob, {"export": export.platform_id, "format": "csv"})


def test_s5_whatever_is_in_it_it_is_a_file_to_save(desk, analyst, ready):
    answer = download(analyst, desk, ready())
    assert answer["Content-Disposition"].startswith("attachment; ")
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in answer["Cache-Control"]


def test_an_original_is_of_the_kind_it_was(desk, analyst, ready):
    Questionnaire.objects.update(kind="SPREADSHEET")
    desk.change_there(desk.questionnaire, type="SPREADSHEET")
    answer = download(analyst, desk, ready("original"))
    assert unquote(answer["Content-Disposition"]).endswith('.xlsx"')
    assert "xl/workbook.xml" in zipfile.ZipFile(io.BytesIO(body(answer))).namelist()


@pytest.mark.parametrize(
    ("kind", "export_format", "head", "suffix"),
    [
        ("SPREADSHEET", "original", b"PK\x03\x04", "xlsx"),
        ("DOCUMENT", "original", b"PK\x03\x04", "docx"),
        ("DOCUMENT", "original", b"%PDF-", "pdf"),
        ("DOCUMENT", "csv", b"%PDF-", "csv"),
        ("NEW_KIND", "original", b"<html", "bin"),
    ],
)
def test_the_name_says_what_is_inside(kind, export_format, head, suffix):
    export = Export(questionnaire=Questionnaire(name="Initech", kind=kind), format=export_format)
    assert downloads.file_name(export, head=head) == f"Initech - answers.{suffix}"


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd", "etc passwd"),
        ('a"; filename="evil.exe', "a filename= evil.exe"),
        ("line\r\nSet-Cookie: x", "line Set-Cookie x"),
        ("invoice\u202exslx.exe", "invoice xslx.exe"),
        ("CON\x00:", "CON"),
        ("...", "questionnaire"),
        ("Größe 日本", "Größe 日本"),
        ("\ud800", "questionnaire"),
        ("x" * 500, "x" * 100),
    ],
)
def test_s5_a_hostile_name_makes_a_harmless_file_name(desk, analyst, name, safe):
    export = Export(questionnaire=Questionnaire(name=name), format="csv")
    assert downloads.file_name(export) == f"{safe} - answers.csv"


def test_s6_the_address_of_the_file_is_shown_logged_and_stored_nowhere(desk, analyst, ready, caplog, sandbox):
    caplog.set_level(logging.DEBUG)
    export = ready()
    sandbox.fail("status", path=FILES, value=503, times=1)
    answers = [download(analyst, desk, export, follow=True).content, body(download(analyst, desk, export))]
    answers += [analyst.get(page_of(desk)).content]
    signature = b"signature="
    assert all(signature not in answer for answer in answers)
    assert "signature=" not in caplog.text
    assert not [row for row in Export.objects.values() if "signature=" in str(row)]
    assert not [row for row in Entry.objects.values() if "signature=" in str(row)]


def test_no_token_goes_to_the_storage(desk, analyst, ready, sandbox):
    # The storage of the sandbox refuses a request that carries one.
    assert download(analyst, desk, ready()).status_code == 200
    assert [each["status"] for each in sandbox.requests(FILES)] == [200]


def test_an_address_that_has_expired_is_asked_for_once_more(desk, analyst, ready, sandbox):
    export = ready()
    sandbox.fail("status", path=FILES, value=403, times=1)
    looks = len(sandbox.requests(CALL))
    assert body(download(analyst, desk, export))
    assert len(sandbox.requests(CALL)) == looks + 2
    sandbox.fail("status", path=FILES, value=403)
    page = download(analyst, desk, export, follow=True).content
    assert b"This file has expired on the platform" in page
    assert b"Request again" in page
    assert only().state == ExportState.EXPIRED
    assert len(sandbox.requests(CALL)) == looks + 4
    assert b"no file to download" in download(analyst, desk, export, follow=True).content


def test_an_export_that_the_platform_forgot_has_expired(desk, analyst, ready):
    export = ready()
    desk.objects.delete(desk.tenant_id, "exports", export.platform_id)
    for _ in range(2):
        assert b"Try again in two minutes" in download(analyst, desk, export, follow=True).content
        assert only().state == ExportState.COMPLETED, "a 404 may pass"
    work()
    assert only().state == ExportState.EXPIRED
    assert b"This file has expired on the platform" in analyst.get(page_of(desk)).content


def test_q15_a_404_that_passes_leaves_the_file_ready(desk, analyst, ready, sandbox):
    export = ready()
    sandbox.fail("status", method="GET", path=CALL, value=404, times=1)
    assert b"Try again in two minutes" in download(analyst, desk, export, follow=True).content
    assert body(download(analyst, desk, export))
    assert (only().state, only().is_confirmed, only().due_at) == (ExportState.COMPLETED, True, None)


@pytest.mark.parametrize(
    ("fault", "title"),
    [({"kind": "status", "value": 503}, b"is not available right now"), ({"kind": "drop_answer"}, b"cannot be reached")],
)
def test_a_storage_that_does_not_answer_can_be_tried_again(desk, analyst, ready, sandbox, fault, title):
    export = ready()
    sandbox.fail(fault["kind"], path=FILES, times=1, value=fault.get("value"))
    assert title in download(analyst, desk, export, follow=True).content
    assert body(download(analyst, desk, export))
    assert only().state == ExportState.COMPLETED


def test_s4_a_redirect_of_the_storage_is_not_followed(desk, analyst, ready, sandbox):
    sandbox.fail("redirect", path=FILES, value="http://169.254.169.254/", times=1)
    assert b"The file cannot be fetched" in download(analyst, desk, ready(), follow=True).content


def test_an_export_that_runs_has_no_file(desk, analyst):
    ask(analyst, desk)
    assert b"no file to download" in download(analyst, desk, only(), follow=True).content
    Export.objects.update(state=ExportState.COMPLETED, told_at=timezone.now())
    assert b"no file yet" in download(analyst, desk, only(), follow=True).content


def test_a_file_that_breaks_off_is_no_short_file(desk, analyst, ready, monkeypatch):
    """The sandbox cannot break off in the middle of a file of a few bytes."""

    def broken(*args, **options):
        yield b"No.,Question"
        raise errors.Unavailable("GET", "(download)", message="the answer broke off")

    monkeypatch.setattr("portal.platform_api.downloads.read", broken)
    answer = download(analyst, desk, ready())
    assert answer.status_code == 302
    assert not Entry.objects.filter(action="questionnaire.export_download").exists()


def test_s5_a_file_has_a_largest_size_and_a_longest_time(desk, analyst, ready, monkeypatch):
    export, closed = ready(), []
    real = tempfile.SpooledTemporaryFile

    def kept(**options):
        closed.append(real(**options))
        return closed[-1]

    monkeypatch.setattr(tempfile, "SpooledTemporaryFile", kept)
    monkeypatch.setattr(downloads, "MAX_FILE_BYTES", 10)
    assert b"larger than 10 bytes" in download(analyst, desk, export, follow=True).content
    monkeypatch.setattr(downloads, "MAX_FILE_BYTES", 1000_000)
    monkeypatch.setattr(fetched_files, "MAX_SECONDS", -1.0)
    assert b"cannot be reached" in download(analyst, desk, export, follow=True).content
    assert [file.closed for file in closed] == [True, True]


def test_s1_only_members_who_may_read_get_a_file(desk, client, analyst, ready, mallory, globex):
    export = ready()
    client.force_login(mallory)
    assert download(client, desk, export).status_code == 404
    other = f"/t/globex/questionnaires/{desk.questionnaire.platform_id}/exports/{export.pk}/download/"
    assert client.post(other).status_code == 404
    with pytest.raises(PermissionDenied):
        services.fetch_file(export, member=Membership(role=Role.VIEWER - 1))


def test_an_export_is_found_under_its_own_questionnaire_only(desk, analyst, ready):
    export = ready()
    other = Questionnaire.objects.exclude(pk=export.questionnaire_id)[0]
    assert analyst.post(f"/t/acme/questionnaires/{other.platform_id}/exports/{export.pk}/download/").status_code == 404
    assert analyst.get(f"{page_of(desk)}{export.pk}/download/").status_code == 405


def test_s4_the_client_refuses_what_is_no_address_to_download_from(desk, analyst, ready, monkeypatch):
    """The sandbox signs good addresses only."""
    export = ready()
    real = Platform.download
    monkeypatch.setattr(Platform, "download", lambda self, url, **options: real(self, "file:///etc/passwd", **options))
    assert b"The file cannot be fetched" in download(analyst, desk, export, follow=True).content
