"""Small real files: exports as CSV, XLSX or DOCX, and the PDFs behind Trust Center resources."""

import csv
import io
import textwrap
import zipfile
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from portal.sandbox.store import Json

CSV_TYPE, PDF_TYPE = "text/csv", "application/pdf"
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
DOCX_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
SUFFIX_OF_TYPE = {"SPREADSHEET": "xlsx", "DOCUMENT": "docx", "WEBSITE": "csv"}
HEADER = ("No.", "Question", "Answer")
LINE_LETTERS, PAGE_LINES = 90, 42
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def written(responses: Iterable[Json], *, suffix: str, title: str) -> tuple[bytes, str]:
    """Write responses into a file; return its content and media type."""
    rows = [HEADER, *(row_of(response) for response in responses)]
    match suffix:
        case "xlsx":
            return spreadsheet(rows), XLSX_TYPE
        case "docx":
            return document(rows, title=title), DOCX_TYPE
        case _:
            text = io.StringIO()
            csv.writer(text).writerows(rows)
            return text.getvalue().encode(), CSV_TYPE


def row_of(response: Json) -> tuple[str, str, str]:
    values = response.get("answerPartsValues", {}).values()
    texts = [", ".join(value) if isinstance(value, list) else str(value) for value in values if value is not None]
    return str(response.get("sequenceLabel", "")), str(response["question"]), "\n".join(texts)


def spreadsheet(rows: Iterable[Sequence[str]]) -> bytes:
    lines = "".join(
        "<row>" + "".join(f'<c t="inlineStr"><is><t>{plain(cell)}</t></is></c>' for cell in row) + "</row>" for row in rows
    )
    sheet = f'{XML}<worksheet xmlns="{SHEETS}"><sheetData>{lines}</sheetData></worksheet>'
    workbook = (
        f'{XML}<workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}"><sheets><sheet name="Answers" sheetId="1" r:id="r1"/>'
        "</sheets></workbook>"
    )
    main = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return package(
        main="xl/workbook.xml",
        types={"xl/workbook.xml": f"{main}.sheet.main+xml", "xl/worksheets/sheet1.xml": f"{main}.worksheet+xml"},
        parts={
            "xl/workbook.xml": workbook,
            "xl/worksheets/sheet1.xml": sheet,
            "xl/_rels/workbook.xml.rels": relations("worksheet", "worksheets/sheet1.xml"),
        },
    )


def document(rows: Iterable[Sequence[str]], *, title: str) -> bytes:
    texts = [title, *(" ".join(row) for row in rows)]
    paragraphs = "".join(f"<w:p><w:r><w:t>{plain(text)}</w:t></w:r></w:p>" for text in texts)
    body = f'{XML}<w:document xmlns:w="{WORDS}"><w:body>{paragraphs}</w:body></w:document>'
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    return package(main="word/document.xml", types={"word/document.xml": kind}, parts={"word/document.xml": body})


def package(*, main: str, types: dict[str, str], parts: dict[str, str]) -> bytes:
    """Zip the parts of an Office file with their types and the pointer to the main one."""
    overrides = "".join(f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind in types.items())
    rels = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", f'{XML}<Types xmlns="{PACKAGE}/content-types">{rels}{overrides}</Types>')
        archive.writestr("_rels/.rels", relations("officeDocument", main))
        for name, text in parts.items():
            archive.writestr(name, text)
    return content.getvalue()


def relations(kind: str, target: str) -> str:
    relation = f'<Relationship Id="r1" Type="{OFFICE}/{kind}" Target="{target}"/>'
    return f'{XML}<Relationships xmlns="{PACKAGE}/relationships">{relation}</Relationships>'


def plain(text: str) -> str:
    """Escape a text for XML, without the characters that XML cannot say."""
    return escape("".join(letter for letter in text if letter in "\n\t" or " " <= letter < "\ud800" or letter > "\udfff"))


def pdf(title: str, paragraphs: Sequence[str] = ()) -> bytes:
    """Write a PDF that says its title, and below it the paragraphs, on as many pages as they take."""
    lines = [line for text in paragraphs for line in ("", *textwrap.wrap(text, LINE_LETTERS))]
    sheets = [lines[start : start + PAGE_LINES] for start in range(0, len(lines), PAGE_LINES)] or [[]]
    count = len(sheets)
    kids = b" ".join(b"%d 0 R" % (4 + 2 * number) for number in range(count))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for number, sheet in enumerate(sheets):
        head = b"BT 14 TL 72 720 Td " + (b"/F1 20 Tf (%s) Tj T* T* " % pdf_text(title) if number == 0 else b"")
        text = head + b"/F1 11 Tf " + b" ".join(b"(%s) Tj T*" % pdf_text(line) for line in sheet) + b" ET"
        page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
        objects += [page % (5 + 2 * number), b"<</Length %d>>stream\n%s\nendstream" % (len(text), text)]
    content, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(content))
        content += b"%d 0 obj%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    total = len(objects) + 1
    return content + b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
        total,
        table,
        total,
        len(content),
    )


def pdf_text(text: str) -> bytes:
    return text.encode("latin-1", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
