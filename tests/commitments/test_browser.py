"""What only a browser can show: axe, a phone's width, triage by keyboard, a walk without a script."""

from decimal import Decimal

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.commitments.comparison import Promise
from portal.commitments.models import Commitment, Suggestion, Term
from portal.commitments.services import dismiss, end_commitment, set_standard
from tests.commitments.conftest import BREACH, DELETION, PAGE, make_account, make_answer, make_contract, work
from tests.support.page_checks import DESK, look
from tests.support.readings import all_was_read

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("commitments-browser")]
LONG = "Internationale Beteiligungs- und Vermögensverwaltungsgesellschaft Hohenstaufen-Wittelsbach mbH & Compagnie KG"


def fill_with_life(owner, promise) -> Commitment:
    """Customers with promises of every kind, a contract with text, answers that say another thing."""
    for term, amount, unit in (
        (Term.BREACH_NOTICE, 72, "hours"),
        (Term.DELETION, 90, "days"),
        (Term.AVAILABILITY, 99.9, "percent"),
    ):
        set_standard(term, Promise(Decimal(str(amount)), unit), seen="", member=owner)
    long = make_account(LONG, f"{'long-' * 10}domain.example")
    contract = make_contract(f"Data processing agreement with {LONG}", long, BREACH, f"{DELETION}\nMore of it.")
    make_contract("Nobody's agreement", None, BREACH.replace("twenty-four (24)", "thirty-six (36)"))
    first = promise(
        long,
        amount=Decimal(24),
        unit="hours",
        contract=contract,
        clause="7.2",
        page=1,
        quote=BREACH,
        notify="The security desk, by mail and telephone",
        data_kinds=["personal", "special"],
        zone="Europe/Berlin",
        country="DE",
    )
    promise(long, amount=Decimal(1), unit="business-days")
    promise(long, "data-location", words="within the European Economic Area and nowhere else, backups included")
    promise(long, "availability", amount=Decimal("99.95"), unit="percent")
    promise(long, "subprocessor-notice", amount=Decimal(30), unit="days")
    promise(long, "audit-rights", amount=Decimal(1), unit="times-a-year")
    promise(long, "deletion", amount=Decimal(120), unit="days")
    promise(long, "retention", amount=Decimal(12), unit="months")
    for number in range(12):
        account = make_account(f"Umbrella {number}", f"umbrella{number}.example")
        if number % 3:
            ended = promise(account, amount=Decimal(24 * number), unit="hours")
        if number == 8:
            end_commitment(ended, seen=ended.version, member=owner)
    make_answer(long, "How soon do you notify customers of a data breach?", "We notify our customers within 72 hours.")
    make_answer(long, "How long after termination is data deleted?", "Within 30 days.", status="IN_REVIEW")
    work()
    return first


def test_every_page_of_the_room_is_sound(page, live_server, session_cookie, owner, promise):
    page.context.add_cookies([session_cookie])
    root = f"{live_server.url}{PAGE}"
    all_was_read("account")
    page.goto(root)
    expect(page.get_by_text("No customers yet")).to_be_visible()
    look(page, "commitments-0-empty")
    first = fill_with_life(owner, promise)
    page.goto(root)
    expect(page.get_by_role("link", name="strictest of 2")).to_be_visible()
    look(page, "commitments-1-matrix")
    page.goto(f"{root}register/")
    expect(page.locator("#register tbody tr")).to_have_count(15)
    look(page, "commitments-2-register")
    page.goto(f"{root}register/?state=ended")
    expect(page.locator("#register tbody tr")).to_have_count(1)
    page.goto(f"{root}{first.pk}/")
    expect(page.get_by_role("heading", name="Breach notice: 24 hours")).to_be_visible()
    look(page, "commitments-3-commitment")
    page.goto(f"{root}answers/")
    expect(page.get_by_role("heading", name="promised 24 hours, answered 72 hours")).to_be_visible()
    look(page, "commitments-4-answers")
    page.locator("summary", has_text="Dismiss…").first.click()
    page.get_by_label("Why both can stay as they are").first.fill("ask jane@northwind.example")
    page.locator("#contradictions").get_by_role("button", name="Dismiss", exact=True).first.click()
    expect(page.get_by_label("Why both can stay as they are").first).to_have_value("ask jane@northwind.example")
    look(page, "commitments-14-reason")
    page.get_by_label("Why both can stay as they are").first.fill("The contract ends this year")
    page.locator("#contradictions").get_by_role("button", name="Dismiss", exact=True).first.click()
    expect(page.locator("#contradictions h2")).to_have_count(1)
    page.goto(f"{root}standard/")
    expect(page.get_by_role("link", name="Change our standard for Breach notice")).to_be_visible()
    look(page, "commitments-5-standards")
    page.goto(f"{root}suggestions/?open={Suggestion.objects.open()[0].pk}")
    expect(page.get_by_role("button", name="Accept a")).to_be_visible()
    look(page, "commitments-6-suggestion")
    page.goto(f"{root}suggestions/")
    look(page, "commitments-7-suggestions")
    dismiss(Suggestion.objects.open()[0], member=owner)
    page.goto(f"{root}suggestions/?show=put-away")
    expect(page.locator("#inbox tbody tr")).to_have_count(1)
    look(page, "commitments-8-put-away")


