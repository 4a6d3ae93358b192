"""S13: an account belongs to who proved its address; nobody becomes a member but by the link that went there."""

from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.test import Client
from django.utils import timezone

from portal.audit.models import Entry
from portal.members.models import Invitation
from portal.members.services import invitations
from portal.members.services.invitations import LIFETIME, RESEND_PAUSE, digest_of
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from portal.users.models import User
from tests.conftest import PASSWORD, make_user
from tests.support.mails import code_in, mails_to, path_in
from tests.support.members import find_member, remove_members, role_of

PAGE = "/t/acme/settings/members/"
NEW = "new@acme.example"
THEIRS = "the words of somebody else"


@pytest.fixture
def owner(alice, acme) -> Client:
    client = Client()
    client.force_login(alice)
    return client


@pytest.fixture
def invite(owner, mailoutbox):
    """Invite an address through the page; return the path of the link in the mail."""

    def invited(email: str = NEW, role: Role = Role.ANALYST) -> str:
        owner.post(f"{PAGE}invite/", {"email": email, "role": role})
        return path_in(mails_to(email.lower(), mailoutbox)[-1])

    return invited


def sign_up(client: Client, password: str = PASSWORD, email: str = NEW) -> None:
    client.post("/accounts/signup/", {"email": email, "name": "New Person", "password1": password})


def sign_in(client: Client, password: str, email: str = NEW):
    return client.post("/accounts/login/", {"login": email, "password": password})


def acme_role(email: str) -> int | None:
    return role_of(Tenant.objects.get(slug="acme"), email)


def confirm(client: Client, code: str):
    return client.post("/accounts/confirm-email/", {"code": code})


def every_invitation() -> list[Invitation]:
    with all_tenants("this test"):
        return list(Invitation.objects.all())


def open_invitations() -> int:
    return len(every_invitation())


def join(person: Client, name: str = "New Person", password: str = PASSWORD):
    return person.post("/invitation/", {"name": name, "password": password, "timezone": "Europe/Berlin"})


def test_s19_one_link_one_name_and_one_password_make_a_member(invite, mailoutbox, acme):
    link, person = invite("New@Acme.example"), Client()
    assert person.get(link)["Location"] == "/invitation/"
    assert join(person)["Location"] == "/t/acme/"
    assert acme_role(NEW) == Role.ANALYST
    assert person.get("/t/acme/").status_code == 200
    assert len(mails_to(NEW, mailoutbox)) == 1
    user = User.objects.get(email=NEW)
    assert (user.name, user.timezone) == ("New Person", "Europe/Berlin")
    assert open_invitations() == 0
    assert sign_in(Client(), PASSWORD)["Location"] == "/", "the link has proven the address"


def test_s19_a_weak_password_joins_nobody(invite, acme):
    link, person = invite(), Client()
    person.get(link)
    answer = join(person, password="aaaaaaaaaaaa")
    assert (answer.status_code, "repeated characters" in answer.content.decode()) == (422, True)
    assert not User.objects.filter(email=NEW).exists()


def test_s19_who_is_registered_is_asked_first_and_may_say_no(invite, owner, mallory, acme):
    link, person = invite(mallory.email), Client()
    person.get(link)
    page = person.get("/invitation/").content.decode()
    assert "Sign in to accept" in page
    assert mallory.name not in page
    assert join(person).status_code == 200, "an account that is there is not made anew"
    mallory.refresh_from_db()
    assert (mallory.name, mallory.check_password(PASSWORD)) == ("Mallory Moss", True)
    person.force_login(mallory)
    person.get(link)
    assert "You're invited to Acme" in person.get("/invitation/").content.decode()
    assert acme_role(mallory.email) is None
    assert "did not join" in person.post("/invitation/decline/").content.decode()
    assert (acme_role(mallory.email), open_invitations()) == (None, 0)
    assert person.get(link).status_code == 404
    with tenant_scope(acme.pk):
        assert Entry.objects.filter(action="member.decline", actor=mallory).count() == 1


def test_s13_what_was_set_up_before_the_link_is_worth_nothing(invite, mailoutbox, acme):
    thief, person = Client(), Client()
    sign_up(thief, THEIRS)
    Authenticator.objects.create(user=User.objects.get(email=NEW), type=Authenticator.Type.TOTP, data={})
    person.get(invite())
    assert join(person)["Location"] == "/t/acme/"
    user = User.objects.get(email=NEW)
    assert (user.name, Authenticator.objects.filter(user=user).exists()) == ("New Person", False)
    assert sign_in(Client(), THEIRS).status_code == 200
    assert thief.get("/t/acme/").status_code == 302


