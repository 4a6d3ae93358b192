"""What a change of the rules decides is found out before others wait for it, and counts only if nothing changed since (R6)."""

import pytest
from django.db.models import F

from portal.access_requests.models import RuleSwitch
from portal.access_requests.rule_effects import TooManyWait, added_effects
from portal.access_requests.services import announcements, kill_switch, rules
from portal.access_requests.services.announcements import ONLY_NEW, WAITING_TOO, Choice, DecidesWaiting
from portal.access_requests.services.rule_verdicts import FACT_AREAS
from portal.access_requests.services.rules import RulesChanged, current_book
from portal.page_refresh.models import Area
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Role
from tests.access_requests.conftest import PAGE, make
from tests.access_requests.rules import put, rule
from tests.support.audit import recorded

CUSTOMERS = "id-Customers"


@pytest.fixture
def three(three):
    """Three requests, after everything that facts are made of has changed once: whatever changes meanwhile has a row."""
    touch_areas(*FACT_AREAS)
    return three


@pytest.fixture
def meanwhile(monkeypatch):
    """Have something happen after each computation of the effects of a change; gives the limits of those computations."""

    def start(happen, *, times=99):
        looks = []

        def overtaken(*books, at_most=None, **how):
            effects = added_effects(*books, at_most=at_most, **how)
            looks.append(at_most)
            if len(looks) <= times:
                happen()
            return effects

        monkeypatch.setattr(announcements, "added_effects", overtaken)
        return looks

    return start


def touch_elsewhere(*areas):
    """Change areas as another process does: what this process has read of them is not forgotten."""
    assert Area.objects.filter(name__in=areas or ("access_requests",)).update(version=F("version") + 1)


def arrive():
    make("Late", email="late@helios.example", hours=1)
    touch_elsewhere()


def turn_on(owner, choice, *, seen=1):
    return rules.make_automatic(CUSTOMERS, member=owner, seen=seen, choice=choice)


def shown():
    book = current_book()
    return Choice(WAITING_TOO, added_effects(book, book.automatic(CUSTOMERS)).digest)


def test_r6_a_request_that_arrives_while_the_list_is_made_is_asked_about(client, member, three, meanwhile):
    put(rule(account="matched"))
    client.force_login(member(Role.ADMIN))
    said = {"version": 1, "scope": WAITING_TOO, "seen": shown().seen}
    meanwhile(arrive, times=1)
    answer = client.post(f"{PAGE}rules/{CUSTOMERS}/automatic/", said)
    assert answer.status_code == 422
    assert not current_book().rules[0].is_automatic


@pytest.mark.parametrize("area", FACT_AREAS)
def test_r6_whatever_facts_are_made_of_the_list_is_made_again_when_it_changes_meanwhile(owner, three, meanwhile, area):
    put(rule(account="matched"))
    looks = meanwhile(lambda: touch_elsewhere(area), times=1)
    turn_on(owner, shown())
    assert looks == [None, rules.MAX_UNDER_LOCK]


def test_where_nothing_changes_that_facts_are_made_of_the_list_is_made_once(owner, three, meanwhile):
    put(rule(account="matched"))
    touch_areas("questionnaires")
    looks = meanwhile(lambda: touch_elsewhere("questionnaires"))
    turn_on(owner, shown())
    assert looks == [None]


def test_where_few_wait_a_change_is_made_however_fast_things_change(owner, three, meanwhile, monkeypatch):
    monkeypatch.setattr(rules, "MAX_UNDER_LOCK", 3)
    put(rule(account="matched"))
    meanwhile(touch_elsewhere)
    turn_on(owner, shown())
    assert current_book().rules[0].is_automatic


def test_where_many_wait_none_is_looked_at_under_the_lock_and_the_list_is_made_again_outside(
    owner, three, meanwhile, monkeypatch
):
    monkeypatch.setattr(rules, "MAX_UNDER_LOCK", 2)
    put(rule(account="matched"))
    looks = meanwhile(touch_elsewhere, times=2)
    turn_on(owner, shown())
    assert looks == [None] * 3
    assert current_book().rules[0].is_automatic


@pytest.mark.parametrize("scope", [ONLY_NEW, WAITING_TOO])
def test_r6_where_many_wait_and_things_never_stand_still_a_list_that_stays_the_same_counts(
    owner, three, meanwhile, monkeypatch, scope
):
    monkeypatch.setattr(rules, "MAX_UNDER_LOCK", 2)
    put(rule(account="matched"))
    choice = Choice(scope, shown().seen)
    looks = meanwhile(touch_elsewhere)
    turn_on(owner, choice)
    assert looks == [None] * rules.TRIES
    [switched] = current_book().rules
    assert (switched.is_automatic, bool(switched.acts_from)) == (True, scope == ONLY_NEW)


def test_r6_where_many_wait_a_request_that_arrives_before_the_last_look_is_asked_about(owner, three, meanwhile, monkeypatch):
    monkeypatch.setattr(rules, "MAX_UNDER_LOCK", 2)
    put(rule(account="matched"))
    choice = shown()
    happenings = iter([touch_elsewhere, arrive])
    looks = meanwhile(lambda: next(happenings)(), times=2)
    with pytest.raises(DecidesWaiting) as asked:
        turn_on(owner, choice)
    assert looks == [None] * rules.TRIES
    assert (asked.value.effects.number, asked.value.was_shown) == (4, True)
    assert not current_book().rules[0].is_automatic


def test_where_the_rules_are_stopped_a_change_is_made_however_many_wait_and_things_change(owner, three, monkeypatch):
    monkeypatch.setattr(rules, "MAX_UNDER_LOCK", 0)
    put(rule(account="matched"))
    kill_switch.stop_rules(member=owner)
    versions = iter(range(99))
    monkeypatch.setattr(rules, "_fact_versions", lambda: str(next(versions)))
    turn_on(owner, None)
    assert current_book().rules[0].is_automatic


def test_what_somebody_else_changed_meanwhile_is_not_written_over(owner, three, meanwhile):
    put(rule(account="matched"))

    def change():
        put(rule(account="unmatched"))
        touch_elsewhere()

    meanwhile(change, times=1)
    with pytest.raises(RulesChanged):
        turn_on(owner, shown())
    assert current_book().number == 2


def test_rules_that_somebody_else_started_meanwhile_are_started_once(owner, three, meanwhile):
    put(rule(account="matched", automatic=True))
    kill_switch.stop_rules(member=owner)

    def start():
        RuleSwitch.objects.update(is_stopped=False)
        touch_elsewhere()

    meanwhile(start, times=1)
    with recorded():
        kill_switch.start_rules(member=owner, choice=Choice(ONLY_NEW))
    assert not RuleSwitch.objects.get().is_stopped


def test_no_more_are_looked_at_than_may_be(three, django_assert_num_queries):
    book = put(rule(account="matched", automatic=True))
    assert added_effects(book.all_suggesting(), book, at_most=3).number == 3
    with pytest.raises(TooManyWait), django_assert_num_queries(1):
        added_effects(book.all_suggesting(), book, at_most=2)
