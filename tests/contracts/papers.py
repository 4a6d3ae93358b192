"""PDFs as people hand them in, and such as nobody should."""

import zlib
from io import BytesIO

from fpdf import FPDF
from fpdf.enums import AccessPermission, EncryptionMethod
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, NameObject, StreamObject

TERMS = ("Master Services Agreement between Acme and Northwind.", "Breaches are notified within 24 hours.", "Signatures.")


def paper(*pages: str, password: str = "") -> bytes:
    """A document with these words on its pages."""
    made = FPDF(format="A4")
    made.set_font("Helvetica", size=11)
    if password:
        made.set_encryption("owner", password, EncryptionMethod.AES_256, AccessPermission.none())
    for words in pages:
        made.add_page()
        made.multi_cell(0, 6, words)
    return bytes(made.output())


def scan(pages: int = 1) -> bytes:
    """A document without a letter in it."""
    writer = PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(200, 200)
    return _written(writer)


def endless() -> bytes:
    """A document whose tree of pages leads back to its root."""
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    root = writer._root_object["/Pages"]
    root[NameObject("/Kids")].append(root.indirect_reference)
    return _written(writer)


def greedy() -> bytes:
    """A document of less than 2 KB whose only page is one word of 70 MB."""
    writer = PdfWriter(clone_from=BytesIO(paper("a")))
    content = StreamObject()
    content.set_data(zlib.compress(zlib.compress(b"BT /F1 11 Tf (" + b"a" * 70_000_000 + b") Tj ET", 9), 9))
    content[NameObject("/Filter")] = ArrayObject([NameObject("/FlateDecode")] * 2)
    writer.pages[0][NameObject("/Contents")] = writer._add_object(content)
    return _written(writer)


def _written(writer: PdfWriter) -> bytes:
    target = BytesIO()
    writer.write(target)
    return target.getvalue()
