"""An update that arrives while somebody types, has scrolled or has the focus somewhere takes none of it away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from portal.access_requests.mirror import MIRRORS as ACCESS_REQUESTS
from portal.access_requests.models import AccessRequest
from portal.connections.services import Urgency, client_for
from portal.contracts.mirror import MIRRORS as CONTRACTS
from portal.contracts.models import Contract
from portal.page_refresh.services import touch_areas
from portal.questionnaires.mirror import MIRRORS as QUESTIONNAIRES
from portal.questionnaires.models import Questionnaire, Response
from portal.sync.mirrors import Mirror
from portal.sync.services import drain, reconcile, start_reconcile
from tests.access_requests.conftest import make

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("live-browser")]

NEWS = "Renamed meanwhile"
ROWS_OF_PAGE = 50
SHORT = {"width": 900, "height": 260}
"""A window so low that every page has to be scrolled."""


@dataclass(frozen=True)
class Place:
    """A page that keeps itself up to date: where it is, what it shows of a row, and where a person types on it."""

    path: Callable[[], str]
    link: Callable[[], str]
    field: str
    rename: Callable[[], None]
    area: str
    mirrors: Sequence[Mirror]
    """What has to be copied for it."""


def questionnaire() -> Questionnaire:
    return Questionnaire.objects.filter(status="IN_PROGRESS").order_by("pk")[0]


def response() -> Response:
    return Response.objects.filter(questionnaire=questionnaire()).order_by("position")[0]


def request() -> AccessRequest:
    return AccessRequest.objects.pending().order_by("pk")[0]


def rename_question() -> None:
    Response.objects.filter(pk=response().pk).update(question=NEWS)
    Questionnaire.objects.filter(pk=questionnaire().pk).update(touched_at=timezone.now())


def rename_request() -> None:
    AccessRequest.objects.filter(pk=request().pk).update(name=NEWS, touched_at=timezone.now())


ROOT = "/t/acme"
PLACES = {
    "questionnaires": Place(
        path=lambda: "/questionnaires/?stage=all",
        link=lambda: f"/questionnaires/{questionnaire().platform_id}/",
        field="input[type=search][name=q]",
        rename=lambda: Questionnaire.objects.filter(pk=questionnaire().pk).update(name=NEWS) and None,
        area="questionnaires",
        mirrors=QUESTIONNAIRES,
    ),
    "questionnaire": Place(
        path=lambda: f"/questionnaires/{questionnaire().platform_id}/responses/{response().platform_id}/",
        link=lambda: f"/questionnaires/{questionnaire().platform_id}/responses/{response().platform_id}/",
        field="input[type=search][name=q]",
        rename=rename_question,
        area="questionnaires",
        mirrors=QUESTIONNAIRES,
    ),
    "access requests": Place(
        path=lambda: "/access-requests/",
        link=lambda: f"/access-requests/{request().platform_id}/",
        field="input[type=search][name=q]",
        rename=rename_request,
        area="access_requests",
        mirrors=ACCESS_REQUESTS,
    ),
    "contracts": Place(
        path=lambda: "/contracts/",
        link=lambda: f"/contracts/{Contract.objects.order_by('pk')[0].platform_id}/",
        field="input[type=search][name=q]",
        rename=lambda: Contract.objects.filter(pk=Contract.objects.order_by("pk")[0].pk).update(name=NEWS) and None,
        area="contracts",
        mirrors=CONTRACTS,
    ),
}


@pytest.fixture(params=PLACES)
def place(request, connected, scoped) -> Place:
    """One of them, with a copy of what it shows."""
    found = PLACES[request.param]
    start_reconcile(found.mirrors)
    assert reconcile(found.mirrors, client_for(Urgency.PERSON), seconds=60)
    drain(found.mirrors, client_for(Urgency.PERSON))
    return found


def arrive(place: Place) -> None:
    place.rename()
    touch_areas(place.area)


def focused(page: Page) -> list[object]:
    """Return where the focused link leads, and how far from the top of the window it is."""
    found: list[object] = page.evaluate(
        "[document.activeElement.getAttribute('href'), Math.round(document.activeElement.getBoundingClientRect().top)]"
    )
    return found


SCROLL_BACK = """() => {
    const scrolls = (element) => element.scrollTop > 0 && getComputedStyle(element).overflowY !== "visible";
    let place = document.activeElement;
    while (place && !scrolls(place)) place = place.parentElement;
    (place ?? document.scrollingElement).scrollBy(0, -20);
    return (place ?? document.scrollingElement).scrollTop;
}"""
"""Whatever had to scroll to show the link, the page or a column of it, goes back a little."""


def test_news_leave_the_focus_and_the_scroll_position_where_they_are(page, live_server, session_cookie, place):
    page.set_viewport_size(SHORT)
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{ROOT}{place.path()}")
    link = page.locator(f'[data-live] a[href^="{ROOT}{place.link()}"]').first
    link.focus()
    assert page.evaluate(SCROLL_BACK) > 0
    before = focused(page)
    assert before[0].startswith(f"{ROOT}{place.link()}")
    arrive(place)
    expect(page.locator("[data-live] a", has_text=NEWS).first).to_be_attached(timeout=10_000)
    page.wait_for_timeout(200)
    assert focused(page) == before


def test_news_leave_what_is_half_typed(page, live_server, session_cookie, place):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{ROOT}{place.path()}")
    field = page.locator(place.field).first
    field.focus()
    page.keyboard.press("End")
    page.keyboard.type("e")
    typed = field.input_value()
    # Its own search comes back first.
    page.wait_for_timeout(600)
    arrive(place)
    page.wait_for_timeout(4_000)
    assert field.input_value() == typed
    expect(field).to_be_focused()
    page.keyboard.type("r")
    assert field.input_value() == f"{typed}r"


@pytest.mark.parametrize("place", ["access requests"], indirect=True)
def test_news_leave_what_is_ticked(page, live_server, session_cookie, place):
    for number in range(ROWS_OF_PAGE + 1):
        make(f"Ada{number}", hours=0.01)
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{ROOT}{place.path()}")
    row, every = page.locator("#access-requests tbody .pick input").nth(1), page.locator("#access-requests input[name=all]")
    ticked = row.get_attribute("value")
    row.check()
    every.check()
    # News wait for whoever is in a field of the list, but for no one who is on a link.
    page.locator("#access-requests tbody a.t").first.focus()
    arrive(place)
    expect(page.locator("[data-live] a", has_text=NEWS).first).to_be_attached(timeout=10_000)
    expect(page.locator(f"#access-requests .pick input[value='{ticked}']")).to_be_checked()
    expect(every).to_be_checked()


def test_without_a_script_a_reload_brings_the_news(browser, live_server, session_cookie, place):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}{ROOT}{place.path()}")
    expect(page.get_by_text(NEWS)).to_have_count(0)
    arrive(place)
    page.reload()
    expect(page.get_by_role("link", name=NEWS).first).to_be_visible()
    context.close()


@pytest.mark.parametrize("place", ["contracts"], indirect=True)
def test_news_wait_for_a_click_that_has_begun(page, live_server, session_cookie, place):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{ROOT}{place.path()}")
    page.locator(f'[data-live] a[href^="{ROOT}{place.link()}"]').first.hover()
    page.mouse.down()
    arrive(place)
    page.wait_for_timeout(4_000)
    expect(page.get_by_text(NEWS)).to_have_count(0)
    page.mouse.up()
    page.wait_for_url(f"**{ROOT}{place.link()}")
