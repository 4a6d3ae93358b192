"""An @: who is meant, who is told, what it gives them to do."""

import pytest

from portal.comments import subjects
from portal.comments.models import Comment, Mention
from portal.comments.signals import mentioned
from portal.tenants.models import Role
from portal.work_items.models import WorkItem
from portal.work_items.services import catch_up
from tests.comments.conftest import PAPER, last, thread
from tests.conftest import make_user
from tests.support.members import add_member, find_member
from tests.work_items.support import kept_up

pytestmark = pytest.mark.both


@pytest.fixture
def carol(acme):
    user = make_user("carol@acme.example", "Carol Chen")
    return add_member(tenant=acme, user=user, role=Role.ANALYST)


@pytest.fixture
def told():
    """What the room that notifies people is told."""
    calls = []

    def note(sender, *, comment, membership_ids, actor, **_):
        calls.append((comment.pk, membership_ids, str(actor)))

    mentioned.connect(note)
    yield calls
    mentioned.disconnect(note)


@pytest.fixture
def alice_in(client, alice):
    client.force_login(alice)
    return client


def asked() -> list[WorkItem]:
    while catch_up(may_wait=True):
        pass
    return list(WorkItem.objects.filter(kind="comment"))


@pytest.mark.parametrize("words", ["@Carol Chen, look", "please, @carol", "(@carol@acme.example)", "@CAROL CHEN."])
def test_a_member_is_found_by_name_and_by_address(alice_in, say, carol, told, words):
    say(words)
    assert [each.user for each in Mention.objects.all()] == [carol.user]
    assert told == [(last().pk, [carol.pk], "Alice Ames")]
    assert b'<b class="mention">@' in alice_in.get(PAPER).content


@pytest.mark.parametrize("words", ["to carol@acme.example", "@carolyn", "x@Carol Chen", "@Alice Ames", "@ Carol"])
def test_nobody_else_is_told(alice_in, say, carol, told, words):
    say(words)
    assert not Mention.objects.exists()
    assert told == []


def test_a_mention_of_nobody_is_said(alice_in, say, carol):
    assert b"No one here is called @dave" in alice_in.get(say("@dave?").url).content
    assert "No one here is called @dave" in say("@dave?", headers={"HX-Request": "true"})["HX-Trigger"]


def test_two_of_one_name_have_to_be_told_apart(alice_in, say, carol, acme, told):
    other = add_member(tenant=acme, user=make_user("cc@acme.example", "Carol Chen"), role=Role.ANALYST)
    answer = say("@Carol Chen look")
    assert b"Several members are called Carol Chen" in answer.content
    assert b"@Carol Chen look</textarea>" in answer.content
    say("@cc@acme.example look")
    assert [each.user for each in Mention.objects.all()] == [other.user]


@pytest.mark.parametrize("name", ["İlker Öz", "Jörg Weiß", "Ali", "ΣΊΣΥΦΟΣ"])
@pytest.mark.parametrize("case", [str, str.upper, str.lower])
def test_letters_that_change_with_their_case_are_no_obstacle(alice_in, say, acme, told, name, case):
    other = add_member(tenant=acme, user=make_user("other@acme.example", name), role=Role.ANALYST)
    assert say(f"@{name} look").status_code == 302
    assert [each.user for each in Mention.objects.all()] == [other.user]
    for words in (case(name), name.replace("i", "ı"), name.replace("i", "İ")):
        assert say(f"@{words} look").status_code == 302


def test_who_may_not_open_the_object_is_refused_in_words(alice_in, say, carol, told, monkeypatch):
    subject = subjects.registered("contract")
    raised = type(subject)(**{**vars(subject), "role": Role.APPROVER})
    monkeypatch.setitem(subjects._subjects, "contract", raised)
    answer = say("@Carol Chen look")
    assert answer.status_code == 422
    assert b"Carol Chen can&#x27;t open this contract: that takes the Approver role." in answer.content
    assert not Comment.objects.exists()
    assert told == []


def test_s1_members_of_other_tenants_are_nobody(alice_in, say, mallory, globex, told):
    say("@Mallory Moss @mallory@globex.example")
    assert not Mention.objects.exists()
    assert b"Mallory" not in alice_in.get(f"{thread('contract', 'paper-1')}people/?q=mal").content


def test_an_edit_tells_only_those_who_are_new(alice_in, say, carol, told, member):
    approver = find_member(user=member(Role.APPROVER))
    say("@Carol look")
    address = f"/t/acme/comments/{last().pk}/edit/"
    alice_in.post(address, {"body": "@Carol and @approver@acme.example look"})
    assert [ids for _, ids, _ in told] == [[carol.pk], [approver.pk]]
    alice_in.post(address, {"body": "@approver@acme.example look"})
    assert [each.user for each in Mention.objects.all()] == [approver.user]
    assert len(told) == 2


def test_members_are_offered_as_one_types(alice_in, objects, carol, bob):
    path = f"{thread('contract', 'paper-1')}people/"
    assert b'data-name="Carol Chen"' in alice_in.get(f"{path}?q=ch").content
    assert alice_in.get(f"{path}?q=").content.count(b'role="option"') == 3
    assert b"option" not in alice_in.get(f"{path}?q=zz").content
    alice_in.force_login(bob)
    assert alice_in.get(path).status_code == 403


def test_a_mention_is_work_until_it_is_answered(alice_in, say, carol, alice):
    say("@Carol Chen, which clause?")
    (item,) = asked()
    assert (item.owner_id, item.asked_by_id) == (carol.user_id, alice.pk)
    alice_in.force_login(carol.user)
    today = alice_in.get("/t/acme/").content
    assert b"Northwind MSA" in today
    assert b"Asked in a comment by Alice Ames" in today
    assert b"/t/acme/contracts/paper-1/#comments" in today
    say("Clause 7")
    assert asked() == []
    kept_up()


def test_a_mention_is_work_until_it_is_resolved_in_the_row(alice_in, say, carol):
    say("@Carol Chen, which clause?")
    (item,) = asked()
    alice_in.force_login(carol.user)
    answer = alice_in.post(f"/t/acme/today/{item.pk}/resolve/", follow=True)
    assert b"Resolved the comment by Alice Ames" in answer.content
    assert last().resolved_by_name == "Carol Chen"
    assert asked() == []


def test_deleting_the_comment_or_leaving_takes_the_work_away(alice_in, say, carol, bob):
    say("@Carol Chen, which clause?")
    assert asked()
    alice_in.post(f"/t/acme/comments/{last().pk}/delete/")
    assert asked() == []
    say("@Carol Chen, and the notice?")
    assert asked()
    carol.delete()
    assert asked() == []
    assert last().body.startswith("@Carol")
    # A viewer can neither answer nor resolve: they are told, and have nothing to do.
    say("@viewer@acme.example fyi")
    assert last().mentions.get().user == bob
    assert asked() == []


def test_who_left_stays_named(alice_in, say, carol):
    alice_in.force_login(carol.user)
    say("I wrote this")
    carol.user.delete()
    alice_in.force_login(find_member(role=Role.OWNER, tenant__slug="acme").user)
    assert b"Carol Chen" in alice_in.get(PAPER).content
    assert last().author is None