def test_s13_a_sign_up_that_waits_for_its_code_does_not_go_on_once_another_has_proven_the_address(invite, mailoutbox, acme):
    thief, person = Client(), Client()
    sign_up(thief, THEIRS)
    person.get(invite())
    join(person)
    thief.get("/accounts/confirm-email/")
    confirm(thief, code_in(mails_to(NEW, mailoutbox)[0]))
    thief.post("/accounts/confirm-email/", {"action": "resend"})
    for page in (
        "/accounts/login/",
        "/accounts/signup/",
        "/accounts/confirm-email/",
        "/accounts/2fa/authenticate/",
        "/invitation/",
    ):
        thief.get(page)
    assert thief.get("/t/acme/")["Location"].startswith("/accounts/login/")
    assert thief.get("/accounts/profile/").status_code == 302


def test_s13_whoever_signed_up_with_the_address_of_another_gets_nothing_of_the_invitation(invite, mailoutbox, acme):
    thief, person = Client(), Client()
    sign_up(thief, THEIRS)
    link = invite()
    thief.get("/invitation/")
    # The person proves the address in a browser of their own: with the reset link, as the account is there already.
    person.get(link)
    sign_up(person)
    reset = path_in(mails_to(NEW, mailoutbox)[-1])
    assert reset == "/accounts/password/reset/"
    person.post(reset, {"email": NEW})
    form = person.get(path_in(mails_to(NEW, mailoutbox)[-1]), follow=True).request["PATH_INFO"]
    person.post(form, {"password1": PASSWORD, "password2": PASSWORD})
    assert acme_role(NEW) is None
    assert confirm(person, code_in(mails_to(NEW, mailoutbox)[-1]))["Location"] == "/invitation/"
    assert person.post("/invitation/")["Location"] == "/t/acme/"
    assert acme_role(NEW) == Role.ANALYST

    assert thief.get("/t/acme/").status_code == 302
    assert thief.get("/accounts/confirm-email/").status_code in (200, 302)
    confirm(thief, code_in(mails_to(NEW, mailoutbox)[-1]))
    thief.post("/accounts/confirm-email/", {"action": "resend"})
    assert thief.get("/t/acme/")["Location"].startswith("/accounts/login/")
    assert sign_in(Client(), THEIRS).status_code == 200, "their password is worth nothing"
    assert sign_in(Client(), PASSWORD)["Location"] == "/"


@pytest.mark.parametrize("is_invited_first", [True, False])
def test_s13_an_account_that_proved_nothing_is_let_in_nowhere(invite, mailoutbox, is_invited_first):
    thief, link = Client(), invite() if is_invited_first else ""
    sign_up(thief, THEIRS)
    link = link or invite()
    thief.get(link)  # even with the link
    assert thief.post("/invitation/").status_code == 422, "it asks for a new password, and ends the one before"
    sign_in(thief, THEIRS)
    thief.post("/invitation/")
    assert acme_role(NEW) is None
    assert not EmailAddress.objects.filter(email=NEW, verified=True).exists()
    assert open_invitations() == 1


def test_s13_no_link_proves_an_address(db, mailoutbox):
    """A code is typed where somebody signed up. A link would prove it for whoever set the password, opened by whomever."""
    sign_up(Client())
    [message] = mails_to(NEW, mailoutbox)
    assert "://" not in message.body
    assert code_in(message)


def test_s13_a_reset_ends_every_session_and_the_password_before_it(alice, mailoutbox, acme, client):
    before = Client()
    sign_in(before, PASSWORD, alice.email)
    assert before.get("/t/acme/").status_code == 200
    client.post("/accounts/password/reset/", {"email": alice.email})
    form = client.get(path_in(mailoutbox[-1]), follow=True).request["PATH_INFO"]
    client.post(form, {"password1": THEIRS, "password2": THEIRS})
    assert before.get("/t/acme/").status_code == 302
    assert sign_in(Client(), PASSWORD, alice.email).status_code == 200


def test_s13_a_link_works_once(invite, mallory, acme):
    link, person = invite(mallory.email), Client()
    person.force_login(mallory)
    person.get(link)
    assert person.post("/invitation/")["Location"] == "/t/acme/"
    assert person.get(link).status_code == 404
    assert person.post("/invitation/").status_code == 404
    remove_members(user=mallory, tenant=acme)
    again = Client()
    again.force_login(mallory)
    assert again.get(link).status_code == 404
    assert acme_role(mallory.email) is None


def test_s13_a_forwarded_link_lets_nobody_else_in(invite, mallory):
    link, person = invite(), Client()
    person.force_login(mallory)
    person.get(link)
    for answer in (person.get("/invitation/"), person.post("/invitation/")):
        assert answer.status_code == 403
        assert "for another address" in answer.content.decode()
    assert acme_role(mallory.email) is None
    assert open_invitations() == 1


