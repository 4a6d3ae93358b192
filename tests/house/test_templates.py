"""Rules of the house for what templates write: buttons that do what they say, and keys that the list of keys names."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from portal.ui.navigation import DESKS, SETTINGS_PAGE
from tests.house.test_source import ROOT, named

pytestmark = pytest.mark.once

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
TAGS = re.compile(r"\{%.*?%\}|\{#.*?#\}", re.DOTALL)


KEYS = re.compile(r'data-key="(?:\{% if .+? %\})?(\w)(?:\{% else %\}(\w)\{% endif %\})?"')
ACTIONS = re.compile(r'^    "?([^\s"]+)"?: ', re.MULTILINE)
NAMED_KEYS = re.compile(r"<kbd>([^{]+?)</kbd>")
OF_THE_BROWSER = {"Enter", "Ctrl"}
"""Named in the list, pressed without a script of ours or together with another key."""


LOSES = re.compile(r"\b(?:delete|discard|disconnect|end|erase|remove|revoke|stop|unlink|withdraw)\b", re.IGNORECASE)
ASKS = ("dialog", "details")
ASKED_ELSEWHERE = {
    "comments/_list.html: Delete": "below the question whether to delete it",
    "connections/connection.html: No, end its access": "below the question whether it is the right account",
    "connections/_leave.html: Disconnect Save": "the name of the tenant has to be typed",
    "contracts/delete.html: Delete on the platform": "a page that asks",
    "customers/delete.html: Delete": "a page that asks",
    "deletion_requests/confirm.html: Erase this person": "the address has to be typed again",
    "deletion_requests/review.html: Send and erase": "the address has to be typed again",
    "mfa/totp/deactivate_form.html: Remove app": "a page that asks",
    "mfa/webauthn/authenticator_confirm_delete.html: Remove passkey": "a page that asks",
    "people/change.html: Remove Add": "a page that asks",
    "people/group.html: Remove from the group…": "the next page asks",
}
LOSES_LITTLE = {
    "access_requests/_second.html: Withdraw approval": "nothing was sent, and it is approved again in one press",
    "access_requests/lists.html: Remove": "a domain is listed again in one line",
    "access_requests/rules.html: Remove": "each version of the rules is kept",
    "access_requests/rules.html: Stop all rules": "it has to be quick, and they are started again",
    "calendars/hours.html: Remove": "a day is entered again in one line",
    "commitments/commitment.html: End commitment": "it can be reopened",
    "commitments/standards.html: Remove our standard for": "a standard is set again in one line",
    "contracts/_uploads.html: Discard": "stops what has not left; the person has the file",
    "contracts/queue.html: Discard the waiting upload all": "stops what has not left; the person has the files",
    "questionnaires/_pane.html: Discard the draft": "it stands beside the text that it names",
    "questionnaires/drafting_run.html: Stop": "the drafts so far stay, and one press drafts the rest",
    "questionnaires/targets.html: Delete": "a target is entered again in one line",
    "saved_views/list.html: Delete": "a view is saved again from its list",
    "today/portfolio.html: Delete view": "a view is saved again from its list",
    "usersessions/usersession_list.html: End": "signs somebody out, who signs in again",
    "usersessions/usersession_list.html: End all other sessions": "signs somebody out, who signs in again",
}
"""Buttons that act at once although their words sound like a loss, each with the reason."""
AND_MORE = re.compile(r"\band (?:from )?\{\{[^}]+\}\} more\b")
SHOWS_MORE = re.compile(r"<summary>Show (?:all )?\{\{")
REST_IS_ELSEWHERE = {
    "access_requests/_effects.html": "all that wait are in the list, each with what the rules say to it",
    "contracts/text.html": "the pages of the text stand below, and the search is narrowed",
    "people/_people.html": "the page of a person names all their groups",
    "trust_center_activity/_words.html": "the conversations are behind the button of the word",
}
"""Lists that name a part, each with the place where the rest is read."""
ROOMS_OF_DAYS = {"documents", "engagements", "people", "risks", "vendors"}
BARE_DAYS = re.compile(r'\{\{ [\w.]*(?:due|starts?|started|ends?|ended|early_access)_at\|date:"j M Y" \}\}')
"""A day that the platform holds as midnight UTC, written without `as_day`: west of there it would be the day before."""
OPENS = re.compile(r'data-open-dialog="([^"{]+)')
DIALOG_IDS = re.compile(r'\bid="([^"{]+)')
INCLUDES = re.compile(r'\{% include "([^"#]+)"[^%]*%\}')
REGIONS = re.compile(r"\{% partialdef \w+[^%]*%\}(.*?)\{% endpartialdef %\}", re.DOTALL)
COMMENTS = re.compile(r"\{#.*?#\}", re.DOTALL)
IDS = re.compile(r'\bid=((?:"[^"]*"|[^\s%"<>])+)')
OPENED_IDS = re.compile(r'data-open-dialog="([^"]+)"')
GIVEN = re.compile(r'(\w+)=((?:"[^"]*"|[^\s%"])+)')
NAMES = re.compile(r"(?<![.\w])\w+")
MAX_NAMES = 2
"""So many names may stand for one another, such as `key` for `link.pk` and `link` for `expert.link`."""
WAYS_OF_WRITING = re.compile(r'\|add:|\|stringformat:"\w"|[{}"\s]')
STAND_OUTSIDE = {
    **dict.fromkeys(
        (
            "library/entry.html: delete-entry",
            "library/entry.html: review-entry",
            "trust_center/control.html: hide-control",
            "trust_center/faq.html: delete-faq",
            "trust_center/resource.html: delete-document",
            "trust_center/resource.html: renew-document",
            "trust_center/update.html: delete-update",
            "vendors/vendor.html: vendor-status",
        ),
        "a refresh takes the button away, and brings none",
    ),
    "questionnaires/drafting_run.html: undo-drafts": "whoever may draft has the dialog from the start",
}
"""Dialogs beside the region that is drawn anew, each with the reason why its button never opens nothing."""


class Buttons(HTMLParser):
    """Collects the buttons that name the form they belong to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []
        self.feed(TAGS.sub("", text))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "button" and "form" in dict(attrs):
            self.found.append(dict(attrs))


