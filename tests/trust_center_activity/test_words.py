"""Asked about X: found once, as whole words, and told once, put together."""

import html
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.audit.models import Entry
from portal.tenants.models import Membership, Role
from portal.tenants.scope import tenant_scope
from portal.trust_center_activity.models import Follower, Mention, Notice, WatchedWord
from portal.trust_center_activity.normalization import folded
from portal.trust_center_activity.services import (
    TooManyWords,
    follow,
    mark_seen,
    tell_followers,
    unfollow,
    unwatch,
    watch,
    watched_words,
)
from portal.trust_center_activity.views import watched_words as views
from tests.support.beside import Beside
from tests.support.mails import delivered
from tests.support.members import find_member
from tests.trust_center_activity.conftest import PAGE, Center, words


@pytest.fixture
def me(alice, acme) -> Membership:
    return find_member(user=alice, tenant=acme)


def later() -> None:
    """The notices have waited long enough, and the last mail was long ago."""
    Notice.objects.update(made_at=timezone.now() - timedelta(minutes=11))
    Notice.objects.exclude(told_at=None).update(told_at=timezone.now() - timedelta(hours=2))


def ask(center: Center, *said: str, **options) -> str:
    talk = center.ask(*said, **options)
    center.read()
    return talk


def test_a_question_about_a_watched_word_is_an_alert_on_the_page_and_one_mail(center, me, analyst):
    watch("SOC 2", member=me)
    ask(center, "Do you have SOC-2?", "Yes.", "Is the soc 2 report recent?", "Yes.", "SOC 2 type II?")
    ask(center, "soc 2 please", email=None)
    page = words(analyst.get(PAGE))
    assert "4 new" in page
    assert "3 times this week" in page
    assert "acme.test" in page
    assert tell_followers() == 0  # not at once: more may come
    later()
    assert tell_followers() == 1
    assert tell_followers() == 0
    [sent] = delivered()
    assert sent.to == ["alice@acme.example"]
    assert "“SOC 2”, from acme.test: 3 times" in sent.body
    assert "“SOC 2”, from anonymous visitors: 1 time" in sent.body
    assert "ada@" not in sent.body


def test_what_the_chatbot_says_is_no_question(center, me):
    watch("FedRAMP", member=me)
    ask(center, "Which certificates do you have?", "FedRAMP.")
    assert not Mention.objects.exists()


def test_a_word_is_found_in_what_is_there_already_and_nobody_is_mailed(center, me):
    ask(center, "Do you do pentests?", "Yes.")
    word, is_new = watch("Pentests", member=me)
    assert is_new
    [mention] = Mention.objects.filter(word=word)
    assert mention.seen_at
    center.read()
    later()
    assert tell_followers() == 0
    assert not delivered()


def test_what_was_said_before_but_read_later_is_no_news(center, me):
    watch("pentest", member=me)
    ask(center, "A pentest?", at=timezone.now() - timedelta(days=2))
    assert Mention.objects.get().seen_at
    assert not Notice.objects.exists()


def test_nobody_is_told_more_than_once_an_hour(center, me):
    watch("uptime", member=me)
    ask(center, "What is your uptime?")
    later()
    assert tell_followers() == 1
    ask(center, "And the uptime of last year?")
    Notice.objects.filter(told_at=None).update(made_at=timezone.now() - timedelta(minutes=11))
    assert tell_followers() == 0
    later()
    assert tell_followers() == 1


def test_those_who_were_told_just_now_take_nobody_elses_turn(center, me, member, monkeypatch):
    monkeypatch.setattr("portal.trust_center_activity.services.notifications.MAX_TOLD", 1)
    word, _ = watch("uptime", member=me)
    ask(center, "What is your uptime?")
    later()
    assert tell_followers() == 1
    carol = find_member(user=member(Role.ANALYST))
    follow(word, member=carol)
    ask(center, "And the uptime of last year?")
    waiting = Notice.objects.filter(told_at=None)
    waiting.filter(user=me.user).update(made_at=timezone.now() - timedelta(minutes=40))
    waiting.filter(user=carol.user).update(made_at=timezone.now() - timedelta(minutes=11))
    assert tell_followers() == 1
    assert list(Notice.objects.filter(told_at=None).values_list("user", flat=True)) == [me.user_id]


def test_who_stops_following_or_left_gets_no_mail(center, me, member):
    word, _ = watch("uptime", member=me)
    gone = find_member(user=member(Role.ANALYST))
    follow(word, member=gone)
    ask(center, "What is your uptime?")
    unfollow(word, member=me)
    gone.delete()
    later()
    tell_followers()
    assert not delivered()


