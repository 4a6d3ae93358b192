"""The calls of a minute are shared: whoever waits for a large copy still hears the news."""

from dataclasses import replace

from portal.connections.services import Urgency
from portal.inbox.routes import MIRRORS
from portal.sync.services import Result, drain_tenant, mark_stale
from tests.support.calls import use_up


def test_news_are_fetched_before_what_takes_many_calls(connected, desk):
    desk.remote = {"large": "1", "small": "2"}
    pile = replace(desk.mirror, kind="pile", is_bulk=True)
    mark_stale("pile", "large")
    mark_stale("thing", "small")
    drain_tenant([pile, desk.mirror])
    assert desk.calls == ["small", "large"]


def test_news_come_through_when_the_share_of_the_large_copy_is_used_up(connected, scoped, sandbox, platform_tenant):
    questionnaire = sandbox.objects(platform_tenant["tenant_id"], "questionnaires")[0]["id"]
    mark_stale("responses", questionnaire)
    mark_stale("questionnaire", questionnaire)
    use_up(Urgency.BULK)
    results = {outcome.kind: outcome.result for outcome in drain_tenant(MIRRORS)}
    assert results == {"questionnaire": Result.CHANGED, "responses": Result.WAITING}
