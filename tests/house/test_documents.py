import pytest

from tests.documents import PAGES
from tests.promises import OPEN, TITLES, promises, untested


@pytest.mark.parametrize("document", PAGES, ids=lambda document: document.PAGE.stem)
def test_a_page_that_is_made_of_the_code_is_up_to_date(document):
    assert document.PAGE.read_text() == document.page(), "run `make docs`"


def test_no_promise_loses_its_test():
    assert untested() == OPEN


def test_every_test_names_a_promise_that_there_is():
    assert {letter: set(found) - set(TITLES[letter]) for letter, found in promises().items()} == {
        letter: set() for letter in promises()
    }