def test_s13_an_address_that_is_not_proven_yet_does_not_count(invite, mallory):
    EmailAddress.objects.create(user=mallory, email=NEW, verified=False)
    link, person = invite(), Client()
    person.force_login(mallory)
    person.get(link)
    assert person.post("/invitation/").status_code == 403
    EmailAddress.objects.filter(email=NEW).update(verified=True)
    assert person.post("/invitation/")["Location"] == "/t/acme/"


def test_s13_an_expired_link_is_refused_in_words(invite, mallory):
    link, person = invite(mallory.email), Client()
    with time_machine.travel(timezone.now() + LIFETIME + timedelta(seconds=1)):
        person.force_login(mallory)
        person.get(link)
        for answer in (person.get("/invitation/"), person.post("/invitation/")):
            assert (answer.status_code, "has expired" in answer.content.decode()) == (410, True)
    assert acme_role(mallory.email) is None


def test_s13_a_withdrawn_and_a_replaced_link_are_refused(invite, owner, mallory, mailoutbox, acme):
    first, person = invite(mallory.email), Client()
    person.force_login(mallory)
    person.get(first)
    with tenant_scope(acme.pk):
        key = Invitation.objects.get().pk
    owner.post(f"{PAGE}invitations/{key}/resend/")
    assert len(mails_to(mallory.email, mailoutbox)) == 1, "not twice within a minute"
    with time_machine.travel(timezone.now() + RESEND_PAUSE + timedelta(seconds=1)):
        owner.post(f"{PAGE}invitations/{key}/resend/")
        second = path_in(mails_to(mallory.email, mailoutbox)[-1])
        assert person.post("/invitation/").status_code == 404
        assert person.get(first).status_code == 404
        assert person.get(second)["Location"] == "/invitation/"
        owner.post(f"{PAGE}invitations/{key}/withdraw/")
        assert person.post("/invitation/").status_code == 404
        assert person.get(second).status_code == 404
    assert acme_role(mallory.email) is None


def test_s13_inviting_somebody_tells_nobody_whether_they_are_registered(owner, mallory, mailoutbox, acme):
    pages = []
    for email in (mallory.email, NEW):
        answer = owner.post(f"{PAGE}invite/", {"email": email, "role": Role.ANALYST}, follow=True)
        assert mallory.name not in answer.content.decode()
        [row] = [row for row in answer.context["invitations"] if row.email == email]
        pages.append(
            (answer.status_code, row.is_expired, [str(each).replace(email, "…") for each in answer.context["messages"]])
        )
    assert pages[0] == pages[1]
    bodies = [mails_to(email, mailoutbox)[-1].body.replace(email, "…").partition("http")[0] for email in (mallory.email, NEW)]
    assert bodies[0] == bodies[1]
    assert acme_role(mallory.email) is None


def test_s13_every_step_of_an_invitation_has_its_audit_row(invite, owner, mallory, acme):
    link, person = invite(mallory.email), Client()
    with time_machine.travel(timezone.now() + RESEND_PAUSE + timedelta(seconds=1)):
        invite(NEW)
    with tenant_scope(acme.pk):
        new = Invitation.objects.get(email=NEW).pk
    with time_machine.travel(timezone.now() + 3 * RESEND_PAUSE):
        owner.post(f"{PAGE}invitations/{new}/resend/")
        owner.post(f"{PAGE}invitations/{new}/withdraw/")
    person.force_login(mallory)
    person.get(link)
    person.post("/invitation/")
    with tenant_scope(acme.pk):
        entries = set(Entry.objects.filter(target_kind="member").values_list("action", "target_id", "actor__email"))
    assert entries == {
        ("member.invite", mallory.email, "alice@acme.example"),
        ("member.invite", NEW, "alice@acme.example"),
        ("member.resend", NEW, "alice@acme.example"),
        ("member.withdraw", NEW, "alice@acme.example"),
        ("member.accept", mallory.email, mallory.email),
    }


def test_s13_the_token_is_nowhere_but_in_the_mail(invite, owner, acme):
    token = invite().rstrip("/").rpartition("/")[2]
    person = Client()
    person.get(f"/invitation/{token}/")
    with tenant_scope(acme.pk):
        kept = Invitation.objects.values().get()
    assert token not in str(kept)
    assert token not in str(dict(person.session))
    assert token not in owner.get(PAGE).content.decode()


def test_an_invitation_above_the_own_role_is_left_alone(invite, member, acme, mailoutbox):
    invite(role=Role.OWNER)
    admin = Client()
    admin.force_login(member(Role.ADMIN))
    with tenant_scope(acme.pk):
        key = Invitation.objects.get().pk
    with time_machine.travel(timezone.now() + 3 * RESEND_PAUSE):
        for step in (f"invitations/{key}/withdraw/", f"invitations/{key}/resend/"):
            admin.post(f"{PAGE}{step}")
        admin.post(f"{PAGE}invite/", {"email": NEW, "role": Role.VIEWER})
    with tenant_scope(acme.pk):
        assert Invitation.objects.get().role == Role.OWNER
    assert len(mails_to(NEW, mailoutbox)) == 1


