"""More than one turn holds: the next one goes on where the last one ended, nothing is decided twice and nothing left out."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.access_requests.models import AccessRequest, Decision, RuleSwitch, RuleVerdict
from portal.access_requests.rule_selectors import applied_at
from portal.access_requests.services import automatic_decisions, rule_verdicts
from portal.access_requests.services.automatic_decisions import act_on_verdicts, apply_and_act
from portal.access_requests.services.rule_verdicts import tenants_to_apply
from portal.connections.models import Connection
from portal.page_refresh.services import touch_areas
from portal.sync.models import StaleMark
from portal.tenants.scope import tenant_scope
from tests.access_requests.conftest import make
from tests.access_requests.rules import decision_of, make_account, put, rule
from tests.support.plans import plan_of


@pytest.fixture
def five(running, monkeypatch):
    """More requests than are looked at together."""
    monkeypatch.setattr(rule_verdicts, "BATCH", 2)
    monkeypatch.setattr(automatic_decisions, "BATCH", 2)
    return [make(f"N{number}") for number in range(5)]


def judged():
    """The requests that have a verdict, in the order of their keys."""
    return list(RuleVerdict.objects.order_by("access_request_id").values_list("access_request_id", flat=True))


def decided():
    return list(Decision.objects.order_by("access_request_id").values_list("access_request_id", flat=True))


def keys(rows):
    return [row.pk for row in rows]


def test_a_pass_goes_on_where_the_turn_before_has_ended(five):
    book = put(rule())
    assert rule_verdicts.apply_rules(book, seconds=0)
    assert judged() == keys(five[:2])
    assert RuleSwitch.objects.get().applied_at is None
    RuleVerdict.objects.all().delete()  # what was looked at is not looked at again
    assert rule_verdicts.apply_rules(book, seconds=0)
    assert judged() == keys(five[2:4])
    assert not rule_verdicts.apply_rules(book)
    assert judged() == keys(five[2:])
    assert RuleSwitch.objects.get().applied_at


def test_each_piece_of_a_pass_is_read_from_an_index_in_its_order(five):
    rows = rule_verdicts._open_requests(five[0].pk)
    assert len(rows) == 2
    plan = plan_of(rows)
    assert plan.sought_in("access_requests_open")[0] == "tenant_id", plan.text
    assert not plan.sorts, plan.text


def test_what_changes_while_a_pass_is_under_way_is_seen_by_the_next_one(five):
    book = put(rule(account="matched"))
    rule_verdicts.apply_rules(book, seconds=0)
    make_account("First", "n0.example")
    touch_areas("accounts")  # as storing one does
    assert not rule_verdicts.apply_rules(book)
    assert RuleVerdict.objects.get(access_request=five[0]).rule_name == ""
    assert tenants_to_apply() == [five[0].tenant_id]
    assert not rule_verdicts.apply_rules(book)
    assert RuleVerdict.objects.get(access_request=five[0]).rule_name == "Customers"


def test_a_pass_of_other_rules_begins_anew(five):
    rule_verdicts.apply_rules(put(rule()), seconds=0)
    new = put(rule("Other"))
    assert rule_verdicts.apply_rules(new, seconds=0)
    assert judged() == keys(five[:2])
    assert not rule_verdicts.apply_rules(new)
    assert set(RuleVerdict.objects.values_list("rule_name", "version")) == {("Other", 2)}
    assert judged() == keys(five)


def test_what_a_page_counts_of_new_rules_is_called_unknown_before_all_that_waits_has_its_verdict(five):
    rule_verdicts.apply_rules(put(rule()))
    assert applied_at()
    new = put(rule("Other"))
    assert rule_verdicts.apply_rules(new, seconds=0)
    assert applied_at() is None
    rule_verdicts.apply_rules(new)
    touch_areas("access_requests")
    assert rule_verdicts.apply_rules(new, seconds=0)
    assert applied_at(), "the same rules, once more"


def test_rules_that_are_no_longer_the_newest_are_not_applied(five):
    old = put(rule("Old"))
    new = put(rule("New"))
    rule_verdicts.apply_rules(new, seconds=0)
    assert rule_verdicts.apply_rules(old)
    assert not rule_verdicts.apply_rules(new)
    assert set(RuleVerdict.objects.values_list("rule_name", flat=True)) == {"New"}
    assert judged() == keys(five)


def test_of_two_workers_on_the_same_pass_the_slower_one_writes_nothing(five, monkeypatch):
    book, look = put(rule()), rule_verdicts.knowledge_of

    def overtaken(requests):
        monkeypatch.setattr(rule_verdicts, "knowledge_of", look)
        assert rule_verdicts.apply_rules(book, seconds=0)  # the other worker, with the same two
        RuleVerdict.objects.all().delete()
        return look(requests)

    monkeypatch.setattr(rule_verdicts, "knowledge_of", overtaken)
    assert not rule_verdicts.apply_rules(book)
    assert judged() == []
    assert not rule_verdicts.apply_rules(book)
    assert judged() == keys(five[2:])


def test_rules_that_were_applied_to_all_are_not_applied_again_before_something_changes(five, monkeypatch):
    book = put(rule())
    while tenants_to_apply():
        rule_verdicts.apply_rules(book)
    with monkeypatch.context() as patched:
        patched.setattr(rule_verdicts, "knowledge_of", lambda requests: pytest.fail("nothing has changed"))
        assert not rule_verdicts.apply_rules(book)
    late = make("Late")
    touch_areas("access_requests")  # as storing one does
    assert not rule_verdicts.apply_rules(book)
    assert RuleVerdict.objects.filter(access_request=late).exists()


def test_acting_goes_on_behind_what_has_to_wait(five):
    book = put(rule(automatic=True))
    rule_verdicts.apply_rules(book)
    StaleMark.objects.create(kind="access_request", object_id=five[0].platform_id)
    for number in range(5):
        assert act_on_verdicts(book, seconds=0)
        assert decided() == keys(five[1 : number + 1])
    assert not act_on_verdicts(book, seconds=0)
    StaleMark.objects.all().delete()
    assert act_on_verdicts(book, seconds=0)
    assert decided() == keys(five)


def test_while_all_is_stale_each_rule_says_so_once(five):
    book = put(rule(automatic=True))
    rule_verdicts.apply_rules(book)
    Connection.objects.update(state="suspended")
    while act_on_verdicts(book, seconds=0):
        pass
    assert set(RuleVerdict.objects.values_list("waits", flat=True)) == {"The platform is not connected."}
    assert not act_on_verdicts(book, seconds=0)
    assert decided() == []


def test_a_turn_without_time_still_brings_both_forward_and_they_end(five):
    put(rule(automatic=True))
    turns = 0
    while apply_and_act(seconds=0):
        turns += 1
        assert (len(judged()), len(decided())) == (min(2 * turns, 5), min(turns, 5))
    assert decided() == keys(five)
    assert AccessRequest.objects.waiting().count() == 0


def test_what_another_worker_has_done_meanwhile_is_not_taken_for_a_persons(five, monkeypatch):
    book, act = put(rule(automatic=True)), automatic_decisions._act
    rule_verdicts.apply_rules(book)

    def overtaken(verdict_id):
        act(verdict_id)
        act(verdict_id)

    monkeypatch.setattr(automatic_decisions, "_act", overtaken)
    act_on_verdicts(book, seconds=5)
    assert decided() == keys(five)
    assert not RuleVerdict.objects.filter(is_left=True).exists()


def test_who_has_waited_longest_for_a_turn_comes_first(running, globex):
    put(rule())
    with tenant_scope(globex.pk):
        put(rule())
        apply_and_act()
        touch_areas("access_requests")
    assert tenants_to_apply() == [running.pk, globex.pk]
    apply_and_act()
    touch_areas("access_requests")
    assert tenants_to_apply() == [globex.pk, running.pk]
    RuleSwitch.objects.update(turn_at=timezone.now() - timedelta(days=1))
    assert tenants_to_apply() == [running.pk, globex.pk]


def test_the_sweep_asks_no_more_often_the_more_tenants_have_rules(running, globex):
    put(rule())
    with CaptureQueriesContext(connection) as alone:
        assert tenants_to_apply() == [running.pk]
    with tenant_scope(globex.pk):
        put(rule())
    with CaptureQueriesContext(connection) as both:
        assert set(tenants_to_apply()) == {running.pk, globex.pk}
    assert len(both) == len(alone)


def test_one_decision_is_made_by_a_rule_however_often_its_turn_comes(five):
    put(rule(automatic=True))
    for _ in range(20):
        apply_and_act(seconds=0)
    assert decided() == keys(five)
    assert decision_of(five[0]).rule_version == 1
