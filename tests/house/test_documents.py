import pytest

from tests.documents import PAGES
from tests.promises import promises

DUE = {
    "h": {1, 2, 3, 4, 7},
    "t": set(range(1, 14)),
    "a": set(range(1, 6)),
    "s": {1, 2, 4, 6, 9},
    "o": {2, 6},
}


@pytest.mark.parametrize("document", PAGES, ids=lambda document: document.PAGE.stem)
def test_a_page_that_is_made_of_the_code_is_up_to_date(document):
    assert document.PAGE.read_text() == document.page(), "run `make docs`"


def test_every_promise_that_is_due_has_a_test():
    found = promises()
    assert {letter: numbers - set(found[letter]) for letter, numbers in DUE.items()} == {letter: set() for letter in DUE}
