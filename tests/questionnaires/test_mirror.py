from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.connections.services import Urgency, client_for
from portal.lib.path_ids import write_id
from portal.page_refresh.services import area_version
from portal.platform_api import errors
from portal.platform_api import models as remote
from portal.platform_api.paging import Collected
from portal.platform_api.webhooks import Event, ExportCompleted, QuestionnaireChanged, QuestionnaireStatusChanged
from portal.questionnaires import mirror
from portal.questionnaires.handlers import ROUTES
from portal.questionnaires.models import Questionnaire, Response
from portal.sync.models import StaleMark
from portal.sync.services import Effects, drain, mark_stale
from tests.sync.desk import two_minutes_pass

MIRROR = mirror.MIRRORS[0]


def handle(event: Event) -> None:
    """Let the handler of an event state what follows from it, and write that."""
    effects = Effects()
    ROUTES[type(event)]([event], effects)
    effects.write()


def fetched(desk, row):
    return client_for(Urgency.PERSON).questionnaires.get(row.platform_id)


def marks(kind):
    return set(StaleMark.objects.filter(kind=kind, due_at__isnull=False).values_list("object_id", flat=True))


def test_the_copy_equals_the_platform(desk, sandbox):
    there = {one["id"]: one for one in sandbox.objects(desk.tenant_id, "questionnaires")}
    assert {row.platform_id: row.payload for row in Questionnaire.objects.all()} == there
    responses = {one["id"]: one for one in sandbox.objects(desk.tenant_id, "responses")}
    assert {row.platform_id: row.payload for row in Response.objects.all()} == responses
    row = desk.questionnaire
    assert row.question_count == row.responses.count() == 5
    assert row.answered_count == row.responses.filter(is_answered=True).count()


def test_a_questionnaire_that_did_not_change_is_no_change(desk):
    StaleMark.objects.all().delete()
    assert MIRROR.store(fetched(desk, desk.questionnaire)) is False
    assert marks("responses") == set()


def test_a_changed_questionnaire_has_its_responses_read_again(desk):
    StaleMark.objects.all().delete()
    desk.change_there(desk.questionnaire, displayName="Renamed", updatedDate="2099-01-01T00:00:00.000Z")
    assert MIRROR.store(fetched(desk, desk.questionnaire)) is True
    assert marks("responses") == {desk.questionnaire.platform_id}
    assert desk.questionnaire.name == "Renamed"


def test_a_status_that_no_column_holds_is_no_change_with_every_look(desk):
    row = desk.questionnaire
    desk.change_there(row, status="LONG" * 2_500)
    assert MIRROR.store(fetched(desk, row)) is True
    StaleMark.objects.all().delete()
    assert MIRROR.store(fetched(desk, row)) is False
    assert marks("responses") == set()


def test_q11_an_older_answer_does_not_overwrite_a_newer_one(desk):
    older = fetched(desk, desk.questionnaire)
    desk.change_there(desk.questionnaire, displayName="Newer", updatedDate="2099-01-01T00:00:00.000Z")
    MIRROR.store(fetched(desk, desk.questionnaire))
    assert MIRROR.store(older) is False
    assert desk.questionnaire.name == "Newer"


def test_q11_what_is_gone_may_come_back(desk):
    row = desk.questionnaire
    assert mirror.mark_questionnaire_gone(row.platform_id) is True
    assert mirror.mark_questionnaire_gone(row.platform_id) is False
    assert row.platform_id not in mirror.known_questionnaires()
    assert MIRROR.store(fetched(desk, row)) is True
    assert row.platform_id in mirror.known_questionnaires()


