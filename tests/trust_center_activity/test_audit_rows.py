"""Guarantee R8: each change of the watched words leaves its audit row."""

import pytest

from portal.tenants.models import Membership
from portal.trust_center_activity import services
from tests.support.audit import recorded
from tests.support.members import find_member
from tests.trust_center_activity.conftest import PAGE
from tests.trust_center_activity.test_words import ask

ALICE = "Alice Ames"


@pytest.fixture
def member(scoped, alice) -> Membership:
    return find_member(user=alice)


def test_r8_words_from_the_first_to_the_last(member):
    with recorded("activity.watch", "activity.unfollow", "activity.follow", by=ALICE):
        word, _ = services.watch("SOC 2", member=member)
        for _ in range(2):
            services.unfollow(word, member=member)
        for _ in range(2):
            services.follow(word, member=member)
    with recorded("activity.unwatch", by=ALICE):
        services.unwatch(word, member=member)


def test_r8_what_was_seen_for_everybody(member, center):
    word, _ = services.watch("uptime", member=member)
    ask(center, "What is your uptime?")
    with recorded("activity.seen", by=ALICE):
        for _ in range(2):
            services.mark_seen(word, member=member)


def test_r8_a_file_that_was_taken(client, alice, member):
    client.force_login(alice)
    with recorded("activity.export", by=ALICE):
        assert client.post(f"{PAGE}activity/export/").status_code == 200
    with recorded("conversation.export", by=ALICE):
        assert client.post(f"{PAGE}conversations/export/").status_code == 200
