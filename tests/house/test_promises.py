from tests.promises import PAGE, page, promises

DUE = {"h": {1, 2, 3, 4, 7}, "t": {1, 2, 10}, "a": {1}, "s": {1, 2, 6}, "o": {2, 6}}


def test_the_page_of_promises_is_up_to_date():
    assert PAGE.read_text() == page(), "run `make promises`"


def test_every_promise_that_is_due_has_a_test():
    found = promises()
    assert {letter: numbers - set(found[letter]) for letter, numbers in DUE.items()} == {letter: set() for letter in DUE}