def test_responses_that_are_not_listed_any_more_are_gone_and_may_come_back(desk):
    row = desk.response
    client = client_for(Urgency.PERSON)
    body = desk.there(row)
    desk.objects.delete(desk.tenant_id, "responses", row.platform_id)
    assert mirror.save_responses(mirror.fetch_responses(client, row.questionnaire.platform_id)) is True
    row.refresh_from_db()
    assert row.gone_at
    assert Questionnaire.objects.get(pk=row.questionnaire_id).question_count == 4
    desk.objects.add(desk.tenant_id, "responses", body, parent_id=row.questionnaire.platform_id)
    mirror.save_responses(mirror.fetch_responses(client, row.questionnaire.platform_id))
    assert Response.objects.get(pk=row.pk).gone_at is None


def test_q15_a_list_of_questions_that_is_missing_takes_no_questionnaire_away(desk, sandbox):
    row = desk.questionnaire
    sandbox.fail("status", method="GET", path="/v1/customer-trust/questionnaires/*/responses", value=404)
    StaleMark.objects.all().delete()
    mark_stale("responses", row.platform_id)
    for _ in range(2):
        drain(mirror.MIRRORS, client_for(Urgency.PERSON))
        two_minutes_pass()
    row.refresh_from_db()
    assert (row.gone_at, row.responses.filter(gone_at=None).count()) == (None, 5)
    assert StaleMark.objects.get(kind="responses", object_id=row.platform_id).problem
    sandbox.control("DELETE", "/faults")
    desk.objects.delete(desk.tenant_id, "questionnaires", row.platform_id)
    for _ in range(2):
        StaleMark.objects.update(due_at=timezone.now())
        drain(mirror.MIRRORS, client_for(Urgency.PERSON))
        two_minutes_pass()
    row.refresh_from_db()
    assert row.gone_at


def test_reading_the_same_responses_again_is_no_change(desk):
    again = mirror.fetch_responses(client_for(Urgency.PERSON), desk.questionnaire.platform_id)
    before = desk.questionnaire.version
    assert mirror.save_responses(again) is False
    assert desk.questionnaire.version == before


def test_three_hundred_responses_are_stored_in_a_handful_of_queries(desk):
    row = desk.questionnaire
    items = [
        remote.Response.read({"id": f"new-{number}", "question": f"Question {number}", "isPendingAnswerGeneration": False})
        for number in range(300)
    ]
    with CaptureQueriesContext(connection) as queries:
        mirror.save_responses(mirror.FetchedResponses(row.platform_id, timezone.now(), Collected(items)))
    assert len(queries) < 17
    assert Questionnaire.objects.get(pk=row.pk).question_count == 300


HOSTILE = "A\x00B\ud800<script>" + "x" * 5000


def test_s3_hostile_texts_are_stored_and_shown_as_text(desk, client, alice):
    desk.change_there(
        desk.questionnaire,
        displayName=HOSTILE,
        url="javascript:alert(1)",
        metadata=[{"key": "<b>", "value": HOSTILE}, {"odd": []}],
        ownerAssignment={"type": "Team", "id": "team-1", "displayName": None},
    )
    desk.change_there(desk.response, question=HOSTILE, sequenceLabel="9" * 500, sectionId="s" * 500, originType="<i>")
    desk.fetch()
    client.force_login(alice)
    for page in (
        client.get("/t/acme/questionnaires/?stage=all"),
        client.get(f"/t/acme/questionnaires/{desk.questionnaire.platform_id}/"),
        client.get(f"/t/acme/questionnaires/{desk.questionnaire.platform_id}/activity/"),
    ):
        assert page.status_code == 200
        assert b"<script>x" not in page.content
        assert b"javascript:" not in page.content
    assert desk.questionnaire.owner_name == "No name"


def test_a_stated_status_is_shown_at_once_and_confirmed_by_a_fetch(desk, client, alice):
    row, seen = desk.questionnaire, area_version("questionnaires")
    handle(QuestionnaireStatusChanged(questionnaire_id=row.platform_id, status="ON_HOLD"))
    row.refresh_from_db()
    assert (row.status, row.is_provisional) == ("ON_HOLD", True)
    assert area_version("questionnaires") != seen
    assert row.platform_id in marks("questionnaire") & marks("responses")
    client.force_login(alice)
    assert b"confirming" in client.get(f"/t/acme/questionnaires/{row.platform_id}/").content
    assert MIRROR.store(fetched(desk, row)) is True
    row.refresh_from_db()
    assert (row.status, row.is_provisional) == ("IN_PROGRESS", False)


