"""What only a browser can show: axe, a phone's width, the keyboard, a walk without a script, a page that follows."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.accounts.models import Account
from portal.contracts.models import Contract, Upload
from portal.contracts.services import change_terms
from tests.contracts.conftest import CALL, PAGE, PDF, work
from tests.contracts.papers import TERMS, paper
from tests.support.members import strongest_member
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("contracts-browser")]

LONG = "Northwind_Master_Services_Agreement_and_Data_Processing_Addendum_2026_countersigned_final.pdf"


def hand_in(page, name: str, content: bytes = PDF) -> None:
    page.get_by_label("PDF documents").set_input_files({"name": name, "mimeType": "application/pdf", "buffer": content})
    page.get_by_role("button", name="Upload", exact=True).click()


def test_every_page_of_the_walk_is_sound(page, live_server, session_cookie, desk, sandbox):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    look(page, "contracts-1-list")
    page.get_by_role("link", name="Upload contracts").click()
    expect(page.get_by_role("heading", name="Upload contracts")).to_be_visible()
    look(page, "contracts-2-upload")
    hand_in(page, "notes.pdf", b"no pdf")
    expect(page.get_by_text("This is not a PDF")).to_be_visible()
    look(page, "contracts-3-refused-here")
    hand_in(page, "There already.pdf")
    desk.add_there("There already")
    work()
    sandbox.fail("status", value=403, method="POST", path=CALL, times=1)
    page.goto(f"{live_server.url}{PAGE}upload/")
    hand_in(page, "Not covered.pdf")
    work()
    page.goto(f"{live_server.url}{PAGE}upload/")
    hand_in(page, LONG)
    expect(page.get_by_text("Waiting", exact=True)).to_be_visible()
    look(page, "contracts-4-uploads")
    work()
    # Nobody touches the page: it hears of the outcome by itself.
    expect(page.get_by_text("Waiting", exact=True)).to_be_hidden()
    look(page, "contracts-5-arrived")
    page.locator("#results").get_by_role("link", name=LONG).click()
    expect(page.get_by_text(f"Uploaded {LONG}.")).to_be_visible()
    look(page, "contracts-6-detail")


def test_the_walk_needs_neither_a_mouse_nor_a_script(browser, live_server, session_cookie, desk):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([session_cookie])
    page = context.new_page()
    page.goto(f"{live_server.url}{PAGE}upload/")
    page.get_by_label("PDF documents").set_input_files({"name": "MSA.pdf", "mimeType": "application/pdf", "buffer": PDF})
    page.get_by_label("External id").focus()
    page.keyboard.type("MSA-1")
    page.keyboard.press("Enter")
    expect(page.get_by_text("MSA.pdf is on its way.")).to_be_visible()
    page.get_by_role("button", name="Discard MSA.pdf").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("MSA.pdf was discarded")).to_be_visible()
    assert Upload.objects.get().state == "discarded"
    context.close()


def test_more_than_the_proxy_takes_is_told_of_before_it_is_sent(page, live_server, session_cookie, desk, tmp_path):
    (tmp_path / "below").mkdir()
    large = [tmp_path / "a.pdf", tmp_path / "b.pdf", tmp_path / "below" / "c.pdf"]
    for path in large:
        with path.open("wb") as file:
            file.truncate(20 * 1024**2)
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}upload/")
    files, folder = page.get_by_label("PDF documents"), page.get_by_label("Or a folder")

    def objections() -> list[str]:
        return [field.evaluate("field => field.validationMessage") for field in (files, folder)]

    files.set_input_files(large[:2])
    assert objections() == ["", ""]
    folder.set_input_files(large[2].parent)
    told = "These 3 files are 60 MB together; at most 50 MB can be sent at a time. Send some first, then the rest."
    assert objections() == ["", told]
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("heading", name="Upload contracts")).to_be_visible()
    assert not Upload.objects.exists()
    files.set_input_files(large[:1])
    assert objections() == ["", ""]
    page.goto(f"{live_server.url}/t/acme/questionnaires/new/")
    larger = tmp_path / "larger.pdf"
    with larger.open("wb") as file:
        file.truncate(50 * 1024**2 + 1)
    page.get_by_label("File", exact=True).set_input_files(larger)
    told = page.get_by_label("File", exact=True).evaluate("field => field.validationMessage")
    assert told == "This file is 51 MB; at most 50 MB can be sent."


def test_a_folder_is_uploaded_read_searched_and_given_dates(page, live_server, session_cookie, desk, customer):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}upload/")
    page.get_by_label("Search customers by name").fill("north")
    page.get_by_role("radio", name="Northwind Traders").check()
    look(page, "many-1-customer")
    papers = [("Notes.pdf", b"no pdf"), (LONG, paper(*TERMS)), *((f"Order {at:02}.pdf", paper("Order.")) for at in range(11))]
    page.get_by_label("PDF documents").set_input_files(
        [{"name": each, "mimeType": "application/pdf", "buffer": content} for each, content in papers]
    )
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("heading", name="12 accepted, 1 not accepted")).to_be_visible()
    look(page, "many-2-results")
    page.get_by_role("link", name="View uploads").click()
    expect(page.get_by_text("12 left")).to_be_visible()
    work()
    expect(page.get_by_text("2 left")).to_be_visible()
    look(page, "many-3-queue")
    page.get_by_role("button", name="Discard all 2 waiting").click()
    expect(page.get_by_text("No uploads in progress")).to_be_visible()
    look(page, "many-4-empty")
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_label("Where to search").select_option("text")
    page.get_by_label("Search by name, id or text").fill("breaches 24")
    expect(page.locator("mark").first).to_be_visible()
    look(page, "many-5-found")
    page.get_by_role("link", name="Page 2").click()
    expect(page.get_by_role("heading", name="Page 2")).to_be_in_viewport()
    look(page, "many-6-text")
    page.locator("main .head").get_by_role("link", name=LONG).click()
    page.get_by_role("link", name="Edit dates and owner").click()
    end = timezone.localdate() + timedelta(days=25)
    page.get_by_label("Ends on").fill(end.isoformat())
    page.get_by_label("Renews automatically unless").check()
    page.get_by_label("Renews for").fill("12")
    page.get_by_label("Notice period").fill("20")
    page.get_by_label("Unit").select_option("days")
    page.get_by_label("Owner").select_option(label="Alice Ames")
    page.get_by_label("Notes").fill("Signed by both.")
    look(page, "many-7-fields")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Notice due in 5 days")).to_be_visible()
    look(page, "many-8-detail")
    page.goto(f"{live_server.url}{PAGE}?ends=notice")
    expect(page.get_by_text("Renews in 25 days")).to_be_visible()
    look(page, "many-9-due")
    page.get_by_role("link", name="Calendar").click()
    expect(page.get_by_role("heading", name="Contract calendar")).to_be_visible()
    page.get_by_role("button", name="Create calendar link").click()
    expect(page.get_by_label("Calendar address", exact=True)).to_be_visible()
    look(page, "many-10-calendar")
    page.goto(f"{live_server.url}{PAGE}import/")
    content = b"External id,Ends,Notice\nnobody,2027-01-31,\n"
    page.get_by_label("CSV file").set_input_files({"name": "own.csv", "mimeType": "text/csv", "buffer": content})
    look(page, "many-11-import")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("No contract here has this external id.")).to_be_visible()
    look(page, "many-12-import-ask")


def test_a_customer_is_set_and_a_repeated_id_is_decided(page, live_server, session_cookie, desk, customer):
    page.context.add_cookies([session_cookie])
    there = desk.add_there("MSA-1", name="Northwind MSA.pdf")
    desk.fetch()
    detail = f"{live_server.url}{PAGE}{there['id']}/"
    page.goto(detail)
    page.get_by_role("link", name="Set customer").click()
    page.get_by_label("Search customers by name").press_sequentially("north")
    page.get_by_role("radio", name="Northwind Traders").check()
    look(page, "own-1-customer")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="Change customer")).to_be_visible()
    page.get_by_role("link", name="Edit dates and owner").click()
    page.get_by_label("Ends on").fill((timezone.localdate() + timedelta(days=400)).isoformat())
    page.get_by_label("Notice period").fill("60 months")
    page.get_by_role("button", name="Save").click()
    look(page, "own-2-asked")
    page.get_by_label("Yes, save as entered").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("60 months")).to_be_visible()
    page.goto(f"{live_server.url}{PAGE}upload/")
    page.get_by_label("PDF documents").set_input_files({"name": "New.pdf", "mimeType": "application/pdf", "buffer": PDF})
    page.get_by_label("External id").fill("MSA-1")
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("heading", name="External id in use")).to_be_visible()
    look(page, "own-3-decide")
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_text("New.pdf is on its way as MSA-1 (2).")).to_be_visible()


@pytest.fixture
def customer(desk) -> Account:
    key = desk.sandbox.objects(desk.tenant_id, "accounts")[0]["id"]
    return Account.objects.create(
        platform_id=key,
        name="Northwind Traders",
        name_sort="northwind traders",
        domain="northwind.example",
        search="northwind traders northwind.example",
        created_at=timezone.now(),
    )


def test_a_contract_is_deleted_and_two_people_meet_over_its_dates(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    there = desk.add_there("MSA-1", name="Northwind MSA.pdf")
    desk.fetch()
    row = Contract.objects.get(platform_id=there["id"])
    address = f"{live_server.url}{PAGE}{there['id']}/"
    page.goto(f"{address}fields/")
    member = strongest_member(row.tenant_id)
    change_terms(row, {"notes": "Theirs."}, member=member)
    page.get_by_label("Notes").fill("Mine.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Someone else saved first")).to_be_visible()
    look(page, "terms-conflict")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Mine.")).to_be_visible()
    page.get_by_role("link", name="Delete…").click()
    page.get_by_label("Type the name to confirm").fill("Northwind")
    page.get_by_role("button", name="Delete on the platform").click()
    expect(page.get_by_text("That's not the contract's name.")).to_be_visible()
    look(page, "delete-wrong-name")
    page.get_by_label("Type the name to confirm").fill("Northwind MSA.pdf")
    page.get_by_role("button", name="Delete on the platform").click()
    expect(page.get_by_text("Deleting it on the platform")).to_be_visible()
    work()
    expect(page.get_by_text("This contract no longer exists")).to_be_visible()
    look(page, "deleted")
