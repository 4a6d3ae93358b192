"""What the look at a page finds: faults are planted in a page, and named."""

import pytest
from playwright.sync_api import Page

from tests.support.page_checks import WITHOUT_WORDS

pytestmark = pytest.mark.browser
CARDS = """<style>thead {display: none} .badge {display: inline-flex; max-width: 60px}
.cut {overflow: hidden; white-space: nowrap}</style>
<main><table class="tbl"><thead><tr><th>Title</th></tr></thead><tbody><tr>%s</tr></tbody></table></main>"""
FAULTS = {
    "<td>7</td>": "without a word: 7",
    '<td><span class="num">3 of 12</span></td>': "without a word: 3 of 12",
    '<td><span class="num">75%</span> <span class="sr">done</span></td>': "without a word: 75%",
    "<td><b>6</b> people</td>": "torn apart: people 6",
    '<td><span class="badge"><span class="cut">Company NDA: signed</span></span></td>': "cut: Company NDA: signed",
}
SOUND = "<td>Yes</td><td><span>6 people</span></td><td><span>Score: 7</span></td><td><span><b>3</b> of 12 tests</span></td>"


@pytest.mark.parametrize("cell", FAULTS)
def test_what_a_card_says_only_in_part_is_named(page: Page, cell):
    page.set_content(CARDS % cell)
    assert page.evaluate(WITHOUT_WORDS) == [FAULTS[cell]]


def test_cells_with_words_are_sound_and_so_is_a_figure_below_its_head(page: Page):
    page.set_content(CARDS % SOUND)
    assert page.evaluate(WITHOUT_WORDS) == []
    page.set_content((CARDS % "<td>7</td>").replace("thead {display: none}", ""))
    assert page.evaluate(WITHOUT_WORDS) == []