def test_every_form_of_the_room_is_sound(page, live_server, session_cookie, owner, promise):
    page.context.add_cookies([session_cookie])
    root = f"{live_server.url}{PAGE}"
    account = make_account(LONG)
    contract = make_contract("Master agreement", account, BREACH)
    for number in range(25):
        make_account(f"Umbrella {number}", f"umbrella{number}.example")
    page.goto(root)
    page.get_by_role("link", name="New commitment").click()
    look(page, "commitments-9-whose")
    page.get_by_placeholder("Search by name or email domain").fill("hohenstaufen")
    expect(page.locator("#customers li")).to_have_count(1)
    page.get_by_role("link", name=LONG).click()
    look(page, "commitments-10-new")
    page.get_by_label("Number").fill("2")
    page.get_by_label("Counted in").select_option("months")
    page.get_by_role("button", name="Add commitment").click()
    expect(page.get_by_text("is counted in hours, days or business days")).to_be_visible()
    look(page, "commitments-11-refused")
    page.get_by_label("Counted in").select_option("business-days")
    page.get_by_label("Contract", exact=False).first.select_option(str(contract.pk))
    page.get_by_role("button", name="Add commitment").click()
    expect(page.get_by_role("heading", name="Breach notice: 2 business days")).to_be_visible()
    page.get_by_role("link", name="Edit", exact=True).click()
    Commitment.objects.update(amount=3, changed_at=timezone.now())
    page.get_by_label("Number").fill("5")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("someone else changed this commitment")).to_be_visible()
    look(page, "commitments-12-conflict")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="5 business days")).to_be_visible()
    page.goto(f"{root}standard/")
    page.get_by_role("link", name="Set our standard for Breach notice").click()
    look(page, "commitments-13-standard")
    page.get_by_label("Number").fill("10")
    page.get_by_label("Counted in").select_option("days")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("1 stricter")).to_be_visible()


def test_suggestions_are_decided_by_keys_alone(page, live_server, session_cookie, owner):
    page.context.add_cookies([session_cookie])
    account = make_account("Northwind")
    make_contract("MSA", account, BREACH, DELETION, "The Service is available 99.9% of each month.")
    make_contract("NDA", account, BREACH.replace("twenty-four (24)", "36"), DELETION.replace("thirty (30)", "60"))
    work()
    page.goto(f"{live_server.url}{PAGE}suggestions/")
    keys = page.keyboard
    keys.press("j")
    keys.press("Enter")
    expect(page.locator("#pane-title")).to_have_text("Breach notice: 24 hours")
    keys.press("a")
    expect(page.locator("#pane-title")).to_have_text("Deletion after termination: 30 days")
    keys.press("d")
    expect(page.locator("#pane-title")).to_have_text("Availability: 99.9 percent")
    keys.press("c")
    expect(page.get_by_label("Number")).to_have_value("99.9")
    page.get_by_label("Number").fill("99.5")
    page.get_by_role("button", name="Accept with changes").click()
    expect(page.locator("#pane-title")).to_have_text("Breach notice: 36 hours")
    keys.press("Escape")
    expect(page.locator("#pane-title")).to_be_hidden()
    keys.press("j")
    keys.press("x")
    keys.press("j")
    keys.press("x")
    keys.press("b")
    keys.press("Enter")
    expect(page.get_by_text("2 suggestions accepted")).to_be_visible()
    expect(page.get_by_text("All suggestions are decided")).to_be_visible()
    assert sorted(each.promise for each in Commitment.objects.all()) == ["24 hours", "36 hours", "60 days", "99.5 percent"]


PRESS_ON_ARRIVAL = """document.addEventListener("DOMContentLoaded", () => document.body.dispatchEvent(
    new KeyboardEvent("keydown", {key: "a", bubbles: true, cancelable: true})))"""


def test_two_presses_where_one_was_meant_accept_no_suggestion_that_nobody_has_read(page, live_server, session_cookie, owner):
    page.context.add_cookies([session_cookie])
    make_contract("MSA", make_account("Northwind"), BREACH, DELETION)
    work()
    page.goto(f"{live_server.url}{PAGE}suggestions/")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#pane-title")).to_have_text("Breach notice: 24 hours")
    page.add_init_script(PRESS_ON_ARRIVAL)
    page.keyboard.press("a")
    expect(page.locator("#pane-title")).to_have_text("Deletion after termination: 30 days")
    page.wait_for_timeout(600)  # longer than what has just come counts as unread
    expect(page.locator("#pane-title")).to_have_text("Deletion after termination: 30 days")
    assert [each.promise for each in Commitment.objects.all()] == ["24 hours"]


def test_the_way_from_text_to_matrix_needs_no_script(browser, live_server, session_cookie, owner):
    context = browser.new_context(java_script_enabled=False, viewport=DESK)
    context.add_cookies([session_cookie])
    page = context.new_page()
    make_account("Northwind")
    make_contract("MSA", None, BREACH)
    work()
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_role("link", name="Suggestions 1", exact=True).click()
    page.get_by_role("link", name="24 hours", exact=True).click()
    page.get_by_role("link", name="Choose customer").click()
    page.get_by_role("searchbox", name="Search by name or email domain").fill("north")
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("link", name="Northwind").click()
    page.get_by_role("button", name="Accept with changes").click()
    expect(page.get_by_text("All suggestions are decided")).to_be_visible()
    page.get_by_role("link", name="Matrix").click()
    page.get_by_role("link", name="24 hours").click()
    page.get_by_role("button", name="End commitment").click()
    expect(page.get_by_role("button", name="Reopen commitment")).to_be_visible()
    context.close()