@pytest.mark.parametrize(("step", "form"), [("remove", {}), ("role", {"role": Role.ADMIN})])
def test_s13_what_somebody_has_offered_ends_with_the_power_to_offer_it(invite, member, acme, mailoutbox, step, form):
    other, mine = Client(), "private@elsewhere.example"
    other.force_login(member(Role.OWNER))
    other.post(f"{PAGE}invite/", {"email": mine, "role": Role.OWNER})
    other.post(f"{PAGE}invite/", {"email": NEW, "role": Role.ANALYST})
    owner, key = Client(), find_member(user=User.objects.get(email="owner@acme.example")).pk
    owner.force_login(User.objects.get(email="alice@acme.example"))
    owner.post(f"{PAGE}{key}/{step}/", form)
    link = path_in(mails_to(mine, mailoutbox)[-1])
    assert Client().get(link).status_code == 404
    with tenant_scope(acme.pk):
        assert [each.email for each in Invitation.objects.all()] == ([NEW] if step == "role" else [])
        assert Entry.objects.filter(action="member.withdraw", target_id=mine).count() == 1


def test_s13_inviting_again_mails_nobody_twice_within_a_minute(invite, owner, mailoutbox):
    invite()
    answer = owner.post(f"{PAGE}invite/", {"email": NEW, "role": Role.VIEWER}, follow=True)
    assert "was sent less than a minute ago" in answer.content.decode()
    assert len(mails_to(NEW, mailoutbox)) == 1
    assert "alice@acme.example" in mails_to(NEW, mailoutbox)[0].body


def test_s9_inviting_fills_nobodys_mailbox_however_it_is_taken_back_and_from_whichever_tenant(owner, alice, mailoutbox):
    owner.post("/tenants/new/", {"name": "Second"})
    for number in range(8):
        slug = ("acme", "second")[number % 2]
        owner.post(f"/t/{slug}/settings/members/invite/", {"email": NEW.title(), "role": Role.VIEWER})
        for invitation in every_invitation():
            owner.post(f"/t/{slug}/settings/members/invitations/{invitation.pk}/withdraw/")
    assert len(mails_to(NEW, mailoutbox)) == 5
    owner.post("/tenants/import/create/", {"lines": f"name,owner email\nThird,{NEW}\n"})
    assert len(mails_to(NEW, mailoutbox)) == 5
    owner.post(f"{PAGE}invite/", {"email": "other@acme.example", "role": Role.VIEWER})
    assert len(mails_to("other@acme.example", mailoutbox)) == 1, "others are invited meanwhile"


def test_a_member_is_not_invited_again(owner, bob, mailoutbox):
    owner.post(f"{PAGE}invite/", {"email": bob.email, "role": Role.ADMIN})
    assert mailoutbox == []
    assert acme_role(bob.email) == Role.VIEWER


def test_an_invitation_whose_mail_was_not_taken_stays_and_says_so(owner, monkeypatch, acme):
    def refuse(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("portal.members.form_actions.send_mail", refuse)
    page = owner.post(f"{PAGE}invite/", {"email": NEW, "role": Role.ANALYST}, follow=True)
    assert [message.level_tag for message in page.context["messages"]] == ["error"]
    assert open_invitations() == 1


def test_a_known_member_who_was_invited_by_another_address_keeps_the_role(invite, bob):
    EmailAddress.objects.create(user=bob, email=NEW, verified=True)
    link, person = invite(role=Role.ADMIN), Client()
    person.force_login(bob)
    person.get(link)
    person.post("/invitation/")
    assert acme_role(bob.email) == Role.VIEWER
    assert User.objects.filter(email=NEW).first() is None


def test_nobody_joins_a_tenant_that_was_deleted(invite, acme):
    make_user(NEW, "New")
    link, person = invite(), Client()
    person.force_login(User.objects.get(email=NEW))
    person.get(link)
    acme.closed_at = timezone.now()
    acme.save()
    assert person.post("/invitation/").status_code == 404
    assert acme_role(NEW) is None


def test_nobody_joins_a_tenant_that_is_deleted_while_the_link_is_used(invite, acme, monkeypatch):
    person = make_user(NEW, "New")
    digest = digest_of(invite().rsplit("/", 2)[-2])
    find = invitations.find_invitation

    def find_before_the_end(token_digest: str) -> Invitation | None:
        found = find(token_digest)
        Tenant.objects.filter(pk=acme.pk).update(closed_at=timezone.now())
        return found

    monkeypatch.setattr(invitations, "find_invitation", find_before_the_end)
    with pytest.raises(invitations.NotValid):
        invitations.accept(digest, user=person)
    assert acme_role(NEW) is None
