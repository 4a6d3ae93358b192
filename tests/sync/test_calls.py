"""How many calls a drain costs, as the platform counts them, and who is served first."""

import pytest

from portal.connections.models import CallWindow
from portal.inbox.routes import MIRRORS
from portal.questionnaires.models import Questionnaire
from portal.sync.services import Result, drain_tenant, mark_many, mark_stale, reconcile_tenant, start_reconcile
from tests.sync.desk import two_minutes_pass

PATH = "/v1/customer-trust/questionnaires"
[QUESTIONNAIRES] = [mirror for mirror in MIRRORS if mirror.kind == "questionnaire"]


@pytest.fixture
def ids(connected, scoped, sandbox) -> list[str]:
    """The questionnaires of a tenant that has been compared; what is counted begins after that."""
    start_reconcile([QUESTIONNAIRES])
    assert reconcile_tenant([QUESTIONNAIRES])
    drain_tenant(MIRRORS)
    CallWindow.objects.all().delete()
    sandbox.counted = len(sandbox.requests(PATH))
    return list(Questionnaire.objects.order_by("platform_id").values_list("platform_id", flat=True))


def calls(sandbox) -> list[str]:
    return [call["path"].removeprefix(PATH) for call in sandbox.requests(PATH)[sandbox.counted :]]


def drained() -> list[Result]:
    return [outcome.result for outcome in drain_tenant([QUESTIONNAIRES])]


def test_many_marks_of_a_short_list_cost_one_call(ids, sandbox):
    mark_many("questionnaire", ids)
    assert drained() == [Result.UNCHANGED] * 3
    assert calls(sandbox) == [""]


def test_few_marks_are_fetched_one_by_one(ids, sandbox):
    mark_many("questionnaire", ids[:2])
    assert drained() == [Result.UNCHANGED] * 2
    assert calls(sandbox) == [f"/{each}" for each in ids[:2]]


def test_what_the_list_does_not_name_is_asked_for_by_itself(ids, sandbox, platform_tenant):
    sandbox.app.extensions["sandbox"].objects.delete(platform_tenant["tenant_id"], "questionnaires", ids[1])
    mark_many("questionnaire", ids)
    assert sorted(drained()) == sorted([Result.UNCHANGED, Result.UNCHANGED, Result.WAITING])
    assert calls(sandbox) == ["", f"/{ids[1]}"]
    two_minutes_pass()
    assert drained() == [Result.GONE]
    assert Questionnaire.objects.get(platform_id=ids[1]).gone_at


def test_a_list_that_cannot_be_read_is_no_end(ids, sandbox):
    sandbox.fail("html", path=PATH, times=1)
    mark_many("questionnaire", ids)
    results = drained()
    assert results.count(Result.UNCHANGED) == 2
    assert results.count(Result.WAITING) == 1


def test_events_of_many_objects_are_drained_on_one_token(ids, sandbox):
    before = len(sandbox.token_calls())
    mark_many("questionnaire", ids)
    drain_tenant([QUESTIONNAIRES])
    assert len(sandbox.token_calls()) == before


def test_what_a_person_waits_for_overtakes_the_comparison_between_two_pages(connected, desk):
    desk.remote = dict.fromkeys("abcde", "1")
    start_reconcile([desk.mirror])

    def look(object_id: str) -> None:
        desk.before_answer = lambda object_id: None
        mark_stale("thing", "e", urgent=True)

    desk.before_answer = look
    assert not reconcile_tenant([desk.mirror])
    drain_tenant([desk.mirror])
    assert reconcile_tenant([desk.mirror])
    assert desk.calls == ["page None", "e", "page 2", "page 4"]


def test_what_a_person_waits_for_overtakes_the_news_that_are_being_fetched(connected, desk):
    desk.remote = dict.fromkeys("abcde", "1")

    def look(object_id: str) -> None:
        desk.before_answer = lambda object_id: None
        mark_stale("thing", "e", urgent=True)

    desk.before_answer = look
    mark_many("thing", "abc")
    drain_tenant([desk.mirror])
    assert desk.calls == ["a", "e", "b", "c"]
