"""What only a browser can show: axe, a phone's width, the keyboard, a walk without a script, a page that follows."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.commitments.models import Commitment
from portal.incidents import services
from portal.incidents.models import Incident, Notice
from portal.incidents.services import Telling
from portal.page_refresh.services import touch_areas
from tests.incidents.conftest import PAGE, make_account, make_promise, notice_of, open_one, set_standard
from tests.support.page_checks import DESK, look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("incidents-browser")]
LONG = "Internationale Beteiligungs- und Vermögensverwaltungsgesellschaft Hohenstaufen-Wittelsbach mbH & Compagnie KG"


@pytest.fixture
def customers(owner, office):
    """Customers with every kind of promise."""
    make_promise(make_account("Northwind"), "24 hours", contract="Data processing agreement", clause="Art. 8.2", page=14)
    both = make_account("Initech")
    make_promise(both, "72 hours", contract="Master services agreement 2019", clause="§ 12")
    make_promise(
        both, "without undue delay", contract="DPA 2024", clause="4.1", notify="security@initech.example, +49 30 1234567"
    )
    make_promise(make_account("Sydney Bank"), "2 business days", zone="Australia/Sydney", country="AU", contract="MSA")
    make_promise(make_account("Umbrella"), "2 hours", contract="MSA", quote="Supplier shall notify Customer within two hours.")
    make_promise(make_account("Credentials Only"), "4 hours", data_kinds=["credentials"], contract="MSA")
    make_promise(make_account(LONG, domain=f"{'long-' * 10}domain.example"), "5 days", contract=LONG, notify=LONG)
    for number in range(55):
        make_account(f"Without {number:02}", domain=f"without{number}.example")
    set_standard(72)


def test_every_page_of_the_planner_is_sound(page, live_server, session_cookie, customers, owner):
    page.context.add_cookies([session_cookie])
    root = f"{live_server.url}{PAGE}"
    page.goto(root)
    expect(page.get_by_role("heading", name="No incidents")).to_be_visible()
    look(page, "incidents-0-none")
    incident = open_one(owner, name="Backup bucket was readable by everybody", noticed_at=timezone.now() - timedelta(hours=9))
    telling = Telling(told_at=timezone.now() - timedelta(hours=2), way="phone", note="Spoke to their CISO.")
    services.mark_notified(incident, [notice_of(incident, "Initech").pk], telling, member=owner)
    services.exempt(notice_of(incident, "Without 03"), reason="None of their data was in it.", member=owner)
    Commitment.objects.filter(amount=24).update(amount=12)
    touch_areas("commitments")
    page.goto(root)
    expect(page.get_by_text("Backup bucket")).to_be_visible()
    look(page, "incidents-1-list")
    page.goto(f"{root}{incident.pk}/")
    expect(page.get_by_text("7 h late")).to_be_visible()
    expect(page.get_by_text("The plan may be out of date")).to_be_visible()
    look(page, "incidents-2-plan")
    page.get_by_role("link", name="See what would change").click()
    expect(page.get_by_text("1 deadline moved")).to_be_visible()
    look(page, "incidents-3-replan")
    page.get_by_role("button", name="Rebuild plan").click()
    expect(page.get_by_text("Plan rebuilt: 1 deadline moved.")).to_be_visible()
    page.get_by_role("link", name="Full log").click()
    look(page, "incidents-4-log")
    page.goto(f"{root}{incident.pk}/notices/{notice_of(incident, 'Initech').pk}/")
    expect(page.get_by_role("heading", name="Recorded by mistake?")).to_be_visible()
    look(page, "incidents-5-told")
    page.goto(f"{root}{incident.pk}/notices/{notice_of(incident, LONG).pk}/")
    expect(page.get_by_role("heading", name="Mark as notified")).to_be_visible()
    look(page, "incidents-6-long")
    page.goto(f"{root}{incident.pk}/print/")
    expect(page.get_by_role("heading", name="Plan:")).to_be_visible()
    look(page, "incidents-7-print")
    page.goto(f"{root}{incident.pk}/close/")
    look(page, "incidents-8-close")
    page.goto(f"{root}templates/")
    look(page, "incidents-9-templates")
    page.get_by_role("link", name="New template").click()
    page.get_by_label("Name").fill("Breach")
    page.get_by_label("Subject").fill("{nothing}")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Unknown placeholder {nothing}")).to_be_visible()
    look(page, "incidents-10-template")


def test_an_incident_from_its_notice_to_its_end(page, live_server, session_cookie, customers):
    page.context.add_cookies([session_cookie])
    root = f"{live_server.url}{PAGE}"
    page.goto(f"{root}new/")
    look(page, "incidents-11-new")
    page.get_by_label("Name", exact=True).fill("Lost laptop")
    page.get_by_label("Personal data").check()
    page.get_by_label("Not known yet").uncheck()
    page.get_by_label("Only those named below").check()
    page.get_by_role("textbox", name="Customers", exact=True).fill("Northwind\numbrella.example\nwithout 01\nNobody Ltd")
    page.get_by_role("button", name="Create plan").click()
    expect(page.get_by_text("One line does not clearly match a customer")).to_be_visible()
    # The page has moved to the field. From here on it is seen whole, so that no bar lies half over a box.
    page.set_viewport_size(DESK | {"height": 2400})
    look(page, "incidents-12-recognised")
    page.get_by_label("Continue without the lines that weren't recognized").check()
    page.get_by_role("button", name="Create plan").click()
    expect(page.get_by_role("heading", name="Lost laptop")).to_be_visible()
    expect(page.locator("#plan tbody tr")).to_have_count(3)
    for box in page.locator("#plan tbody .pick input").all():
        box.check()
    look(page, "incidents-13-chosen")
    page.get_by_role("button", name="Mark as notified…").click()
    expect(page.get_by_role("heading", name="Mark 3 customers as notified")).to_be_visible()
    look(page, "incidents-14-tell")
    page.get_by_role("button", name="Mark as notified").click()
    expect(page.get_by_text("Marked 3 customers as notified.")).to_be_visible()
    page.get_by_role("link", name="Close…").click()
    page.get_by_role("button", name="Close incident").click()
    expect(page.get_by_text("This incident is closed", exact=True)).to_be_visible()
    look(page, "incidents-15-closed")


def test_the_open_plan_follows_what_others_do(page, live_server, session_cookie, customers, owner):
    page.context.add_cookies([session_cookie])
    incident = open_one(owner, noticed_at=timezone.now() - timedelta(hours=1))
    page.goto(f"{live_server.url}{PAGE}{incident.pk}/?q=umbrella")
    expect(page.get_by_text("in 59 min").or_(page.get_by_text("in 1 h"))).to_be_visible()
    # The clock continues automatically.
    page.evaluate("document.querySelector('time[data-deadline]').dateTime = new Date(Date.now() - 7300_000).toISOString()")
    expect(page.get_by_text("2 h 1 min late")).to_be_visible()
    keys = [notice_of(incident, "Umbrella").pk]
    services.mark_notified(incident, keys, Telling(told_at=timezone.now(), way="mail"), member=owner)
    # Nobody touches the page: it hears of it by itself.
    expect(page.get_by_text("notified in time")).to_be_visible()


def test_an_incident_is_written_down_without_a_mouse(page, live_server, session_cookie, customers):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    expect(page.get_by_role("heading", name="No incidents")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="New incident")).to_be_visible()
    page.get_by_label("Name", exact=True).focus()
    page.keyboard.type("Lost laptop")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Lost laptop")).to_be_visible()
    expect(page.locator("#plan tbody tr")).to_have_count(50)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What was promised")).to_be_visible()


def test_the_planner_needs_no_script(browser, live_server, session_cookie, customers):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}{PAGE}new/")
    page.get_by_label("Name", exact=True).fill("Lost laptop")
    page.get_by_role("button", name="Create plan").click()
    page.get_by_role("searchbox", name="Search by customer").fill("northwind")
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("link", name="Northwind", exact=True).click()
    page.get_by_label("Text").fill("Dear Northwind")
    page.get_by_role("button", name="Save draft").click()
    page.get_by_label("Channel").select_option("phone")
    page.get_by_role("button", name="Mark as notified", exact=True).click()
    expect(page.get_by_text("notified in time")).to_be_visible()
    assert Notice.objects.get(incident=Incident.objects.get(), customer="Northwind").way == "phone"
    context.close()
