"""What a walk takes for one control, and what for a fault."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.urls import reverse

from tests.controls.inventory import Control, route_of
from tests.controls.keys import PageKey
from tests.controls.presses import BY_ITSELF, Browser
from tests.controls.walks import Walk

pytestmark = pytest.mark.once
KEY = PageKey("j", "goes to a row", ("j",), "", "")


def control(**facts: Any) -> Control:
    plain = {"index": 0, "kind": "button", "tag": "button", "words": "", "verb": "", "address": "", "name": "", "value": ""}
    plain |= {"key": "", "place": "", "is_row": False, "is_shell": False, "is_current": False, "is_hidden": False}
    return Control(**{**plain, "is_sent_by_key": False, **facts})


def of_a_row(deed: str, number: int = 30, **facts: Any) -> tuple[str, ...]:
    address = f"/t/acme/today/{number}/{deed}/"
    return control(kind="sender", verb="post", address=address, is_row=True, **facts).signature("/t/acme/")


def faults_of(*tries: list[str]) -> tuple[list[str], list[str]]:
    """Press one key, with so much wrong each time; return the faults, and what was opened."""
    left, opened = iter(tries), []
    browser = SimpleNamespace(open=opened.append, press_keys=lambda key: next(left), is_as_before=lambda: True)
    walk = Walk(cast("Browser", browser))
    walk.press_keys([KEY], "/t/acme/")
    return walk.faults, opened


def test_r2_each_deed_of_a_row_is_a_control_of_its_own_and_one_row_stands_for_all():
    assert of_a_row("take") == of_a_row("take", 31)
    assert of_a_row("take") != of_a_row("assign")
    assert of_a_row("take") != of_a_row("take", is_sent_by_key=True)


@pytest.mark.parametrize(
    "part",
    [
        control(words="Dark", is_shell=True),
        control(kind="link", tag="a", verb="get", address="#main", words="Skip to content", is_shell=True),
    ],
    ids=["button", "place on the page"],
)
def test_r2_the_frame_of_the_site_is_pressed_once_for_the_pages_of_a_tenant_and_once_for_the_others(part):
    assert part.signature("/t/acme/") == part.signature("/t/acme/customers/")
    assert part.signature("/portfolio/") == part.signature("/notifications/")
    assert part.signature("/t/acme/") != part.signature("/portfolio/")


def test_r2_what_is_wrong_once_was_late_and_what_is_wrong_twice_is_a_fault():
    assert faults_of([]) == ([], ["/t/acme/"])
    assert faults_of(["nothing happens"], []) == ([], ["/t/acme/", "/t/acme/"])
    assert faults_of(["nothing happens"], ["nothing happens"])[0] == [f"/t/acme/: {KEY}: nothing happens"]


def test_r2_what_a_page_sends_by_itself_is_known_by_its_address():
    assert {*BY_ITSELF} == {route_of(reverse(name, args=["acme"])) for name in ("today:seen", "commands:opened")}
