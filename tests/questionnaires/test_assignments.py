"""Questions given to people and teams of the platform, many at once."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from portal.inbox.routes import MIRRORS
from portal.questionnaires import services
from portal.questionnaires.models import LISTS, AssignableUser, Assignment, BulkItem, BulkRun, Questionnaire, Response
from portal.questionnaires.services import nudges
from portal.questionnaires.tasks import sweep_nudges
from portal.sync.models import StaleMark
from portal.sync.services import drain_tenant
from portal.tenants.models import Role
from portal.users.models import User
from tests.questionnaires.conftest import address, let_work
from tests.support.members import set_role

RESPONSES = "/v1/customer-trust/questionnaires"


@pytest.fixture
def person(desk) -> AssignableUser:
    services.ask_for_owners()
    drain_tenant(MIRRORS)
    return AssignableUser.objects.first()


def assign(client, rows, owner, **said):
    sent = {"how": "owner", "owner": owner, "chosen": [row.pk for row in rows], **said}
    return client.post(f"{address(rows[0].questionnaire)}ask/", sent)


def questions(desk, number=3):
    return list(Response.objects.filter(questionnaire=desk.questionnaire).select_related("questionnaire")[:number])


def test_ticked_questions_get_an_owner_a_note_and_a_date(analyst, desk, person):
    rows = questions(desk)
    due_on = timezone.localdate() + timedelta(days=5)
    said = {"note": "Only the cloud part.", "due_on": due_on.isoformat()}
    answer = assign(analyst, rows, f"User:{person.platform_id}", **said)
    assert "/bulk/" in answer["Location"]
    let_work()
    assert [desk.there(row)["ownerAssignment"]["id"] for row in rows] == [person.platform_id] * 3
    kept = Assignment.objects.get(response=rows[1])
    assert (kept.note, timezone.localdate(kept.due_at), kept.made_by_name) == ("Only the cloud part.", due_on, "Alice Ames")
    page = analyst.get(address(rows[1])).content.decode()
    assert "Only the cloud part." in page
    run = analyst.get(answer["Location"]).content.decode()
    assert "3 of 3 changed" in run
    assert rows[0].question in run


@pytest.mark.parametrize("status", [409, 422])
def test_a_question_whose_owner_is_refused_is_read_again(analyst, desk, person, sandbox, status):
    [row] = questions(desk, 1)
    StaleMark.objects.all().delete()
    sandbox.fail("status", method="PATCH", value=status)
    assign(analyst, [row], f"User:{person.platform_id}")
    let_work()
    assert BulkItem.objects.get().state == "failed"
    assert StaleMark.objects.filter(kind="questionnaire", object_id=desk.questionnaire.platform_id, urgent=True).exists()


def test_nobody_is_an_owner_too_and_takes_the_note_away(analyst, desk, person):
    rows = questions(desk, 1)
    assign(analyst, rows, f"User:{person.platform_id}", note="Soon gone")
    let_work()
    assign(analyst, rows, "nobody")
    let_work()
    assert desk.there(rows[0])["ownerAssignment"] is None
    assert not Assignment.objects.exists()


def test_a_team_that_owns_something_can_be_chosen(analyst, desk, person):
    first, second, _ = questions(desk)
    desk.change_there(first, ownerAssignment={"type": "Team", "id": "team-7", "displayName": "Infrastructure"})
    desk.fetch()
    assert "Infrastructure (team)" in analyst.get(f"{address(second.questionnaire)}ask/?chosen={second.pk}").content.decode()
    assign(analyst, [second], "Team:team-7")
    let_work()
    assert desk.there(second)["ownerAssignment"]["type"] == "Team"


def test_all_that_match_the_filter_are_meant_by_all(analyst, desk, person):
    unanswered = Response.objects.filter(questionnaire=desk.questionnaire, is_answered=False)
    sent = {"how": "owner", "owner": f"User:{person.platform_id}", "all": "1"}
    analyst.post(f"{address(desk.questionnaire)}ask/?show=unanswered", sent)
    assert BulkItem.objects.count() == unanswered.count() > 0


def test_each_list_beside_the_answer_can_be_meant_as_a_whole(analyst, desk, person):
    for show in ("mine", *LISTS):
        sent = {"all": "1", "how": "owner", "owner": f"User:{person.platform_id}"}
        listed = analyst.get(f"{address(desk.questionnaire)}?show={show}").context["page"]
        before = BulkItem.objects.count()
        assert analyst.post(f"{address(desk.questionnaire)}ask/?show={show}", sent).status_code == 302, show
        assert BulkItem.objects.count() - before == len(listed.rows), show


def test_w1_a_lost_answer_is_settled_by_looking(analyst, desk, person, sandbox, wire):
    rows = questions(desk, 1)
    sandbox.fail("drop_answer", method="PATCH", path=RESPONSES, times=1)
    assign(analyst, rows, f"User:{person.platform_id}")
    let_work()
    assert BulkItem.objects.get().state == "done"
    assert len(wire.patches) == 1


def test_a_question_that_is_gone_is_listed_with_the_reason(analyst, desk, person):
    rows = questions(desk, 2)
    desk.objects.delete(desk.tenant_id, "responses", rows[0].platform_id)
    assign(analyst, rows, f"User:{person.platform_id}")
    let_work()
    assert list(BulkItem.objects.order_by("pk").values_list("state", flat=True)) == ["failed", "done"]
    words = BulkItem.objects.order_by("pk")[0].description
    assert "no such question" in words
    assert "Your text" not in words, "nobody wrote one"


def test_the_note_counts_only_while_the_owner_is_the_same(analyst, desk, person):
    rows = questions(desk, 1)
    assign(analyst, rows, f"User:{person.platform_id}", note="For this one")
    let_work()
    desk.change_there(rows[0], ownerAssignment={"type": "User", "id": "somebody-else", "displayName": "Somebody Else"})
    desk.fetch()
    assert "For this one" not in analyst.get(address(rows[0])).content.decode()


def test_an_owner_who_is_a_member_is_reminded_once_a_day(analyst, desk, person, bob, acme):
    [row] = questions(desk, 1)
    desk.change_there(row, answerPartsValues={})
    assign(analyst, [row], f"User:{person.platform_id}", due_on=timezone.localdate().isoformat())
    let_work()
    Assignment.objects.update(made_at=timezone.now() - timedelta(days=2))
    Response.objects.filter(pk=row.pk).update(is_answered=False)
    sweep_nudges()
    assert mail.outbox == [], "nobody here has that name"
    bob.name = person.name.upper()
    bob.save()
    for _ in range(2):
        sweep_nudges()
    [sent] = mail.outbox
    assert sent.to == [bob.email]
    assert row.question in sent.body
    answer = analyst.post(f"{address(row)}nudge/", follow=True).content.decode()
    assert "You can remind them once a day" in answer


def test_an_owner_is_reminded_of_all_their_questions_by_one_mail(analyst, desk, person, bob, acme):
    bob.name = person.name
    bob.save()
    rows = questions(desk, 3)
    assign(analyst, rows, f"User:{person.platform_id}", due_on=timezone.localdate().isoformat(), note="You run it.")
    let_work()
    mail.outbox.clear()
    Assignment.objects.update(made_at=timezone.now() - timedelta(days=2))
    Response.objects.filter(pk__in=[row.pk for row in rows]).update(is_answered=False)
    Response.objects.filter(pk=rows[0].pk).update(is_answered=True)
    sweep_nudges()
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == ([bob.email], "Reminder: 2 questions are waiting for you at Acme")
    assert [row.question in sent.body for row in rows] == [False, True, True]
    assert sent.body.count("You run it.") == 2


def given(row: Response, owner: str, *, due_at: datetime, by: User) -> Assignment:
    """Have somebody own a question without an answer, long enough ago to be reminded."""
    Response.objects.filter(pk=row.pk).update(owner_id="u1", owner_name=owner, is_answered=False)
    asked = {"made_by": by, "made_by_name": str(by), "made_at": timezone.now() - timedelta(days=2)}
    return Assignment.objects.create(response=row, owner_id="u1", due_at=due_at, **asked)


def test_owners_who_cannot_be_mailed_keep_no_reminder_from_others(desk, alice, bob, monkeypatch):
    monkeypatch.setattr(nudges, "MAX_AT_ONCE", 1)
    now = timezone.now()
    for number, row in enumerate(questions(desk, 3)):
        given(row, bob.name.upper() if number else "Nobody Here", due_at=now + timedelta(hours=number), by=alice)
    sweep_nudges()
    sweep_nudges()
    assert [sent.to for sent in mail.outbox] == [[bob.email], [bob.email]]
    assert [each.nudged_at is None for each in Assignment.objects.order_by("due_at")] == [True, False, False]


def test_owners_for_whom_a_slow_mail_server_leaves_no_time_are_reminded_next_time(desk, alice, bob):
    for row, owner in zip(questions(desk, 2), (bob, alice), strict=True):
        given(row, owner.name, due_at=timezone.now(), by=alice)
    nudges.nudge_those_due(seconds=-1)
    assert [sent.to for sent in mail.outbox] == [[bob.email]]
    nudges.nudge_those_due()
    assert [sent.to for sent in mail.outbox] == [[bob.email], [alice.email]]


@pytest.mark.parametrize("end", ["NO_LONGER_NEEDED", "COMPLETE"])
def test_nobody_is_reminded_of_a_questionnaire_that_is_finished(analyst, desk, alice, bob, end):
    [row] = questions(desk, 1)
    given(row, bob.name, due_at=timezone.now(), by=alice)
    Questionnaire.objects.update(status=end)
    sweep_nudges()
    answer = analyst.post(f"{address(row)}nudge/", follow=True).content.decode()
    assert "the questionnaire is closed" in answer
    assert mail.outbox == []


@pytest.mark.parametrize("change", [{"is_answered": True}, {"owner_id": "u2"}])
def test_who_has_answered_or_has_it_no_longer_is_not_said_to_be_told_lately(analyst, desk, alice, bob, change):
    [row] = questions(desk, 1)
    given(row, bob.name, due_at=timezone.now(), by=alice)
    Response.objects.filter(pk=row.pk).update(**change)
    answer = analyst.post(f"{address(row)}nudge/", follow=True).content.decode()
    assert "They have answered, the question is no longer theirs" in answer
    assert "You can remind them once a day" not in answer
    assert mail.outbox == []


def test_a_reminder_by_hand_has_no_zone_and_no_form_of_whoever_sends_it(analyst, desk, alice, bob):
    alice.timezone, alice.dates = "America/New_York", "month-12"
    alice.save()
    [row] = questions(desk, 1)
    given(row, bob.name, due_at=datetime(2099, 1, 5, 2, 30, tzinfo=UTC), by=alice)
    analyst.post(f"{address(row)}nudge/")
    [sent] = mail.outbox
    assert "due 5 January 2099, 02:30 UTC" in sent.body


def test_a_viewer_assigns_nothing(client, bob, desk, person):
    client.force_login(bob)
    assert assign(client, questions(desk), f"User:{person.platform_id}").status_code == 403
    assert not BulkRun.objects.exists()


def test_s7_whoever_lost_the_role_assigns_nothing_any_more(analyst, alice, desk, person, wire):
    assign(analyst, questions(desk), f"User:{person.platform_id}")
    set_role(Role.VIEWER, user=alice)
    let_work()
    assert wire.patches == []


def test_nothing_chosen_is_said(analyst, desk):
    answer = analyst.post(f"{address(desk.questionnaire)}ask/", follow=True).content.decode()
    assert "no question is selected" in answer
