"""Handing questionnaires in, as a browser does it."""

import io
import zipfile
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from portal.connections.models import CallWindow
from portal.questionnaires.models import Intake
from portal.questionnaires.services.intake_outcomes import due_intakes
from portal.questionnaires.tasks import verify_intake

PAGE = "/t/acme/questionnaires/"
NEW = f"{PAGE}new/"
FILE_CALL = "/v1/customer-trust/questionnaires/file"
WEBSITE_CALL = "/v1/customer-trust/questionnaires/website"
PDF = b"%PDF-1.7\nquestions\n"


def office(part: str, content: bytes = b"<x/>") -> bytes:
    """A file of Office as far as anybody looks into it."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(part, content)
    return held.getvalue()


XLSX, DOCX = office("xl/workbook.xml"), office("word/document.xml")


def upload(name: str = "Northwind review.xlsx", content: bytes = XLSX) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def hand_in(client: Client, file: SimpleUploadedFile | None = None, *, page: str = NEW, **fields: Any) -> HttpResponse:
    """Post the form, with a file or without."""
    return client.post(page, {**({"file": file} if file else {}), **fields})


def only_intake() -> Intake:
    return Intake.objects.get()


def look_now() -> None:
    """Do what the sweep and the workers do, without waiting."""
    CallWindow.objects.all().delete()
    Intake.objects.filter(due_at__isnull=False).update(due_at=timezone.now())
    for tenant_id, intake_id in due_intakes():
        verify_intake(tenant_id, intake_id)
