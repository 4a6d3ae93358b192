"""A draft by key: asked for, dismissed, accepted; and the next draft opens."""

import pytest
from playwright.sync_api import expect

from portal.questionnaires.models import DraftingRun, Response
from portal.questionnaires.tasks import work_on_drafting_run
from portal.tenants.scope import tenant_scope
from tests.questionnaires.conftest import address
from tests.questionnaires.draft_sources import MFA, WRITTEN, add_verified, ask_there, draft_of_question
from tests.support.members import find_member
from tests.support.page_checks import look
from tests.support.polls import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("drafts-browser")]


def test_drafts_are_asked_for_reviewed_and_decided_by_key(page, live_server, session_cookie, desk, alice, acme):
    with tenant_scope(acme.pk):
        member = find_member(user=alice)
        add_verified(member)
        add_verified(member, "Are backups encrypted?", text="With AES-256.")
        first = ask_there(desk)
        other = Response.objects.filter(questionnaire=first.questionnaire, is_answered=False).exclude(pk=first.pk)
        assert other.exists()
        desk.change_there(other[0], question="Are backups encrypted?", answerPartsSchema=first.payload["answerPartsSchema"])
        desk.fetch()
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{address(first.questionnaire)}")
    page.keyboard.press("D")
    expect(page.get_by_role("radio", name="75% or more")).to_be_checked()
    look(page, "draft-all")
    page.get_by_role("button", name="Draft").click()
    expect(page.get_by_text("You can leave this page")).to_be_visible()
    look(page, "drafting-at-work")
    with tenant_scope(acme.pk):
        run = DraftingRun.objects.get()
        work_on_drafting_run(run.tenant_id, run.pk)
    expect(page.get_by_role("link", name="Review 2 drafts")).to_be_visible()
    look(page, "drafts-of-a-run")
    page.get_by_role("link", name="Save 2 together").click()
    expect(page.get_by_role("checkbox", name="Save the draft for")).to_have_count(2)
    look(page, "drafts-to-save-at-once")
    page.go_back()
    page.get_by_role("link", name="Review 2 drafts").click()
    look(page, "questions-drafted")
    page.get_by_role("link", name=MFA).click()
    expect(page.get_by_label("Explanation")).to_have_value(WRITTEN)
    look(page, "draft-in-the-pane")
    page.keyboard.press("e")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Are backups encrypted?", level=2)).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.get_by_text("Draft dismissed.")).to_be_visible()
    expect(page.get_by_label("Explanation")).to_have_value("")
    with tenant_scope(acme.pk):
        # The next question is shown while the answer is still being saved.
        until(lambda: draft_of_question(first).state == "accepted")
        assert draft_of_question(other.model.objects.get(question="Are backups encrypted?")).state == "dismissed"