class LastSteps(HTMLParser):
    """Collects the buttons that send something, sound like a loss, and stand in nothing that was opened to ask."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.asks = 0
        self.label: list[str] | None = None
        self.feed(TAGS.sub(" ", text))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.asks += tag in ASKS
        if tag == "button" and dict(attrs).get("type") != "button" and not self.asks:
            self.label = []

    def handle_data(self, data: str) -> None:
        if self.label is not None:
            self.label.append(data)

    def handle_endtag(self, tag: str) -> None:
        self.asks -= tag in ASKS
        if tag == "button" and self.label is not None:
            words = " ".join("".join(self.label).partition("{{")[0].split())
            self.found += [words] if LOSES.search(words) else []
            self.label = None


def test_a_last_step_that_loses_something_asks_first():
    found = {
        f"{named(path).removeprefix('templates/')}: {words}"
        for path in TEMPLATES
        for words in LastSteps(path.read_text()).found
    }
    assert found == ASKED_ELSEWHERE.keys() | LOSES_LITTLE.keys()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('<form method="post"><button class="btn">{% lucide "x" %}Revoke</button></form>', ["Revoke"]),
        ('<form><button name="do" value="revoke">Revoke the link</button></form>', ["Revoke the link"]),
        ("<button>Delete {{ account }}</button>", ["Delete"]),
        ('<button type="button" data-open-dialog="revoke">Revoke</button>', []),
        ('<dialog id="revoke"><form><button>Revoke</button></form></dialog>', []),
        ("<details><summary>Leave</summary><button>Remove</button></details><button>End it</button>", ["End it"]),
        ("<form><button>Send</button><button>Removed</button></form>", []),
    ],
)
def test_a_last_step_that_asks_nothing_is_found(text, words):
    assert LastSteps(text).found == words


def hides_the_rest(text: str) -> bool:
    """Say whether a list ends in "and 7 more" where nothing shows those."""
    return bool(AND_MORE.search(text)) and not SHOWS_MORE.search(text)


def test_r2_a_list_that_names_a_part_shows_the_rest():
    found = {named(path).removeprefix("templates/") for path in TEMPLATES if hides_the_rest(path.read_text())}
    assert found == REST_IS_ELSEWHERE.keys()


@pytest.mark.parametrize(
    ("text", "is_hidden"),
    [
        ("<ul>{% for each in named %}<li>{{ each }}</li>{% endfor %}<li>and {{ more }} more</li></ul>", True),
        ("<p>{{ one }}{% if more %} and from {{ rows|length|add:'-4' }} more{% endif %}</p>", True),
        ("<p>and {{ more }} more</p><details><summary>Show all {{ count }}</summary></details>", False),
        ("<details><summary>Show {{ more|length }} more</summary></details>", False),
        ("<p>One more time, and {{ name }} is told.</p>", False),
    ],
)
def test_r2_a_rest_that_nothing_shows_is_found(text, is_hidden):
    assert hides_the_rest(text) == is_hidden


def test_a_due_date_a_start_or_an_end_of_the_platform_is_the_same_day_for_every_reader():
    rooms = [path for path in TEMPLATES if path.parent.name in ROOMS_OF_DAYS]
    assert {path.parent.name for path in rooms} == ROOMS_OF_DAYS
    assert [f"{named(path)}: {each}" for path in rooms for each in BARE_DAYS.findall(path.read_text())] == []


def test_every_dialog_that_a_button_opens_is_there():
    texts = [path.read_text() for path in TEMPLATES]
    there = {found for text in texts for found in DIALOG_IDS.findall(text)}
    opened = {found for text in texts for found in OPENS.findall(TAGS.sub("", text))}
    assert {"remove-text", "delete-file", "revoke-page", "end-secret-"} <= opened
    assert opened <= there


def whole(text: str) -> str:
    """Return a template with what it includes, without comments."""
    return INCLUDES.sub(lambda found: found[0] + whole((ROOT / "templates" / found[1]).read_text()), COMMENTS.sub("", text))


def dialogs_outside(text: str) -> set[str]:
    """Name the dialogs that a button of a region opens although they stand outside of it: a refresh brings the button alone."""
    found: set[str] = set()
    for region in REGIONS.findall(text):
        drawn = whole(region)
        given = dict(GIVEN.findall(" ".join(TAGS.findall(drawn))))
        opened, there = ({plain_id(each, given) for each in ids.findall(drawn)} for ids in (OPENED_IDS, IDS))
        found |= opened - there
    return found


def plain_id(written: str, given: dict[str, str]) -> str:
    """Return an id as it can be compared, whether it is written into an attribute or put together in a tag."""
    for _ in range(MAX_NAMES):
        written = NAMES.sub(lambda word: given.get(word[0], word[0]), WAYS_OF_WRITING.sub("", written))
    return WAYS_OF_WRITING.sub("", written)


def test_r2_what_a_refresh_brings_opens_its_dialog():
    found = {
        f"{named(path).removeprefix('templates/')}: {each}" for path in TEMPLATES for each in dialogs_outside(path.read_text())
    }
    assert found == STAND_OUTSIDE.keys()


REGION = "{{% partialdef list inline %}}{inside}{{% endpartialdef %}}{outside}"


@pytest.mark.parametrize(
    ("inside", "outside", "missing"),
    [
        ('<button data-open-dialog="end">End</button><dialog id="end"></dialog>', "", set()),
        ('<button data-open-dialog="end">End</button>', '<dialog id="end"></dialog>', {"end"}),
        ('<button data-open-dialog="{{ each.key }}">End</button>', "{% include 'x' with id=each.key %}", {"each.key"}),
        ('<i data-open-dialog="{{ row }}-end"></i>{% with end_id=row|add:"-end" %}{% with id=end_id %}', "", set()),
        ('<i data-open-dialog="end-{{ row.pk }}"></i>{% with key=row.pk|stringformat:"d" id="end-"|add:key %}', "", set()),
        ("<p>Nothing to open.</p>", '<button data-open-dialog="end">End</button>', set()),
    ],
)
def test_r2_a_dialog_outside_of_its_region_is_found(inside, outside, missing):
    assert dialogs_outside(REGION.format(inside=inside, outside=outside)) == missing


@pytest.mark.parametrize("path", TEMPLATES, ids=named)
def test_r2_a_button_outside_of_its_form_says_that_it_sends_it(path: Path):
    """Without `type="submit"` htmx does not take it for the sender, and its name and value are lost."""
    assert [button for button in Buttons(path.read_text()).found if button.get("type") != "submit"] == []


def test_r2_the_list_of_keys_names_every_key_and_no_other():
    keys = {key for path in TEMPLATES for found in KEYS.findall(path.read_text()) for key in found if key}
    script = (ROOT / "static/js/keys.js").read_text()
    keys |= set(
        ACTIONS.findall(script[script.index("const actions = {") : script.index("};", script.index("const actions = {"))])
    )
    keys |= {"Esc" if key == "Escape" else key for key in keys}
    keys |= {"K" for _ in re.findall(r'key\.toLowerCase\(\) === "k"', (ROOT / "static/js/command.js").read_text())}
    keys |= {"g" for _ in re.findall(r'key === "g"', script)}
    named_keys = {
        key for key in NAMED_KEYS.findall((ROOT / "templates/_shortcuts.html").read_text()) if not key.startswith("{{")
    }
    assert {"j", "k", "e", "?", "/", "A", "5"} <= keys, "the keys are written another way now"
    between = {"3", "2", "4"}  # told by an ellipsis
    assert named_keys - OF_THE_BROWSER == keys - {"Escape"} - between


def test_r2_every_page_of_the_navigation_has_a_letter_of_its_own():
    letters = [entry.go for entry in (*DESKS, SETTINGS_PAGE)]
    assert all(len(letter) == 1 for letter in letters)
    assert len(set(letters)) == len(letters)
