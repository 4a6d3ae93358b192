"""Numbers with their nouns: right for none, one and two, and never glued to what stands before them."""

import re
from pathlib import Path

import pytest

from portal.accounts import account_facts
from portal.accounts.unmatched_people import kinds_of_people
from portal.lib.counted import counted
from tests.support.page_checks import GLUED

pytestmark = pytest.mark.once
ROOT = Path(__file__).parents[2]
NOUNS = (
    "requests|questions|customers|contracts|viewers|people|times|seconds|minutes|hours|documents|domains|accounts|rows|answers|"
    "days|months|years|deadlines|suggestions|questionnaires|files|lines|members|deliveries|calls|uploads|pages|commitments|"
    "promises|experts|entries|events|decisions|rules|conversations|words|tenants"
)
OF_TEMPLATES = re.compile(rf"\}}\}}(?:</[a-z]+>)? (?:(?:more|other|new|mail|waiting) )*(?:{NOUNS})\b")
OF_CODE = re.compile(rf"\{{[a-z_.()]+(?::,)?\}} (?:(?:more|other|new|waiting) )*(?:{NOUNS})\b")
NEVER_ONE = {
    # A limit, which is never one.
    "{{ most }}",
    "{{ newest }}",
    "{MAX_",
    "{most",
    # Of several that were asked together.
    "{done} of {total} questions",
    "{{ done }} of {{ done|add:withdrawn }} questions",
    # Beside a branch of its own for one.
    "{% if asked.number == 1 %}",
    "{% if count == 1 %}",
    "{% if entries|length == 1 %}",
    "is asking for your help with {{ entries|length }}",
    "if len(given) == 1",
    "{% if answer.count == 1 %}",
    "{% if line.number > 1 %}",
    "{% elif row.whole.is_merged %}",
    "if is_past else",
    "if number == 1",
    "if len(links) == 1",
    "days <= IN_DAYS",
    "if years > 1",
    "len(self.match.accounts)",
    "least} to {most}",
    "at least {least} hours",
    "the first {written} of",
    "All {len(results)} documents",
    "first {len(pages):,} of",
    "if number > 1 else",
    "{% if precedents|length < count %}",
    # Never fewer than three.
    "{self._idle} pages of the list",
    # A moment stands before the noun that follows it.
    "{verb} requests received after",
}
"""What a line says that cannot count one; each was looked at."""


def counts_without_singular(paths, pattern) -> list[str]:
    found = []
    for path in paths:
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            if pattern.search(line) and "pluralize" not in line and not any(each in line for each in NEVER_ONE):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}")
    return found


def test_no_template_counts_one_as_many():
    paths = [path for path in (ROOT / "templates").rglob("*") if path.suffix in (".html", ".txt")]
    assert len(paths) > 100
    assert counts_without_singular(paths, OF_TEMPLATES) == []


def test_no_line_of_code_counts_one_as_many():
    paths = [path for path in (ROOT / "portal").rglob("*.py") if "sandbox" not in path.parts and "demo" not in path.parts]
    assert len(paths) > 300
    assert counts_without_singular(paths, OF_CODE) == []


@pytest.mark.parametrize("line", ["<p>{{ number }} requests</p>", "<b>{{ number }}</b> more customers"])
def test_it_would_see_such_a_template(tmp_path, line):
    assert OF_TEMPLATES.search(line)


def test_a_number_with_its_noun():
    assert [counted(number, "row") for number in (0, 1, 2, 2000)] == ["0 rows", "1 row", "2 rows", "2,000 rows"]
    assert [counted(number, "delivery", "deliveries") for number in (0, 1, 2)] == ["0 deliveries", "1 delivery", "2 deliveries"]


def test_what_every_desk_knows_of_a_customer_is_right_for_one_and_for_two():
    worded = {name: desk.describe for name, desk in account_facts._desks.items() if desk.describe}
    assert worded
    for kind, say in worded.items():
        one, two = say(1, 0, None), say(2, 0, None)
        assert re.match(r"1 \w", one), (kind, one)
        assert not re.match(rf"1 (?:{NOUNS})\b", one), (kind, one)
        assert re.match(rf"2 (?:{NOUNS}|with access)\b", two), (kind, two)


def test_people_without_an_account_are_counted_right():
    for name, people in kinds_of_people().items():
        assert people.describe(1) != people.describe(2).replace("2", "1"), name


@pytest.mark.browser
@pytest.mark.parametrize(
    ("html", "is_glued"),
    [
        ("<p>Cindershore Energy<span>1 contract</span></p>", True),
        ("<p>Cindershore Energy <span>1 contract</span></p>", False),
        ("<p>Cindershore Energy<span style='display: block'>1 contract</span></p>", False),
        ("<p style='display: flex; gap: 8px'><b>Cindershore</b><span>1 contract</span></p>", False),
        ("<p>one <mark>searched</mark>word</p>", False),
        ("<p><b>Energy</b>, <span>1 contract</span></p>", False),
    ],
)
def test_two_words_without_a_space_are_seen(page, html, is_glued):
    page.set_content(f"<body>{html}</body>")
    assert bool(page.evaluate(GLUED)) == is_glued
