"""Sheets of paper: a PDF with a head, tables of facts and remarks. The one module that knows how such a file is made.

Names are of every script: the letters are those of FiraGO (Latin, Greek, Cyrillic, Arabic, Hebrew, Thai, Devanagari, Georgian),
which comes as a package, and of whatever the machine has for the others. What no font has becomes a question mark,
and whoever writes a file says so in it.
"""

import logging
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.utils import timezone
from fpdf import FPDF
from fpdf.enums import XPos, YPos
from fpdf.fonts import TTFFont
from pymupdf_fonts import myfont

from portal.lib.bidi import INVISIBLE

# It writes the characters it has no letter for into its log; those are of people's names.
logging.getLogger("fpdf").setLevel(logging.ERROR)

FAMILY = "paper"
STYLES = {"": "figo", "B": "figbo"}
OF_THE_MACHINE = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/noto/NotoSansArmenian-Regular.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
)
"""Where distributions put fonts for scripts that FiraGO does not write."""
MARGIN, LABEL_WIDTH, LINE = 22, 48, 6.2
INK, QUIET, RULE = (24, 28, 38), (92, 99, 112), (214, 218, 226)


class Page(FPDF):
    """A sheet with the name of the file and the number of the page at its foot."""

    foot = ""

    def footer(self) -> None:
        self.set_y(-16)
        self.set_font(FAMILY, size=8)
        self.set_text_color(*QUIET)
        self.cell(0, 5, f"{self.foot} · page {self.page_no()} of {{nb}}", align="C")


@contextmanager
def pdf_document(*, title: str, foot: str) -> Iterator[Page]:
    """Begin a document; its fonts lie in files for as long as it is written."""
    page = Page(format="A4")
    page.foot = foot
    page.set_title(title)
    page.set_lang("en")
    page.set_creation_date(timezone.now())
    page.set_margins(MARGIN, MARGIN)
    page.set_auto_page_break(auto=True, margin=MARGIN)
    with tempfile.TemporaryDirectory() as folder:
        for style, name in STYLES.items():
            path = Path(folder) / f"{name}.ttf"
            path.write_bytes(myfont(name))
            page.add_font(FAMILY, style, path)
        _add_fallbacks(page)
        page.set_text_shaping(use_shaping_engine=True)
        page.add_page()
        yield page


def table(page: Page, title: str, facts: Iterable[tuple[str, str]]) -> None:
    """Write pairs of label and words below a title."""
    page.ln(3)
    write(page, title, size=12, is_bold=True)
    page.set_draw_color(*RULE)
    for label, value in facts:
        if page.will_page_break(2 * LINE):
            page.add_page()
        page.line(MARGIN, page.get_y(), page.w - MARGIN, page.get_y())
        top = page.get_y() + 1
        page.set_xy(MARGIN, top)
        write(page, label, color=QUIET, width=LABEL_WIDTH)
        after_label = page.get_y()
        page.set_xy(MARGIN + LABEL_WIDTH, top)
        write(page, value)
        page.set_xy(MARGIN, max(page.get_y(), after_label) + 1)


def remarks(page: Page, texts: Iterable[str]) -> None:
    """Write small lines at the end."""
    page.ln(4)
    for text in texts:
        write(page, text, size=9, color=QUIET)


def write(
    page: Page, text: str, *, size: float = 10, is_bold: bool = False, color: tuple[int, int, int] = INK, width: float = 0
) -> None:
    """Write a text, over as many lines as it takes."""
    page.set_font(FAMILY, "B" if is_bold else "", size)
    page.set_text_color(*color)
    page.multi_cell(width, size * 0.55 + 0.7, _drawable(page, text), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def _add_fallbacks(page: Page) -> None:
    names = []
    for path in map(Path, OF_THE_MACHINE):
        if path.exists():
            page.add_font(path.stem, "", path)
            names.append(path.stem)
    if names:
        page.set_fallback_fonts(names, exact_match=False)


def _drawable(page: Page, text: str) -> str:
    """Put a question mark for what no font has: it would be left out without a trace."""
    known = [font.cmap for font in page.fonts.values() if isinstance(font, TTFFont)]
    return "".join(sign if sign in INVISIBLE or any(ord(sign) in cmap for cmap in known) else "?" for sign in text)
