"""The certificate as a file."""

from datetime import UTC, date, datetime

import pytest
from django.utils import timezone

from portal.deletion_requests.addresses import fingerprint, mask
from portal.deletion_requests.certificate_facts import NOT_COVERED, facts_of, moment
from portal.deletion_requests.models import DeletionRequest, SecondLook, State
from portal.tenants.models import Tenant
from portal.users.dates import Dates, as_read_by
from tests.deletion_requests.conftest import PAGE, erase
from tests.questionnaires.test_list import make

pytestmark = pytest.mark.once
NAMES = ["Łukasz Żółw", "Ελένη", "Дмитрий", "ليلى العامري", "נועה כהן", "สมชาย", "अर्जुन", "ნინო", "Nguyễn Ế", "王小明", "한지민"]


def test_the_certificate_is_a_pdf_that_names_nobody_in_full(approver, jane):
    pytest.importorskip("fpdf")
    row = erase(approver, jane)
    answer = approver.get(f"{PAGE}{row.reference}/certificate.pdf")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert answer["Content-Disposition"] == f'attachment; filename="erasure-{row.reference}.pdf"'
    assert answer.content.startswith(b"%PDF-")
    assert jane.casefold().encode() not in answer.content.lower()


def test_it_says_which_texts_stay_as_the_platform_has_them(approver, jane):
    name = f"Questionnaire that {jane} has sent"
    questionnaire = make(name, payload={"displayName": name})
    row = erase(approver, jane)
    questionnaire.refresh_from_db()
    assert questionnaire.name == name
    assert "questionnaires with their questions and answers" in dict(facts_of(row))["Not covered"]


def test_names_of_every_script_are_written(scoped, acme, tmp_path):
    certificate = pytest.importorskip("portal.deletion_requests.certificate_file")
    Tenant.objects.filter(pk=acme.pk).update(name=" · ".join(NAMES))
    acme.refresh_from_db()
    now = timezone.now()
    row = DeletionRequest.objects.create(
        email_hash=fingerprint("a@b.example"),
        masked_email=mask("a@b.example"),
        requested_by_name=" ".join(NAMES),
        note="x" * 300,
        identity_note="a long note " * 20,
        identity_by_name="ليلى",
        identity_on=timezone.localdate(),
        state=State.ERASED,
        sent_at=now,
        sent_by_name="Дмитрий",
        confirmed_at=now,
        erased_at=now,
        erased={f"Kind {number}": number for number in range(40)},
    )
    SecondLook.objects.create(deletion_request=row, due_at=now)
    content = certificate.write_certificate(row, tenant=acme)
    assert content.count(b"/Type /Page\n") >= 2
    (tmp_path / "certificate.pdf").write_bytes(content)


def test_what_was_not_erased_has_no_certificate(approver, scoped):
    row = DeletionRequest.objects.create(
        email="a@b.example", email_hash=fingerprint("a@b.example"), masked_email="•••@b.example", state=State.REFUSED
    )
    answer = approver.get(f"{PAGE}{row.reference}/certificate.pdf", follow=True)
    assert b"There is no certificate yet" in answer.content


def test_a_certificate_has_the_dates_of_who_reads_it(scoped, alice):
    row = DeletionRequest.objects.create(
        email_hash=fingerprint("a@b.example"),
        masked_email=mask("a@b.example"),
        state=State.ERASED,
        received_on=date(2026, 11, 5),
        erased_at=datetime(2026, 11, 6, 14, 3, tzinfo=UTC),
    )
    assert dict(facts_of(row))["Not covered"] == NOT_COVERED
    row.erased_at = None
    assert "Not covered" not in dict(facts_of(row))
    row.refresh_from_db()
    written = {}
    for alice.dates in (Dates.DAY_24, Dates.MONTH_12):
        with as_read_by(alice):
            facts = dict(facts_of(row))
            written[alice.dates] = facts["Received"].partition(",")[0], moment(row.erased_at)
    assert written == {
        Dates.DAY_24: ("5 November 2026", "6 November 2026, 14:03:00 UTC"),
        Dates.MONTH_12: ("November 5", "November 6, 2026, 2:03:00 PM UTC"),
    }
