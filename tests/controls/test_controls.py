"""Guarantee R2: each control of each page, found by itself, is pressed in a real browser; one that does nothing is named.

The whole of it is `make controls`; one page, with dead controls planted among its own, belongs to every run.
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Route

from portal.tenants.models import Role
from tests.controls.keys import Line, keys_of
from tests.controls.presses import Browser
from tests.controls.walks import Walk, signed_out_starts, starts
from tests.controls.world import SECOND, World, world
from tests.support.page_checks import DESK

pytestmark = [pytest.mark.browser, pytest.mark.once]
PAGE = "/t/acme/customers/new/"
LIST = "/t/acme/questionnaires/?stage=all"
LEAST = 100
"""With fewer controls pressed, the finding is broken."""
DEAD = {
    "Dead button": '<button type="button">Dead button</button>',
    "Without an address": "<a>Without an address</a>",
    "Empty address": '<a href="">Empty address</a>',
    "Missing place": '<a href="#missing">Missing place</a>',
    "Gone page": '<a href="/t/acme/nothing/">Gone page</a>',
    "Lonely box": '<label><input type="checkbox" name="lonely"> Lonely box</label>',
    "Away from its form": '<form id="far"></form><button>Away from its form</button>',
    "Refused by the server": '<form method="post" action="/t/acme/nothing/"><button>Refused by the server</button></form>',
    "Key without effect": '<button type="button" data-key="9">Key without effect</button>',
}


@pytest.fixture
def site(db: None) -> Iterator[World]:
    with world() as made:
        yield made


@pytest.fixture
def person(site: World, browser: Chromium) -> Iterator[Callable[[str | None], Browser]]:
    """Give somebody a browser."""
    contexts = []

    def sit_down(session: str | None) -> Browser:
        contexts.append(browser.new_context(viewport=DESK, reduced_motion="reduce"))
        contexts[-1].grant_permissions(["clipboard-read", "clipboard-write"])
        return Browser(site, contexts[-1], session)

    yield sit_down
    for context in contexts:
        context.close()


def expect_none(walk: Walk) -> None:
    """Fail with every fault, each on a line of its own."""
    __tracebackhide__ = True
    print(f"{len(walk.pressed)} controls on {len(walk.pages)} pages")
    if walk.faults:
        pytest.fail(f"{len(walk.faults)} of {len(walk.pressed)} controls:\n" + "\n".join(walk.faults), pytrace=False)


@pytest.mark.controls
@pytest.mark.timeout(3600)
# Each in a group of its own, so that they run side by side; the longest first.
@pytest.mark.parametrize(
    "role",
    [
        pytest.param(role, id=role.label.lower(), marks=pytest.mark.xdist_group(f"controls-{role.label}"))
        for role in reversed(Role)
    ],
)
def test_r2_every_control_of_every_page_does_something(person, site, role):
    walk = Walk(person(site.sessions[role])).run([*site.own, *starts()])
    expect_none(walk)
    assert len(walk.pressed) > LEAST
    if role == Role.OWNER:
        assert walk.unpressed() == []


@pytest.mark.controls
@pytest.mark.timeout(3600)
@pytest.mark.xdist_group("controls-operator")
def test_r2_every_control_does_something_for_who_works_for_two_tenants_one_of_them_empty(person, site):
    walk = Walk(person(site.operator), keeps_out_of=site.root).run(starts(SECOND))
    expect_none(walk)
    assert len(walk.pressed) > LEAST


@pytest.mark.controls
@pytest.mark.timeout(3600)
@pytest.mark.xdist_group("controls-out")
def test_r2_every_control_does_something_for_who_is_signed_out(person, site):
    walk = Walk(person(None)).run(signed_out_starts(site))
    expect_none(walk)
    assert len(walk.pages) > 3


@pytest.mark.xdist_group("controls")
def test_r2_a_dead_control_is_found_by_its_name(person, site):
    somebody = person(site.sessions[Role.ANALYST])

    def plant(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("</main>", "".join(DEAD.values()) + "</main>"))

    somebody.page.route(f"**{PAGE}", plant)
    walk = Walk(somebody, most_pages=1)
    walk.run([PAGE])
    found = [name for name in DEAD if any(f"“{name}”" in fault for fault in walk.faults)]
    assert found == [*DEAD]
    assert [fault for fault in walk.faults if not any(f"“{name}”" in fault for name in DEAD)] == []


@pytest.mark.controls
@pytest.mark.timeout(3600)
@pytest.mark.xdist_group("controls-keys")
def test_r2_a_dead_key_is_found_by_its_name(person, site):
    somebody = person(site.sessions[Role.ANALYST])
    somebody.page.route("**/static/js/*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    walk = Walk(somebody)
    assert somebody.opens(LIST)
    # One letter of those to go to stands for all.
    meant = [key for key in keys_of(somebody.page) if key.name == "g t" or not key.name.startswith("g ")]
    assert {"/", "j", "k", "x", "b", "Enter", "?", "Esc", "Ctrl+K", "g t"} == {key.name for key in meant}
    walk.press_keys(meant, LIST)
    assert [key for key in meant if not any(f"{key}: " in fault for fault in walk.faults)] == []


def test_r2_a_key_of_the_list_that_no_page_has_is_named():
    pressed = {("a", "/t/<slug:slug>/questionnaires/<id:platform_id>/review/"), ("a", "/t/<slug:slug>/"), ("2", "/")}
    assert Line("a r", ("a", "r")).unpressed(pressed) == ["r"]
    assert Line("a o d s u", ("a", "o")).unpressed(pressed) == ["o"]
    assert Line("a c d", ("a",)).unpressed(pressed) == ["a"]
    assert Line("1 … 5", ("1", "2")).unpressed(pressed) == ["1", "2"]
    # One that names no place speaks of any page.
    assert Line("1 … 2", ("1", "2")).unpressed(pressed) == ["1"]
