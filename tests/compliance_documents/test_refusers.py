"""R5 on the desk of compliance documents: whoever refuses a change is named, whichever change it is."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from portal.documents.models import Link, Upload
from tests.compliance_documents.conftest import PDF
from tests.support.refusers import Scene, Sent, Write, press, wrongly_named

pytestmark = pytest.mark.once
LINK = {"url": "https://wiki.acme.example/recovery", "title": "Recovery plan", "effective_on": "2026-04-15"}


def of(row: Upload | Link, name: str, *keys: int) -> str:
    return reverse(f"documents:{name}", args=["acme", row.document.platform_id, *keys])


def file() -> Upload:
    return Upload.objects.present().select_related("document").order_by("pk")[0]


def link() -> Link:
    return Link.objects.select_related("document").order_by("pk")[0]


def upload(_: Scene) -> Sent:
    return of(file(), "upload"), {"file": SimpleUploadedFile("pentest-2026.pdf", PDF)}


WRITES: dict[str, Write] = {
    "a file": press("documents.uploads.create", upload),
    "end of a file": press("documents.uploads.delete", lambda _: (of(file(), "delete_file", file().pk), {})),
    "a link": press("documents.links.create", lambda _: (of(link(), "new_link"), LINK)),
    "end of a link": press("documents.links.delete", lambda _: (of(link(), "remove_link", link().pk), {})),
}


@pytest.fixture
def scene(client, sandbox, desk, owner, document) -> Scene:
    """One document was opened, so that its files and links are known."""
    return Scene(client, sandbox, desk, owner)


def test_r5_whoever_refuses_a_change_of_documents_is_named(scene):
    assert wrongly_named(scene, WRITES) == []


@pytest.mark.moods
def test_r5_each_refuser_of_each_change_of_documents_is_named(scene):
    assert wrongly_named(scene, WRITES, is_whole=True) == []
