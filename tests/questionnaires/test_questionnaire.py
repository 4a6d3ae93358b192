import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.questionnaires.models import Questionnaire, Response
from portal.sync.models import StaleMark
from tests.questionnaires.conftest import address


@pytest.fixture
def questionnaire(desk, client, alice):
    client.force_login(alice)
    return desk.questionnaire


def questions(client, questionnaire, query=""):
    return [row.position for row in client.get(address(questionnaire) + query).context["page"].rows]


def test_it_shows_the_questions_in_their_order(client, questionnaire):
    assert questions(client, questionnaire) == [0, 1, 2, 3, 4]
    page = client.get(address(questionnaire)).content.decode()
    assert questionnaire.approver_name in page
    assert "Answer the open questions" in page


@pytest.mark.parametrize("show", ["unanswered", "answered", "changed", "approved", "pending", "mine"])
def test_it_filters_the_questions(client, alice, questionnaire, show):
    rows = questionnaire.responses.all()
    rows.update(is_answered=True, is_approved=False, is_pending=False, is_changed=False, owner_name="", owner_id="")
    rows.filter(position=0).update(is_changed=True)
    rows.filter(position=1).update(is_answered=False)
    rows.filter(position=2).update(is_approved=True)
    rows.filter(position=3).update(is_pending=True)
    rows.filter(position=4).update(owner_name="alice AMES", owner_id="u1")
    expected = {"unanswered": [1], "answered": [0, 3, 4], "changed": [0], "approved": [2], "pending": [3], "mine": [4]}
    assert questions(client, questionnaire, f"?show={show}") == expected[show]
    assert questions(client, questionnaire, "?owner=u1") == [4]
    assert questions(client, questionnaire, "?owner=nobody") == [0, 1, 2, 3]


def test_it_searches_the_questions(client, questionnaire):
    questionnaire.responses.filter(position=2).update(search="3.1 do you rotate keys?")
    assert questions(client, questionnaire, "?q=ROTATE+keys") == [2]
    assert questions(client, questionnaire, "?q=%00") == []


def test_a_question_opens_beside_the_list_and_by_itself(client, desk, questionnaire):
    page = client.get(address(desk.response))
    assert desk.response.question in page.content.decode()
    assert b"<h1>" in page.content
    fragment = client.get(address(desk.response), headers={"HX-Request": "true", "HX-Target": "desk"})
    assert fragment.content.decode().strip().startswith('<div id="desk"')
    assert b"<h1>" not in fragment.content


def test_the_list_shows_the_page_of_the_open_question_and_stays_for_its_neighbours(client, questionnaire):
    Response.objects.bulk_create(
        [
            Response(questionnaire=questionnaire, platform_id=f"r{n}", position=n, question=f"Question {n}", payload=payload(n))
            for n in range(5, 180)
        ]
    )
    row = Response.objects.get(platform_id="r120")
    found = client.get(address(row)).context
    assert [row.position for row in found["page"].rows] == [*range(100, 150)]
    assert (found["previous_id"], found["next_id"]) == ("r119", "r121")
    beside = client.get(address(Response.objects.get(platform_id="r100"))).context
    assert [row.position for row in beside["page"].rows] == [*range(100, 150)]


def payload(number):
    return {"id": f"r{number}", "question": f"Question {number}"}


def test_questions_that_were_not_read_yet_are_asked_for(client, questionnaire):
    Questionnaire.objects.update(responses_synced_at=None)
    questionnaire.responses.all().delete()
    StaleMark.objects.all().delete()
    page = client.get(address(questionnaire))
    assert b"Reading the questions" in page.content
    assert StaleMark.objects.filter(kind="responses", object_id=questionnaire.platform_id, urgent=True).exists()


@pytest.mark.parametrize("fragment", ["summary", "questions"])
def test_fragments_poll_for_nothing_until_something_changed(client, questionnaire, fragment):
    seen = client.get(address(questionnaire)).context[f"{fragment}_version"]
    polling = {"HX-Request": "true", "HX-Target": fragment, "Seen": seen}
    assert client.get(address(questionnaire), headers=polling).status_code == 204
    Questionnaire.objects.filter(pk=questionnaire.pk).update(touched_at=timezone.now(), status="ON_HOLD")
    answer = client.get(address(questionnaire), headers=polling)
    assert answer.status_code == 200
    assert f'id="{fragment}"'.encode() in answer.content
    assert b"<html" not in answer.content


