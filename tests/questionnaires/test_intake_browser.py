"""An intake in a browser: by keyboard from the list to the questionnaire, and how its pages look."""

import pytest
from playwright.sync_api import expect

from portal.questionnaires.models import Intake, IntakeState, Questionnaire
from tests.questionnaires.conftest import address
from tests.questionnaires.intakes import FILE_CALL, NEW, PAGE, XLSX, look_now
from tests.support.page_checks import look

pytestmark = [
    pytest.mark.browser,
    pytest.mark.once,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("questionnaires-browser"),
]
NAME = "Northwind review"


@pytest.fixture
def signed_in(page, session_cookie, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    page.context.add_cookies([session_cookie])


def file(name: str = f"{NAME}.xlsx", content: bytes = XLSX) -> dict:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def test_a_questionnaire_is_handed_in_by_keyboard(page, live_server, signed_in, desk):
    page.goto(f"{live_server.url}{PAGE}")
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="New questionnaire")).to_be_visible()
    page.get_by_label("File").focus()
    page.get_by_label("File").set_input_files(file())
    page.get_by_label("Key 2").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Key 3")).to_be_focused()
    page.keyboard.type("deal")
    page.keyboard.press("Tab")
    page.keyboard.type("D-42")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=NAME)).to_be_visible()
    expect(page.get_by_role("heading", name="What the platform is doing")).to_be_visible()
    row = Questionnaire.objects.get(name=NAME)
    assert row.metadata == [("deal", "D-42")]
    # It continues automatically.
    desk.change_there(row, status="EXTRACTING_QUESTIONS", updatedDate="2099-01-01T00:00:00.000Z")
    desk.fetch()
    expect(page.locator("#summary [aria-current=step]")).to_contain_text("Extracting questions")


def test_the_pages_of_an_intake_are_sound(page, live_server, signed_in, desk, sandbox):
    desk.change_there(desk.questionnaire, tagAndCategoryIds=[{"categoryId": "6470" * 6, "tagId": "65b1" * 6}])
    desk.fetch()
    page.goto(f"{live_server.url}{NEW}")
    look(page, "intake-1-form")
    page.get_by_label("File").set_input_files(file("list.xlsx", b"no workbook"))
    page.get_by_label("Key 1").fill("not allowed")
    page.get_by_role("button", name="Submit questionnaire").click()
    expect(page.get_by_text("This is not an Excel workbook")).to_be_visible()
    look(page, "intake-2-errors")
    page.get_by_label("Key 1").fill("")
    page.get_by_label("File").set_input_files(file())
    page.get_by_role("button", name="Submit questionnaire").click()
    expect(page.get_by_role("heading", name="What the platform is doing")).to_be_visible()
    look(page, "intake-3-processing")
    row = Questionnaire.objects.get(name=NAME)
    for number, status in ((4, "WAITING_ON_COLUMN_SELECTION"), (5, "ERROR")):
        desk.change_there(row, status=status, updatedDate=f"209{number}-01-01T00:00:00.000Z")
        desk.fetch()
        page.goto(f"{live_server.url}{address(row)}")
        look(page, f"intake-{number}-{status.lower()}")
    desk.change_there(row, status="IN_PROGRESS", updatedDate="2097-01-01T00:00:00.000Z")
    desk.fetch()
    page.goto(f"{live_server.url}{NEW}")
    page.get_by_label("File").set_input_files(file())
    page.get_by_role("button", name="Submit questionnaire").click()
    expect(page.get_by_role("heading", name="You may already have this questionnaire")).to_be_visible()
    look(page, "intake-6-duplicate")
    sandbox.fail("drop_answer", method="POST", path=FILE_CALL, times=1)
    page.get_by_role("button", name="Send anyway").click()
    expect(page.get_by_text("We could not confirm it and are checking")).to_be_visible()
    look(page, "intake-7-checking")
    page.goto(f"{live_server.url}{PAGE}")
    look(page, "intake-8-list")
    page.goto(f"{live_server.url}{PAGE}intakes/{Intake.objects.get(state=IntakeState.UNCERTAIN).pk}/")
    look_now()
    expect(page.get_by_text("It arrived")).to_be_visible()
    look(page, "intake-9-arrived")
