"""What only a browser can show: axe, a phone's width, the keyboard, a walk without a script, a page that follows."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.accounts.models import Account
from portal.contracts.models import Contract
from portal.customers.models import NewCustomer
from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import Questionnaire
from tests.customers.conftest import CALL, PAGE, let_imports_work, make_account, make_request, make_viewer, work
from tests.support.page_checks import look
from tests.support.readings import all_was_read

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("customers-browser")]
LONG = "Internationale Beteiligungs- und Vermögensverwaltungsgesellschaft Hohenstaufen-Wittelsbach mbH & Compagnie KG"


def fill_with_life(account: Account) -> None:
    """Something of every desk, for one customer."""
    now = timezone.now()
    for number in range(12):
        make_request(
            f"Ann {number}", account.domain, outcome=("APPROVED", "DENIED", "PENDING")[number % 3], hours=number * 30 + 2
        )
        make_viewer(f"Bea {number}", account.domain, account_id=account.platform_id, hours=number * 20)
    Contract.objects.create(platform_id="c1", name="Master agreement", account_id=account.platform_id, created_at=now)
    Questionnaire.objects.create(
        platform_id="q1",
        name=LONG,
        account_id=account.platform_id,
        status="COMPLETE",
        created_at=now,
        updated_at=now,
        completed_at=now,
    )


def test_every_page_of_the_desk_is_sound(page, live_server, session_cookie, desk, sandbox):
    page.context.add_cookies([session_cookie])
    root = f"{live_server.url}{PAGE}"
    page.goto(f"{root}?q=nobody")
    expect(page.get_by_text("No matching customers")).to_be_visible()
    look(page, "customers-0-nobody")
    account = desk.first
    fill_with_life(account)
    make_account(LONG, f"{'long-' * 10}domain.example", nda_status="WAIVED_BY_SOMEBODY_ELSE", approves_itself=True)
    make_account("Old customer", "old.example", gone_at=timezone.now())
    for number in range(60):
        make_account(f"Umbrella {number}", f"umbrella{number}.example", nda_status=("SIGNED", "INCOMPLETE")[number % 2])
    touch_areas("accounts", "access_requests")
    page.goto(root)
    expect(page.locator("#customers tbody tr")).to_have_count(50)
    look(page, "customers-1-many")
    page.goto(f"{root}?presence=gone")
    expect(page.get_by_text("Old customer")).to_be_visible()
    look(page, "customers-2-gone")
    page.goto(f"{root}{account.platform_id}/")
    expect(page.get_by_role("heading", name=str(account))).to_be_visible()
    look(page, "customers-3-customer")
    page.get_by_role("link", name="Older").click()
    expect(page.get_by_role("link", name="Newest")).to_be_visible()
    look(page, "customers-4-older")
    page.goto(f"{root}{Account.objects.get(name=LONG).platform_id}/")
    expect(page.get_by_text("Nothing has happened yet")).to_be_visible()
    look(page, "customers-5-long")


def test_every_form_of_the_desk_is_sound(page, live_server, session_cookie, desk, sandbox):
    page.context.add_cookies([session_cookie])
    root, account = f"{live_server.url}{PAGE}", desk.first
    page.goto(f"{root}new/")
    look(page, "customers-6-new")
    page.get_by_label("Name").fill(LONG)
    page.get_by_label("Email domain", exact=True).fill(account.domain)
    page.get_by_role("button", name="Create customer").click()
    expect(page.get_by_text("This is the email domain of")).to_be_visible()
    look(page, "customers-7-second")
    page.get_by_label("Email domain", exact=True).fill("hohenstaufen.example")
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    page.get_by_role("button", name="Create customer").click()
    expect(page.get_by_text("Being checked")).to_be_visible()
    look(page, "customers-8-checking")
    work()
    # Nobody touches the page: it hears of the outcome by itself.
    expect(page.get_by_text("Being checked")).to_be_hidden()
    page.goto(f"{root}{NewCustomer.objects.get().account_id}/edit/")
    look(page, "customers-9-edit")
    sandbox.fail("status", value=503, path=f"{CALL}/*")
    page.get_by_label("Name").fill("Hohenstaufen")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("could not confirm it")).to_be_visible()
    look(page, "customers-10-uncertain")
    sandbox.control("DELETE", "/faults")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved Hohenstaufen on the platform.")).to_be_visible()
    page.get_by_role("link", name="Delete…").click()
    look(page, "customers-11-delete")
    page.get_by_role("button", name="Delete Hohenstaufen").click()
    expect(page.get_by_text("Hohenstaufen was deleted on the platform.")).to_be_visible()


def test_the_people_to_match_are_sound(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    root = f"{live_server.url}{PAGE}people/"
    make_account("Twin One", "twin.example")
    make_account("Twin Two", "twin.example")
    for number in range(3):
        for domain in (desk.first.domain, "initech.example", "twin.example", f"{'long-' * 10}domain.example"):
            make_viewer(f"Ann {number}", domain)
    make_request("Bea", "initech.example")
    touch_areas("access_requests")
    page.goto(root)
    expect(page.get_by_text("Create a customer for initech.example", exact=True)).to_be_visible()
    look(page, "customers-12-people")
    page.get_by_role("button", name="Dismiss initech.example").click()
    expect(page.get_by_text("It will not be suggested again")).to_be_visible()
    page.goto(f"{root}?show=dismissed")
    look(page, "customers-13-put-away")
    page.get_by_role("button", name="Suggest again initech.example").click()
    page.get_by_role("link", name="Create… a customer for initech.example").click()
    expect(page.get_by_label("Name")).to_have_value("Initech")


def test_an_import_is_sound(page, live_server, session_cookie, desk, sandbox):
    page.context.add_cookies([session_cookie])
    root = f"{live_server.url}{PAGE}import/"
    page.goto(root)
    look(page, "customers-14-import")
    text = f"Name;Email domain\nInitech;initech.example\n{LONG};{desk.first.domain}\nGlobex;globex.example\n;\nNobody;x"
    page.get_by_label("CSV file").set_input_files({"name": "crm.csv", "mimeType": "text/csv", "buffer": text.encode()})
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("2 customers will be created on the platform, 2 lines skipped")).to_be_visible()
    look(page, "customers-15-dry-run")
    sandbox.fail("status", value=403, method="POST", path=CALL, times=1)
    page.get_by_role("button", name="Create 2 customers").click()
    expect(page.get_by_text("0 of 2 created")).to_be_visible()
    let_imports_work()
    # Nobody touches the page: it hears of the outcome by itself.
    expect(page.get_by_text("1 of 2 created")).to_be_visible()
    page.get_by_role("link", name="Not created").click()
    look(page, "customers-16-run")
    page.get_by_role("button", name="Try this one again").click()
    expect(page.get_by_text("1 customer will be tried again")).to_be_visible()


def test_a_customer_is_made_and_changed_without_a_mouse(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    expect(page.locator("#customers tbody tr").first).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="New customer")).to_be_visible()
    page.get_by_label("Name").focus()
    page.keyboard.type("Initech")
    page.keyboard.press("Tab")
    page.keyboard.type("initech.example")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Initech")).to_be_visible()
    page.wait_for_load_state()  # what hears keys comes behind what is seen
    page.keyboard.press("e")
    expect(page.get_by_role("heading", name="Edit customer")).to_be_visible()
    page.get_by_label("Name").focus()
    page.keyboard.press("End")
    page.keyboard.type(" Ltd")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Initech Ltd")).to_be_visible()
    page.goto(f"{live_server.url}{PAGE}")
    page.keyboard.press("/")
    page.keyboard.type("initech ltd")
    expect(page.locator("#customers tbody tr")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Initech Ltd")).to_be_visible()


def test_the_desk_needs_no_script(browser, live_server, session_cookie, desk):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_role("searchbox", name="Search by name or email domain").fill(desk.first.domain)
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("link", name=str(desk.first), exact=True).click()
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Name").fill("Renamed")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Renamed")).to_be_visible()
    context.close()


def test_duplicates_are_found_merged_and_taken_apart(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    root = f"{live_server.url}{PAGE}"
    all_was_read("account")
    page.goto(f"{root}duplicates/")
    expect(page.get_by_text("No duplicates found")).to_be_visible()
    look(page, "customers-17-no-duplicates")
    tags, fields = [{"categoryId": "c", "tagIds": ["t1"]}], [{"label": "Tier", "value": "Gold"}]
    main = make_account("Umbrella", "umbrella.example", nda_status="SIGNED", tags=tags)
    other = make_account("Umbrella Ltd", "umbrella.example", custom_fields=fields)
    make_account(LONG, "long.example")
    make_account(f"{LONG} AG", f"{'long-' * 10}domain.example", platform_id="long")
    fill_with_life(main)
    Contract.objects.create(platform_id="c2", name="Second", account_id=other.platform_id, created_at=timezone.now())
    touch_areas("accounts", "access_requests", "contracts")
    page.goto(f"{root}duplicates/")
    expect(page.get_by_text("Umbrella and Umbrella Ltd", exact=True)).to_be_visible()
    look(page, "customers-18-duplicates")
    page.get_by_role("link", name="Compare… Umbrella with Umbrella Ltd").click()
    expect(page.get_by_role("heading", name="Merge with another customer")).to_be_visible()
    expect(page.get_by_role("radio", name="Umbrella is the main account")).to_be_checked()
    look(page, "customers-19-merge")
    page.get_by_role("button", name="Merge accounts").click()
    expect(page.get_by_text("Nothing changed on the platform.")).to_be_visible()
    expect(page.get_by_text("2 contracts")).to_be_visible()
    look(page, "customers-20-merged")
    page.goto(f"{root}?q=umbrella")
    expect(page.locator("#customers tbody tr")).to_have_count(1)
    look(page, "customers-21-one-row")
    page.goto(f"{root}{other.platform_id}/")
    expect(page.get_by_role("heading", name="Umbrella", exact=True)).to_be_visible()
    page.get_by_role("button", name="Unmerge Umbrella Ltd").click()
    expect(page.get_by_text("is a separate customer again")).to_be_visible()
    expect(page.get_by_text("1 contract")).to_be_visible()


def test_two_are_merged_without_a_mouse_and_the_file_follows_the_search(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    one = make_account("Umbrella", "umbrella.example")
    make_account("Regenschirm", "regenschirm.example")
    page.goto(f"{live_server.url}{PAGE}{one.platform_id}/")
    page.get_by_role("link", name="Merge…").press("Enter")
    page.get_by_role("searchbox", name="Search for the other customer by name or email domain").press_sequentially("regen")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Compare… with Regenschirm").press("Enter")
    page.get_by_role("radio", name="Regenschirm is the main account").press("Space")
    page.get_by_role("button", name="Merge accounts").press("Enter")
    expect(page.get_by_role("heading", name="Regenschirm", exact=True)).to_be_visible()
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_role("searchbox", name="Search by name or email domain").press_sequentially("umbrella")
    expect(page.locator("#customers tbody tr")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").press("Enter")
    lines = download.value.path().read_text().splitlines()
    assert [line.partition(",")[0] for line in lines[1:]] == ["Regenschirm"]
