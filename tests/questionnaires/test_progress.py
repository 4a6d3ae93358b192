"""What the page of a questionnaire shows while the platform is at work on it, and where a person has to act there."""

import pytest

from portal.questionnaires.models import Questionnaire
from portal.questionnaires.progress import processing_steps
from portal.questionnaires.stages import STAGE_BY_KEY
from tests.questionnaires.conftest import address

MACHINE = [*STAGE_BY_KEY["new"].statuses, *STAGE_BY_KEY["processing"].statuses]
OPENS_THE_PLATFORM = "Open the platform</a>"
"""The list of keys speaks of it too."""
HUMAN = ["WAITING_ON_COLUMN_SELECTION", "WAITING_ON_COLUMN_APPROVAL"]


def states(status: str, kind: str = "SPREADSHEET") -> list[str]:
    return [step.state for step in processing_steps(Questionnaire(status=status, kind=kind))]


@pytest.mark.parametrize("kind", ["SPREADSHEET", "DOCUMENT"])
def test_every_machine_state_has_one_step_that_is_now(kind):
    for status in [*MACHINE, *HUMAN]:
        assert states(status, kind).count("now") == 1, status
        assert states(status, kind)[-1] == "todo"


def test_the_steps_go_forward():
    order = ["QUEUED_FOR_COLUMN_DETECTION", "DETECTING_COLUMNS", HUMAN[0], "EXTRACTING_QUESTIONS", "GENERATING_ANSWERS"]
    assert [states(status).index("now") for status in order] == [0, 1, 2, 3, 4]
    assert states("EXTRACTING_QUESTIONS", "DOCUMENT") == ["done", "now", "todo", "todo"], "a document has no columns"


@pytest.mark.parametrize("status", ["IN_PROGRESS", "COMPLETE", "ERROR", "ON_HOLD", "SOMETHING_NEW"])
def test_there_are_no_steps_before_and_after(status):
    assert states(status) == []


def shown(desk, analyst, **changes) -> str:
    row = desk.questionnaire
    desk.change_there(row, updatedDate="2099-01-01T00:00:00.000Z", **changes)
    desk.fetch()
    return analyst.get(address(row)).content.decode()


def test_a_page_shows_the_steps(desk, analyst):
    page = shown(desk, analyst, status="EXTRACTING_QUESTIONS", type="SPREADSHEET")
    assert "What the platform is doing" in page
    assert 'aria-current="step"' in page
    assert OPENS_THE_PLATFORM not in page


@pytest.mark.parametrize("status", HUMAN)
def test_a_step_that_exists_only_there_leads_to_the_platform_of_the_region(desk, analyst, settings, status):
    settings.PLATFORM_APP_URLS = {"eu": "https://app.eu.example", "us": "https://app.example"}
    page = shown(desk, analyst, status=status)
    assert "Your turn on the platform" in page
    assert OPENS_THE_PLATFORM in page
    assert 'href="https://app.eu.example" target="_blank" rel="noopener noreferrer"' in page


@pytest.mark.parametrize("url", ["javascript:alert(1)", ""])
def test_s3_only_an_address_of_the_web_becomes_a_link(desk, analyst, settings, url):
    settings.PLATFORM_APP_URLS = {"eu": url} if url else {}
    page = shown(desk, analyst, status=HUMAN[0])
    assert "Your turn on the platform" in page
    assert OPENS_THE_PLATFORM not in page
    assert "javascript:" not in page


def test_a_failure_says_what_the_platform_said_and_offers_another_try(desk, analyst):
    row = desk.questionnaire
    log = [{"status": "ERROR", "updatedAt": "2026-01-01T00:00:00.000Z", "message": "The workbook is <broken>."}]
    page = shown(desk, analyst, status="ERROR", statusLog=log, displayName="Northwind review")
    assert "The workbook is &lt;broken&gt;." in page
    assert f"/t/acme/questionnaires/new/?like={row.platform_id}" in page
    form = analyst.get(f"/t/acme/questionnaires/new/?like={row.platform_id}").content.decode()
    assert 'value="Northwind review"' in form
