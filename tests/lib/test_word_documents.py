"""A Word document is read whole, and a hostile one harms nothing."""

import io
import secrets
import tempfile
import zipfile
from io import BytesIO

import pytest

from portal.lib import document_text
from portal.lib.text_extraction import WORDS, Document, document_from
from portal.library.services.text_extraction import read_file
from portal.sandbox.files import document

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
OTHERS = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def read(content: bytes) -> Document:
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        return read_file(file)


def word(body: str, *, head: str = "", part: str = "word/document.xml") -> bytes:
    file = BytesIO()
    namespaces = f'xmlns:w="{WORD}" xmlns:a="{DRAWING}" xmlns:mc="{OTHERS}"'
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(part, f"{head}<w:document {namespaces}><w:body>{body}</w:body></w:document>")
    return file.getvalue()


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def paragraph(content: str) -> str:
    return f"<w:p>{content}</w:p>"


def test_paragraphs_are_read_in_their_order_and_have_no_page():
    found = read(document([("1", "Do you?", "We do.")], title="Backup policy"))
    assert (found.pages, found.page_count, found.problem, found.remark) == ({0: "Backup policy\n\n1 Do you? We do."}, 0, "", "")


def test_tables_fields_links_and_boxes_are_read_and_what_was_deleted_is_not():
    body = (
        paragraph(run("Back") + run("ups"))
        + f"<w:tbl><w:tr><w:tc>{paragraph(run('Kept'))}</w:tc><w:tc>{paragraph(run('41 days'))}</w:tc></w:tr></w:tbl>"
        + f"<w:sdt><w:sdtContent>{paragraph(run('In a field'))}</w:sdtContent></w:sdt>"
        + paragraph(f"<w:ins>{run('added')}</w:ins><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>")
        + paragraph(f"<w:hyperlink>{run('linked')}</w:hyperlink><w:r><w:br/></w:r>{run('below')}")
        + paragraph(
            f"<mc:AlternateContent><mc:Choice><a:p><a:r><a:t>In a box</a:t></a:r></a:p></mc:Choice>"
            f"<mc:Fallback>{paragraph(run('In a box'))}</mc:Fallback></mc:AlternateContent>{run('around')}"
        )
        + paragraph("")
    )
    assert read(word(body)).pages[0].split("\n\n") == [
        "Backups",
        "Kept",
        "41 days",
        "In a field",
        "added",
        "linked below",
        "In a box",
        "around",
    ]


@pytest.mark.parametrize("part", ["word/document2.xml", "word/document.xml"])
def test_the_part_may_be_numbered(part):
    assert read(word(paragraph(run("Here.")), part=part)).pages == {0: "Here."}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"PK\x03\x04 and nothing else", document_text.BROKEN),
        (word("<w:p>"), document_text.BROKEN),
        (word(paragraph(run("A sheet")), part="xl/workbook.xml"), document_text.OTHER),
    ],
    ids=["no-archive", "cut", "spreadsheet"],
)
def test_what_is_no_word_document_says_so(content, problem):
    assert read(content).problem == WORDS[problem]


def test_a_file_of_this_machine_is_not_read_into_it(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("swordfish")
    head = f'<!DOCTYPE w:document [<!ENTITY secret SYSTEM "{secret.as_uri()}">]>'
    assert "swordfish" not in str(read(word(paragraph(run("Before &secret; after")), head=head)).pages)


def test_entities_that_grow_and_archives_that_unfold_are_bounded():
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    read(word(paragraph(run("&e11;")), head=f'<!DOCTYPE w:document [<!ENTITY e0 "aaaaaaaaaa">{entities}]>'))
    unfolded = read(word(paragraph(run("word " * 5_000_000))))
    assert unfolded.problem or len(unfolded.pages[0]) <= document_text.MAX_LETTERS


def test_a_file_larger_than_the_buffer_of_whoever_hands_it_over_is_read_from_its_beginning():
    content = word(paragraph(run("Here.")) + f"<!-- {secrets.token_hex(40_000)} -->")
    assert len(content) > io.DEFAULT_BUFFER_SIZE
    assert read(content).pages == {0: "Here."}


def test_of_a_document_that_is_too_long_the_beginning_is_read():
    body = paragraph(run("word " * 20_000)) * (document_text.MAX_LETTERS // 90_000)
    found = read(word(body))
    assert (len(found.pages[0]), found.remark[:18]) == (document_text.MAX_LETTERS, "Only the beginning")


def test_a_long_document_says_that_only_its_beginning_is_there():
    found = document_from(["[0]\n", '[0, "first"]\n', f'["{document_text.CUT}"]\n'])
    assert (found.pages, found.remark.startswith("Only the beginning")) == ({0: "first"}, True)