@pytest.mark.parametrize("event", [QuestionnaireChanged, ExportCompleted])
def test_other_events_are_hints(desk, event):
    more = {"export_id": "e"} if event is ExportCompleted else {}
    handle(event(questionnaire_id="never-seen", **more))
    assert "never-seen" in marks("questionnaire")
    assert not Questionnaire.objects.filter(platform_id="never-seen").exists()


def test_an_event_for_a_questionnaire_nobody_knows_makes_no_row(desk):
    handle(QuestionnaireStatusChanged(questionnaire_id="never-seen", status="x" * 500))
    assert not Questionnaire.objects.filter(platform_id="never-seen").exists()


def test_an_event_never_brings_back_what_is_gone(desk):
    row = desk.questionnaire
    mirror.mark_questionnaire_gone(row.platform_id)
    handle(QuestionnaireStatusChanged(questionnaire_id=row.platform_id, status="ON_HOLD"))
    row.refresh_from_db()
    assert row.gone_at
    assert row.status == "IN_PROGRESS"
    assert timezone.now() - row.gone_at < timedelta(minutes=1)


@pytest.mark.parametrize("odd", ["", "..", "x" * 513, "a\nb", "a\x00b"])
def test_s5_an_id_that_cannot_be_one_is_not_read(desk, odd):
    sent = fetched(desk, desk.questionnaire).raw | {"id": odd}
    with pytest.raises(errors.Unreadable):
        remote.Questionnaire.read(sent)
    with pytest.raises(errors.Unreadable):
        remote.Response.read({"id": odd, "question": "?"})


@pytest.mark.parametrize("odd", ["a/b", "x" * 512, "~ü ?#"])
def test_s5_an_unusual_id_is_stored_and_its_pages_open(desk, client, alice, odd):
    sent = fetched(desk, desk.questionnaire).raw | {"id": odd}
    assert MIRROR.store(remote.Questionnaire.read(sent)) is True
    items = [remote.Response.read({"id": odd, "question": "?"})]
    mirror.save_responses(mirror.FetchedResponses(odd, timezone.now(), Collected(items)))
    client.force_login(alice)
    page = f"/t/acme/questionnaires/{write_id(odd)}/"
    assert page in client.get("/t/acme/questionnaires/?stage=all").content.decode()
    assert client.get(page).status_code == 200
    assert client.get(f"{page}responses/{write_id(odd)}/").status_code == 200


@pytest.mark.parametrize(
    ("origin", "editor", "is_changed"),
    [("AI", None, False), ("AI", {"id": "u1", "organizationId": "o1", "email": "a@b.example"}, True), ("MANUAL", None, True)],
)
def test_an_answer_counts_as_changed_once_a_person_had_a_hand_in_it(desk, origin, editor, is_changed):
    desk.change_there(desk.response, originType=origin, editedBy=editor)
    desk.fetch()
    assert desk.response.is_changed is is_changed


def test_what_a_note_an_approver_or_a_file_does_not_say_is_not_written_as_none(scoped):
    notes = [{"key": "deal", "value": None}, {"key": None, "value": "D-42"}]
    row = Questionnaire(payload={"id": "q1", "metadata": notes, "approverAssignment": {"id": None, "displayName": "Kim"}})
    assert row.metadata == [("deal", ""), ("", "D-42")]
    assert row.approver_id == ""
    files = [{"uploadedDocument": {"id": "d1", "filename": None}}, {"uploadedDocument": None}]
    assert Response(payload={"id": "r1", "attachedEvidence": files}).evidence == ["No name"]
