import re
from pathlib import Path

import pytest

from tests.documents import PAGES
from tests.promises import OPEN, TITLES, promises, untested
from tests.questionnaires.test_tasks_browser import TASKS


@pytest.mark.parametrize("document", PAGES, ids=lambda document: document.PAGE.stem)
def test_a_page_that_is_made_of_the_code_is_up_to_date(document):
    assert document.PAGE.read_text() == document.page(), "run `make docs`"


ROOT = Path(__file__).resolve().parent.parent.parent
NAMED = re.compile(r"`([\w/]+\.(?:py|html|css|js))`")


def test_every_file_that_a_page_names_is_there():
    there = ["/manage.py"] + [
        f"/{path.relative_to(ROOT)}" for room in ("portal", "templates", "static", "tests") for path in (ROOT / room).rglob("*")
    ]
    missing = [
        f"{page.name}: {name}"
        for page in (*(ROOT / "docs").glob("*.md"), ROOT / "README.md")
        for name in NAMED.findall(page.read_text())
        if not any(each.endswith(f"/{name}") for each in there)
    ]
    assert missing == []


PRESSES = re.compile(r"^\| [a-z][\w ]+ \| (\d+) \| (\d+) \|$", re.MULTILINE)


def test_what_the_daily_tasks_cost_is_what_their_tests_allow():
    told = PRESSES.findall((ROOT / "docs" / "questionnaires.md").read_text())
    assert sorted((int(clicks), int(keys)) for clicks, keys in told) == sorted(TASKS.values())


def test_no_promise_loses_its_test():
    assert untested() == OPEN


def test_every_test_names_a_promise_that_there_is():
    assert {letter: set(found) - set(TITLES[letter]) for letter, found in promises().items()} == {
        letter: set() for letter in promises()
    }
