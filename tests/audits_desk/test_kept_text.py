"""W2: what was typed is not lost when it cannot be sent: it comes back in its form, with why, and can be sent again."""

import re

import pytest

from portal.engagements.models import EngagementControl
from portal.engagements.selectors import assessments_of
from portal.lib.path_ids import write_id
from tests.audits_desk.test_comments import WORDS, mine, page_of, sent

pytestmark = pytest.mark.once
REQUESTS = "/v1/audits/*/information-requests/*"


def test_w2_a_comment_that_the_platform_refuses_comes_back_and_is_sent_once(client, owner, desk, row):
    desk.sandbox.fail("status", method="POST", path=f"{REQUESTS}/comments", value=422, times=1)
    answer = client.post(f"{page_of(row)}comments/", form := sent())
    shown = answer.content.decode()
    assert (answer.status_code, mine(desk, row)) == (422, [])
    assert WORDS in shown.partition("New comment")[2]
    assert form["written_at"] in shown, "sent again, it is known by when its form was opened"
    assert f'hx-get="{page_of(row)}"' in shown, "the page goes on asking for itself, not for where the form was sent"
    assert client.post(f"{page_of(row)}comments/", form).status_code == 302
    assert [each["text"] for each in mine(desk, row)] == [WORDS]


def test_w2_a_reason_comes_back_in_its_dialog(client, owner, desk, row):
    desk.sandbox.fail("status", method="POST", path=f"{REQUESTS}/flag-evidence", value=422, times=1)
    answer = client.post(f"{page_of(row)}flag/", {"reason": WORDS})
    dialog = answer.content.decode().partition('id="flag"')[2].partition("</dialog>")[0]
    assert (answer.status_code, "data-open-now" in dialog, WORDS in dialog) == (422, True, True)
    polled = {"HX-Request": "true", "Seen": answer.context["page_version"]}
    assert client.get(page_of(row), headers=polled).status_code == 204, "closed again, the dialog keeps the reason"
    empty = client.post(f"{page_of(row)}flag/", {"reason": " "})
    assert (empty.status_code, desk.calls("POST", "/flag-evidence")[1:]) == (422, [])
    assert client.post(f"{page_of(row)}flag/", {"reason": WORDS}).status_code == 302
    # Somebody was quicker: there is nothing to flag any more, and the reason is still there.
    late = client.post(f"{page_of(row)}flag/", {"reason": "Said too late."}).content.decode()
    assert "Said too late." in late.partition('id="flag"')[2].partition("</dialog>")[0]


def test_w2_a_justification_comes_back_in_its_dialog(client, owner, desk, audit):
    control = EngagementControl.objects.select_related("engagement").filter(engagement=audit)[0]
    page = page_of(control, "controls")
    found = client.get(page).context["assessments"][0][0]
    said = {"segment": found.segment_id, "seen": found.version, "state": "IN_PLACE", "justification": WORDS}
    desk.sandbox.fail("status", method="PUT", path="/v1/audits/*/controls/*/assessment", value=422, times=1)
    answer = client.post(f"{page}assess/", said)
    dialogs = answer.content.decode().split("<dialog")
    [opened] = [each for each in dialogs if "data-open-now" in each]
    assert (answer.status_code, WORDS in opened) == (422, True)
    assert client.post(f"{page}assess/", said).status_code == 302
    assert client.post(f"{page}assess/", said | {"segment": "of-nobody"}, follow=True).status_code == 200


def test_w2_of_two_who_assess_the_second_sees_both(client, owner, desk, audit):
    control = EngagementControl.objects.select_related("engagement").filter(engagement=audit)[0]
    page = page_of(control, "controls")
    found = client.get(page).context["assessments"][0][0]
    said = {"segment": found.segment_id, "seen": found.version, "state": "IN_PLACE", "justification": WORDS}
    client.post(f"{page}assess/", said | {"state": "NOT_IN_PLACE", "justification": "No logs were shown."})
    answer = client.post(f"{page}assess/", said)
    [opened] = [each for each in answer.content.decode().split("<dialog") if "data-open-now" in each]
    assert answer.status_code == 422
    assert f'id="assess-{write_id(found.segment_id)}"' in opened
    assert "Not in place, “No logs were shown.”" in opened
    assert WORDS in opened
    assert len(desk.calls("PUT", "/assessment")) == 1
    # Whoever has seen both sends it again and means it; what a lost answer has changed is said twice without harm.
    [seen] = re.findall(r'name="seen" value="(\w+)"', opened)
    assert client.post(f"{page}assess/", said | {"seen": seen}).status_code == 302
    assert client.post(f"{page}assess/", said).status_code == 302
    control.refresh_from_db()
    assert WORDS in [each.justification for each in assessments_of(control, {})]


def test_w2_a_change_of_a_comment_that_is_gone_becomes_a_new_one(client, owner, desk, row):
    client.post(f"{page_of(row)}comments/", sent())
    [comment] = mine(desk, row)
    page = f"{page_of(row)}comments/{comment['id']}/"
    client.post(f"{page}delete/")
    shown = client.post(page, {"text": "What I meant to say."}).content.decode()
    assert "What I meant to say." in shown.partition("New comment")[2]
