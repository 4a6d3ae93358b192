"""What a change of the rules decides is found out before others wait for it, and counts only if nothing changed since (R6)."""

import pytest
from django.db.models import F

from portal.access_requests.models import RuleSwitch
from portal.access_requests.rule_effects import TooManyWait, added_effects
from portal.access_requests.services import announcing, ruling, stopping
from portal.access_requests.services.announcing import ONLY_NEW, WAITING_TOO, Choice, DecidesWaiting
from portal.access_requests.services.applying import FACT_AREAS
from portal.access_requests.services.ruling import RulesChanged, current_book
from portal.page_refresh.models import Area
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Role
from tests.access_requests.conftest import PAGE, make
from tests.access_requests.rules import make_account, put, rule
from tests.support.audit import recorded

CUSTOMERS = "id-Customers"


@pytest.fixture
def three(running):
    make_account("Helios", "helios.example")
    touch_areas(*FACT_AREAS)
    return [make(f"H{number}", email=f"h{number}@helios.example", hours=30 - number) for number in range(3)]


@pytest.fixture
def meanwhile(monkeypatch):
    """Has something happen each time once the effects of a change were found out; gives what they were found out under."""

    def start(happen, *, times=99):
        looks = []

        def overtaken(*books, at_most=None, **how):
            effects = added_effects(*books, at_most=at_most, **how)
            looks.append(at_most)
            if len(looks) <= times:
                happen()
            return effects

        monkeypatch.setattr(announcing, "added_effects", overtaken)
        return looks

    return start


def elsewhere(*areas):
    """Another process has touched these: what this one has read of them is not forgotten by that."""
    Area.objects.filter(name__in=areas or ("access_requests",)).update(version=F("version") + 1)


def arrive():
    make("Late", email="late@helios.example", hours=1)
    elsewhere()


def turn_on(owner, choice, *, seen=1):
    return ruling.make_automatic(CUSTOMERS, member=owner, seen=seen, choice=choice)


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
    looks = meanwhile(lambda: elsewhere(area), times=1)
    turn_on(owner, shown())
    assert looks == [None, ruling.MAX_UNDER_LOCK]


def test_where_nothing_changes_the_list_is_made_once(owner, three, meanwhile):
    put(rule(account="matched"))
    looks = meanwhile(lambda: elsewhere("contents"))
    turn_on(owner, shown())
    assert looks == [None]


def test_where_few_wait_a_change_is_made_however_fast_things_change(owner, three, meanwhile, monkeypatch):
    monkeypatch.setattr(ruling, "MAX_UNDER_LOCK", 3)
    put(rule(account="matched"))
    meanwhile(elsewhere)
    turn_on(owner, shown())
    assert current_book().rules[0].is_automatic


def test_where_many_wait_none_is_looked_at_under_the_lock_and_the_list_is_made_again_outside(
    owner, three, meanwhile, monkeypatch
):
    monkeypatch.setattr(ruling, "MAX_UNDER_LOCK", 2)
    put(rule(account="matched"))
    looks = meanwhile(elsewhere, times=2)
    turn_on(owner, shown())
    assert looks == [None] * 3
    assert current_book().rules[0].is_automatic


@pytest.mark.parametrize("scope", [ONLY_NEW, WAITING_TOO])
def test_r6_where_many_wait_and_things_never_stand_still_a_list_that_stays_the_same_counts(
    owner, three, meanwhile, monkeypatch, scope
):
    monkeypatch.setattr(ruling, "MAX_UNDER_LOCK", 2)
    put(rule(account="matched"))
    choice = Choice(scope, shown().seen)
    looks = meanwhile(elsewhere)
    turn_on(owner, choice)
    assert looks == [None] * ruling.TRIES
    [switched] = current_book().rules
    assert (switched.is_automatic, bool(switched.acts_from)) == (True, scope == ONLY_NEW)


def test_r6_where_many_wait_a_request_that_arrives_before_the_last_look_is_asked_about(owner, three, meanwhile, monkeypatch):
    monkeypatch.setattr(ruling, "MAX_UNDER_LOCK", 2)
    put(rule(account="matched"))
    choice = shown()
    happenings = iter([elsewhere, arrive])
    looks = meanwhile(lambda: next(happenings)(), times=2)
    with pytest.raises(DecidesWaiting) as asked:
        turn_on(owner, choice)
    assert looks == [None] * ruling.TRIES
    assert (asked.value.effects.number, asked.value.was_shown) == (4, True)
    assert not current_book().rules[0].is_automatic


def test_where_the_rules_are_stopped_a_change_is_made_however_many_wait_and_things_change(owner, three, monkeypatch):
    monkeypatch.setattr(ruling, "MAX_UNDER_LOCK", 0)
    put(rule(account="matched"))
    stopping.stop_rules(member=owner)
    versions = iter(range(99))
    monkeypatch.setattr(ruling, "_fact_versions", lambda: str(next(versions)))
    turn_on(owner, None)
    assert current_book().rules[0].is_automatic


def test_what_somebody_else_changed_meanwhile_is_not_written_over(owner, three, meanwhile):
    put(rule(account="matched"))

    def change():
        put(rule(account="unmatched"))
        elsewhere()

    meanwhile(change, times=1)
    with pytest.raises(RulesChanged):
        turn_on(owner, shown())
    assert current_book().number == 2


def test_rules_that_somebody_else_started_meanwhile_are_started_once(owner, three, meanwhile):
    put(rule(account="matched", automatic=True))
    stopping.stop_rules(member=owner)

    def start():
        RuleSwitch.objects.update(is_stopped=False)
        elsewhere()

    meanwhile(start, times=1)
    with recorded():
        stopping.start_rules(member=owner, choice=Choice(ONLY_NEW))
    assert not RuleSwitch.objects.get().is_stopped


def test_no_more_are_looked_at_than_may_be(three, django_assert_num_queries):
    book = put(rule(account="matched", automatic=True))
    assert added_effects(book.all_suggesting(), book, at_most=3).number == 3
    with pytest.raises(TooManyWait), django_assert_num_queries(1):
        added_effects(book.all_suggesting(), book, at_most=2)