def test_who_has_left_follows_no_word_of_this_tenant(center, analyst, member, globex):
    gone = find_member(user=member(Role.ANALYST))
    watch("uptime", member=gone)
    with tenant_scope(globex.pk):
        theirs = WatchedWord.objects.create(text="uptime", folded=" uptime ", added_by_name="Mallory Moss")
        Follower.objects.create(word=theirs, user=gone.user)
    ask(center, "What is your uptime?")
    assert "1 follows it" in words(analyst.get(PAGE))
    page_version = analyst.get(PAGE).context["page_version"]
    gone.delete()
    assert not Notice.objects.exists()
    open_page = {"HX-Request": "true", "HX-Target": "trust_center_activity", "Seen": page_version}
    assert "no followers" in words(analyst.get(PAGE, headers=open_page))
    with tenant_scope(globex.pk):
        assert Follower.objects.exists()


def test_seen_is_seen_and_removed_is_removed(center, me):
    word, _ = watch("uptime", member=me)
    ask(center, "What is your uptime?")
    assert mark_seen(word, member=me) == 1
    assert mark_seen(word, member=me) == 0
    opened_elsewhere = WatchedWord.objects.get()
    for each in (word, opened_elsewhere):
        unwatch(each, member=me)
    assert not Mention.objects.exists()
    assert Entry.objects.filter(action="activity.unwatch").count() == 1


def test_a_viewer_watches_nothing(member, scoped):
    reader = find_member(user=member(Role.VIEWER))
    with pytest.raises(PermissionDenied):
        watch("uptime", member=reader)


def test_the_page_adds_follows_and_removes_words(analyst, connected, scoped):
    assert "Enter at least one letter" in words(analyst.post(f"{PAGE}words/", {"text": "?!"}))
    added = words(analyst.post(f"{PAGE}words/", {"text": "  SOC   2 "}, follow=True))
    assert "Watching “SOC 2”. We'll notify you as set under Notifications." in html.unescape(added)
    word = WatchedWord.objects.get()
    assert word.text == "SOC 2"
    again = words(analyst.post(f"{PAGE}words/", {"text": "soc-2"}, follow=True))
    assert "“SOC 2” is already watched." in again
    assert "Watching “SOC 2”" not in again
    assert WatchedWord.objects.count() == 1
    for verb, followers in (("unfollow", 0), ("follow", 1), ("follow", 1), ("seen", 1)):
        assert analyst.post(f"{PAGE}words/{word.pk}/{verb}/").status_code == 302
        assert word.followers.count() == followers
    assert "No longer watching “SOC 2”." in words(analyst.post(f"{PAGE}words/{word.pk}/remove/", follow=True))
    assert not WatchedWord.objects.exists()


def test_who_follows_a_word_at_the_moment_it_is_removed_is_told_so(analyst, me, connected, scoped, monkeypatch):
    word, _ = watch("SOC 2", member=me)

    def find_and_remove(*_, **__):
        unwatch(WatchedWord.objects.get(), member=me)
        return word

    monkeypatch.setattr(views, "get_object_or_404", find_and_remove)
    answer = words(analyst.post(f"{PAGE}words/{word.pk}/follow/", follow=True))
    assert "“SOC 2” is no longer watched." in html.unescape(answer)
    assert not Follower.objects.exists()


@settings(max_examples=40)
@given(before=st.text(max_size=8), word=st.text(min_size=1, max_size=8), after=st.text(max_size=8))
def test_a_word_is_found_between_spaces_in_any_case_and_only_whole(before, word, after):
    spelled = folded(word)
    if spelled:
        for other in (word.casefold(), f"({word})"):
            assert spelled in folded(f"{before} {other} {after}")
        assert folded("x" + spelled.strip()) == "" or spelled not in folded("x" + spelled.strip() + "x")


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_a_word_that_two_people_add_at_once_is_watched_once_and_followed_by_both(member, acme):
    first, second = (find_member(user=member(role), tenant=acme) for role in (Role.ANALYST, Role.APPROVER))
    answers: list[tuple[WatchedWord, bool]] = []
    with tenant_scope(acme.pk):
        with transaction.atomic():
            answers.append(watch("SOC 2", member=first))
            beside = Beside(acme.pk, lambda: answers.append(watch("soc-2", member=second)))
        beside.wait()
        word = WatchedWord.objects.get()
        assert answers == [(word, True), (word, False)]
        assert set(Follower.objects.values_list("user_id", flat=True)) == {first.user_id, second.user_id}


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_two_people_who_add_words_at_the_limit_do_not_pass_it(member, acme, monkeypatch):
    monkeypatch.setattr(watched_words, "MAX_WORDS", 1)
    first, second = (find_member(user=member(role), tenant=acme) for role in (Role.ANALYST, Role.APPROVER))

    def add_too_many() -> None:
        with pytest.raises(TooManyWords):
            watch("pentest", member=second)

    with tenant_scope(acme.pk):
        with transaction.atomic():
            watch("SOC 2", member=first)
            beside = Beside(acme.pk, add_too_many)
        beside.wait()
        assert WatchedWord.objects.get().text == "SOC 2"
