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


class Buttons(HTMLParser):
    """Collects the buttons that name the form they belong to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []
        self.feed(TAGS.sub("", text))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "button" and "form" in dict(attrs):
            self.found.append(dict(attrs))


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
