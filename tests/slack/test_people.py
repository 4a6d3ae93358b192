"""Whose press counts: members, by an address that Slack and the portal have both proven, and no more than on the page."""

import pytest
from allauth.account.models import EmailAddress

from portal.access_requests.models import Decision
from portal.tenants.models import Role
from tests.slack.conftest import ALICE, STRANGER, hand_in, press, tell_team
from tests.slack.stand_in import WORKSPACE
from tests.support.members import find_member

pytestmark = pytest.mark.usefixtures("app")

NOBODY = "Your Slack email isn't one that a member of this tenant has verified in the portal."


@pytest.fixture
def asked(desk):
    tell_team(desk.waiting)


def refused(client, slack, *, user=STRANGER):
    """Press Approve as somebody who may not; return what they are told, and nobody else."""
    slack.dialogs.clear()
    slack.whispers.clear()
    assert press(client, slack, "approve", user=user).status_code == 200
    assert slack.dialogs == []
    [whisper] = slack.whispers
    assert whisper["user"] == user
    assert not Decision.objects.exists()
    return whisper["blocks"][0]["text"]["text"].partition("\n")[2]


def test_s13_whom_slack_does_not_vouch_for_is_nobody(client, slack, asked, alice):
    wrong = [
        {"team_id": "T0OTHER"},
        {"team_id": None},
        {"is_email_confirmed": False},
        {"is_email_confirmed": None},
        {"deleted": True},
        {"is_bot": True},
        {"is_stranger": True},
        {"is_restricted": True},
        {"is_ultra_restricted": True},
        {"profile": {}},
        {"profile": None},
        {"profile": {"email": 7}},
        {"profile": {"email": ""}},
    ]
    for changes in wrong:
        slack.knows(STRANGER, alice.email, **changes)
        assert refused(client, slack) == NOBODY, changes
    slack.users.pop(STRANGER)
    assert refused(client, slack) == NOBODY


def test_s13_an_address_that_was_not_proven_here_is_nobodys(client, slack, asked, alice):
    slack.knows(STRANGER, alice.email)
    EmailAddress.objects.filter(user=alice).update(verified=False)
    assert refused(client, slack) == NOBODY


def test_s7_members_of_other_tenants_and_accounts_that_were_shut_are_nobody(client, slack, asked, alice, mallory):
    slack.knows(STRANGER, mallory.email)
    assert refused(client, slack) == NOBODY
    slack.knows(STRANGER, alice.email)
    alice.is_active = False
    alice.save()
    assert refused(client, slack) == NOBODY


def test_s7_a_role_that_may_not_decide_on_the_page_may_not_here(client, slack, asked, bob):
    member = find_member(user=bob)
    slack.knows(STRANGER, bob.email)
    assert refused(client, slack) == "You need the Approver role to decide access requests."
    member.role = Role.APPROVER
    member.save()
    press(client, slack, "approve", user=STRANGER)
    assert len(slack.dialogs) == 1


def test_s16_what_the_tenant_requires_of_its_people_holds_here_too(client, slack, asked, acme):
    acme.requires_second_factor = True
    acme.save()
    assert "requires a second factor" in refused(client, slack, user=ALICE)
    acme.requires_second_factor, acme.required_provider = False, "acme-idp"
    acme.save()
    assert "requires company sign-in" in refused(client, slack, user=ALICE)


def test_who_lost_the_right_while_the_dialog_was_open_decides_nothing(client, slack, asked, me):
    press(client, slack, "approve")
    me.role = Role.VIEWER
    me.save()
    answer = hand_in(client, slack.dialogs[0])
    assert answer["response_action"] == "update"
    assert "You need the Approver role" in answer["view"]["blocks"][0]["text"]["text"]
    assert not Decision.objects.exists()


def test_slack_that_does_not_say_who_it_was_decides_nothing(client, slack, asked):
    slack.refuses["users.info"] = "missing_scope"
    assert press(client, slack, "approve").status_code == 502
    assert (slack.dialogs, slack.whispers) == ([], [])
    assert not Decision.objects.exists()
    assert slack.users[ALICE]["team_id"] == WORKSPACE