def test_closing_a_question_is_not_taken_for_a_poll(client, questionnaire):
    seen = client.get(address(questionnaire)).context["questions_version"]
    headers = {"HX-Request": "true", "HX-Target": "desk", "Seen": seen}
    assert client.get(address(questionnaire), headers=headers).status_code == 200


def test_it_hides_other_tenants(client, desk, questionnaire, globex, mallory):
    client.force_login(mallory)
    for path in (
        address(questionnaire),
        address(desk.response),
        f"{address(questionnaire)}activity/",
        f"{address(questionnaire)}details/",
    ):
        assert client.get(path).status_code == 404
        assert client.get(path.replace("/t/acme/", "/t/globex/")).status_code == 404
        assert client.post(path.replace("/t/acme/", "/t/globex/"), {"status": "ON_HOLD"}).status_code in (404, 405)


@pytest.mark.parametrize("path", ["nope/", "nope/activity/", "nope/details/", "nope/responses/nope/", "%00/", "é" * 300 + "/"])
def test_unknown_ids_are_not_found(client, questionnaire, path):
    assert client.get(f"/t/acme/questionnaires/{path}").status_code == 404


def test_a_response_of_another_questionnaire_is_not_found(client, desk, questionnaire):
    other = Questionnaire.objects.exclude(pk=questionnaire.pk).first()
    assert client.get(f"{address(other)}responses/{desk.response.platform_id}/").status_code == 404


def test_the_activity_is_the_platforms_log_and_ours(client, desk, questionnaire):
    client.post(f"{address(questionnaire)}status/", {"status": "ON_HOLD"})
    page = client.get(f"{address(questionnaire)}activity/").content.decode()
    assert "Alice Ames: Set" in page
    assert "In progress: set by" in page


def test_the_details_are_all_the_platform_tells_and_no_address_but_a_web_one_is_a_link(client, desk, questionnaire):
    notes = [{"key": "Deal", "value": "D-4100"}]
    later = "2099-01-01T00:00:00.000Z"
    desk.change_there(questionnaire, url="javascript:alert(1)", metadata=notes, customerTrustAccountId="a1", updatedDate=later)
    desk.fetch()
    page = client.get(f"{address(questionnaire)}details/").content.decode()
    for text in (
        "D-4100",
        "Unknown account",
        f"<code>{questionnaire.platform_id}</code>",
        "<code>IN_PROGRESS</code>",
    ):
        assert text in page
    assert "javascript:" not in page
    desk.change_there(questionnaire, url="https://portal.example/q/1", updatedDate="2099-01-02T00:00:00.000Z")
    desk.fetch()
    page = client.get(f"{address(questionnaire)}details/").content.decode()
    assert 'href="https://portal.example/q/1" rel="noopener noreferrer"' in page


@pytest.mark.parametrize(("page", "fragment"), [("activity", "events"), ("details", "facts")])
def test_activity_and_details_poll_for_nothing_until_something_changed(client, desk, questionnaire, page, fragment):
    where = f"{address(questionnaire)}{page}/"
    seen = client.get(where).context[f"{fragment}_version"]
    headers = {"HX-Request": "true", "HX-Target": fragment, "Seen": seen}
    assert client.get(where, headers=headers).status_code == 204
    Questionnaire.objects.filter(pk=questionnaire.pk).update(touched_at=timezone.now())
    answer = client.get(where, headers=headers)
    assert answer.status_code == 200
    assert f'id="{fragment}"' in answer.content.decode()
    assert b"<h1>" not in answer.content


@pytest.mark.usefixtures("within_a_minute")
def test_more_questions_need_no_more_queries(client, questionnaire):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            client.get(address(questionnaire))
        return len(captured)

    client.get(address(questionnaire))
    before = queries()
    rows = [
        Response(questionnaire=questionnaire, platform_id=f"r{n}", position=n, question=f"Question {n}", payload=payload(n))
        for n in range(5, 45)
    ]
    Response.objects.bulk_create(rows)
    assert queries() == before
