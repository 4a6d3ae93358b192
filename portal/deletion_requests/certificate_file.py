"""The certificate as a PDF."""

from django.utils import timezone

from portal.deletion_requests.certificate_facts import facts_of, looks_of, moment
from portal.deletion_requests.models import DeletionRequest
from portal.lib.pdf import QUIET, Page, pdf_document, remarks, table, write
from portal.tenants.models import Tenant


def write_certificate(row: DeletionRequest, *, tenant: Tenant) -> bytes:
    """Return the certificate of an erasure as a PDF."""
    with pdf_document(title=f"Certificate of erasure {row.reference}", foot=f"Certificate {row.reference}") as page:
        _head(page, row, tenant)
        table(page, "Request", facts_of(row))
        table(page, "What this portal erased", _numbers(row.erased) or [("Rows", "It had nothing about this address.")])
        table(page, "What was found before sending", _numbers(row.found) or [("Rows", "none")])
        table(page, "Follow-up checks", looks_of(row))
        remarks(page, _remarks())
        return bytes(page.output())


def _head(page: Page, row: DeletionRequest, tenant: Tenant) -> None:
    write(page, "Certificate of erasure", size=20, is_bold=True)
    write(page, tenant.name, size=12)
    write(page, f"Reference {row.reference} · {row.masked_email}", color=QUIET)
    page.ln(4)


def _numbers(counts: dict[str, int]) -> list[tuple[str, str]]:
    return [(kind, str(number)) for kind, number in sorted(counts.items())]


def _remarks() -> tuple[str, ...]:
    return (
        "The address itself is not kept. Anyone who has it can use it to find this certificate in the deletion request ledger.",
        "The platform confirmed the erasure and carries it out on its own schedule; it does not report when it has.",
        f"Written on {moment(timezone.now())}. A question mark in a name may stand for a character that the font lacks.",
    )
