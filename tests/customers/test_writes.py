"""Creating, changing and deleting customers on the platform: who may, what is sent, what an answer that was lost comes to."""

import json
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.accounts.models import Account
from portal.accounts.services import store_account
from portal.audit.models import Entry
from portal.connections.models import Connection
from portal.connections.signals import connected
from portal.customers import services
from portal.customers.custom_fields import pairs_of
from portal.customers.models import NewCustomer, Step
from portal.customers.services import CustomerChange, NewAccount
from portal.platform_api.models import Account as RemoteAccount
from portal.sync.models import StaleMark
from portal.tenants.models import Membership, Role
from tests.customers.conftest import CALL, PAGE, let_pass, make_account, typed, words, work
from tests.support.contrary_writes import show_no_change
from tests.support.members import find_member


def create(client, **fields):
    return client.post(f"{PAGE}new/", typed(**fields), follow=True)


def edit_form(account: Account, **changes) -> dict:
    seen = account.updated_at.isoformat() if account.updated_at else ""
    pairs = pairs_of(account)
    fields = {"custom_fields-left": [label for label, _ in pairs], "custom_fields-right": [text for _, text in pairs]}
    return {"name": account.name, "domain": account.domain, "seen": seen} | fields | changes


def test_a_new_customer_is_on_the_platform_and_here(client, owner, desk):
    page = create(
        client,
        domain=" @Initech.Example ",
        approval="INCLUDE_ONLY_CONFIGURED",
        is_nda_waived="on",
        **{"custom_fields-left": ["Tier", ""], "custom_fields-right": ["Gold", ""]},
    )
    assert "Created Initech on the platform." in words(page)
    [there] = desk.there("Initech")
    assert there["emailDomain"] == "initech.example"
    assert there["ndaDetails"]["ndaStatus"] == "NOT_REQUIRED"
    assert there["accessConfig"] == {"autoApprovalEnabled": True, "grantAccessOption": "INCLUDE_ONLY_CONFIGURED"}
    assert there["customFields"] == [{"label": "Tier", "value": "Gold"}]
    account = Account.objects.get(platform_id=there["id"])
    assert (account.name, account.domain, account.approves_itself) == ("Initech", "initech.example", True)
    [entry] = Entry.objects.filter(action="customer.create")
    assert (entry.target_id, entry.actor) == (account.platform_id, owner.user)
    assert "Created Initech on the platform" in words(page)


def test_what_is_not_said_is_not_sent(client, owner, desk):
    create(client)
    [there] = desk.there("Initech")
    assert (there["accessConfig"], there["ndaDetails"]["ndaStatus"]) == (None, "INCOMPLETE")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": " "}, "This field is required"),
        ({"domain": "no domain"}, "Enter an email domain"),
        ({"domain": "http://initech.example/"}, "Enter an email domain"),
        ({"domain": "freemail.example", "approval": "INCLUDE_ONLY_CONFIGURED"}, "everyone would be approved"),
        ({"custom_fields-left": ["Tier"], "custom_fields-right": [""]}, "“Tier” has a label and no value"),
    ],
)
def test_what_cannot_be_right_is_said_before_anything_is_sent(client, owner, desk, fields, said):
    answer = client.post(f"{PAGE}new/", typed(**fields))
    assert answer.status_code == 422
    assert said in words(answer)
    assert "Nothing was created" in words(answer)
    assert desk.calls("POST") == 0


def test_a_second_customer_of_a_domain_needs_a_word(client, owner, desk):
    taken = desk.first
    answer = client.post(f"{PAGE}new/", typed(domain=taken.domain))
    assert answer.status_code == 422
    assert f"This is the email domain of {taken}" in words(answer).replace("&amp;", "&")
    assert desk.calls("POST") == 0
    create(client, domain=taken.domain, is_second="on")
    assert len(desk.there("Initech")) == 1


def test_a_refusal_is_said_beside_its_field_and_nothing_typed_is_lost(client, owner, desk, sandbox):
    answer = client.post(f"{PAGE}new/", typed(name="x" * 300, domain=f"{'y' * 280}.example"))
    if answer.status_code == 302:  # the sandbox takes long names: let it refuse one
        sandbox.fail("status", value=400, method="POST", path=CALL, times=1)
        answer = client.post(f"{PAGE}new/", typed())
    assert answer.status_code == 422
    assert "The platform rejected this" in words(answer)
    assert 'value="Initech"' in words(answer)
    assert NewCustomer.objects.filter(state=Step.REFUSED).count() == 1
    assert Entry.objects.filter(action="customer.refused").count() == 1
    # And it may be tried again.
    create(client)
    assert len(desk.there("Initech")) == 1


@pytest.mark.parametrize(
    ("status", "said"), [(403, "does not cover customers"), (429, "asks us to wait"), (422, "The platform rejected this")]
)
def test_every_refusal_has_its_words(client, owner, desk, sandbox, status, said):
    sandbox.fail("status", value=status, method="POST", path=CALL)
    answer = client.post(f"{PAGE}new/", typed())
    assert answer.status_code == 422
    assert said in words(answer)
    assert desk.there("Initech") == []


def test_without_a_connection_nothing_is_sent_and_the_page_says_so(client, owner):
    answer = client.post(f"{PAGE}new/", typed())
    assert answer.status_code == 422
    assert "not connected" in words(answer)
    assert not NewCustomer.objects.exists()


def test_w1_a_customer_whose_answer_was_lost_is_found_and_never_created_twice(client, owner, desk, sandbox):
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    page = create(client)
    assert "did not confirm Initech" in words(page)
    assert "Being checked" in words(page)
    # Whoever is impatient and sends it again is told.
    assert "already being created" in words(create(client))
    work()
    creation = NewCustomer.objects.get()
    assert creation.state == Step.CREATED
    assert [each["id"] for each in desk.there("Initech")] == [creation.account_id]
    assert Account.objects.get(name="Initech").platform_id == creation.account_id
    assert desk.calls("POST") == 1
    assert Entry.objects.filter(action="customer.create", actor=owner.user).count() == 1
    work()
    assert Entry.objects.filter(action="customer.create").count() == 1


def test_w1_an_answer_that_cannot_be_read_is_looked_for(client, owner, desk, sandbox):
    sandbox.fail("html", method="POST", path=CALL, times=1)
    create(client)
    work()
    let_pass(90)
    work()
    assert NewCustomer.objects.get().state in (Step.CREATED, Step.ABSENT)
    assert desk.calls("POST") == 1


def test_w1_one_that_did_not_arrive_is_told_and_may_be_created_again(client, owner, desk, sandbox):
    sandbox.fail("status", value=503, method="POST", path=CALL, times=1)
    create(client, approval="INCLUDE_ONLY_CONFIGURED", **{"custom_fields-left": ["Tier"], "custom_fields-right": ["Gold"]})
    creation = NewCustomer.objects.get()
    if creation.state == Step.UNCERTAIN:
        work()
        assert NewCustomer.objects.get().state == Step.UNCERTAIN  # the platform may still be at work
        let_pass(61)
        work()
    creation.refresh_from_db()
    assert creation.state == Step.ABSENT
    assert desk.there("Initech") == []
    assert "Did not arrive" in words(client.get(PAGE))
    form = words(client.get(f"{PAGE}new/?again={creation.pk}"))
    assert 'value="Initech"' in form
    assert 'value="Gold"' in form
    assert '<option value="INCLUDE_ONLY_CONFIGURED" selected>' in form
    client.post(f"{PAGE}new/?again={creation.pk}", typed())
    assert len(desk.there("Initech")) == 1
    assert "Did not arrive" not in words(client.get(PAGE))


@pytest.mark.parametrize(("status", "then"), [(400, "Did not arrive"), (429, "Did not arrive"), (200, "")])
def test_w1_one_that_did_not_arrive_is_told_until_it_was_created_again(client, owner, desk, sandbox, status, then):
    creation = NewCustomer.objects.create(
        name="Initech", domain="initech.example", key="k", state=Step.ABSENT, settled_at=timezone.now()
    )
    if status != 200:
        sandbox.fail("status", value=status, method="POST", path=CALL, times=1)
    client.post(f"{PAGE}new/?again={creation.pk}", typed())
    creation.refresh_from_db()
    assert creation.state == (Step.ABSENT if then else Step.CLOSED)
    assert ("Did not arrive" in words(client.get(PAGE))) == bool(then)


def test_w1_one_that_is_created_again_and_whose_answer_is_lost_is_told_once(client, owner, desk, sandbox):
    creation = NewCustomer.objects.create(
        name="Initech", domain="initech.example", key="k", state=Step.ABSENT, settled_at=timezone.now()
    )
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    client.post(f"{PAGE}new/?again={creation.pk}", typed())
    creation.refresh_from_db()
    assert creation.state == Step.CLOSED
    assert [row.state for row in NewCustomer.objects.shown(timezone.now())] == [Step.UNCERTAIN]


def test_w1_what_waited_for_a_connection_is_looked_for_with_the_next_one(scoped, desk):
    now = timezone.now()
    common = {"name": "Lost", "domain": "lost.example", "sent_at": now, "doubted_at": now, "due_at": now + timedelta(hours=1)}
    waiting = NewCustomer.objects.create(key="a", state=Step.UNCERTAIN, **common)
    sending = NewCustomer.objects.create(key="b", state=Step.SENDING, **common)
    connected.send(Connection, tenant_id=scoped.pk)
    assert services.due_creations() == [(scoped.pk, waiting.pk)]
    sending.refresh_from_db()
    assert sending.due_at > timezone.now(), "what is being sent right now is left to whoever sends it"


def test_one_that_did_not_arrive_can_be_put_away(client, owner, desk):
    creation = NewCustomer.objects.create(
        name="Lost", domain="lost.example", key="k", state=Step.ABSENT, settled_at=timezone.now()
    )
    assert "Lost: not on the platform" in words(client.get(PAGE))
    client.post(f"{PAGE}new/{creation.pk}/put-away/")
    assert "Lost" not in words(client.get(PAGE, follow=True)).replace("Dismissed Lost", "")


def test_w1_a_worker_that_died_in_the_call_leaves_one_that_is_looked_for(client, owner, desk):
    there = RemoteAccount.read(desk.there()[0])
    creation = NewCustomer.objects.create(
        name=there.name,
        domain=there.email_domain,
        key="k",
        sent_at=there.created_date,
        due_at=timezone.now(),
        begun_by=owner.user,
    )
    work()
    creation.refresh_from_db()
    assert (creation.state, creation.account_id) == (Step.CREATED, there.id)


def test_an_account_that_was_there_before_is_not_taken_for_the_new_one(client, owner, desk):
    there = RemoteAccount.read(desk.there()[0])
    creation = NewCustomer.objects.create(
        name=there.name,
        domain=there.email_domain,
        key="k",
        sent_at=there.created_date,
        due_at=timezone.now(),
        seen_before=[there.id],
        state=Step.UNCERTAIN,
    )
    let_pass(61)
    NewCustomer.objects.update(doubted_at=timezone.now() - timedelta(seconds=61))
    work()
    creation.refresh_from_db()
    assert creation.state == Step.ABSENT


def spoil_another(desk) -> None:
    """Make a customer that was there before, and that the same search finds, larger than any can be."""
    desk.change_there(desk.first, name="Initech Holding", notes="x" * 1_100_000)
    Account.objects.update(created_at=timezone.now() - timedelta(days=30))


def test_q14_a_new_customer_is_found_beside_one_that_cannot_be_read(client, owner, desk, sandbox):
    spoil_another(desk)
    Account.objects.update(created_at=None)
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    create(client)
    work()
    assert NewCustomer.objects.get().state == Step.CREATED


@pytest.mark.parametrize(("is_known", "state"), [(True, Step.ABSENT), (False, Step.UNCERTAIN)])
def test_q14_only_what_may_be_the_new_customer_keeps_it_from_being_absent(client, owner, desk, sandbox, is_known, state):
    spoil_another(desk)
    if not is_known:
        Account.objects.update(created_at=None)
    sandbox.fail("html", method="POST", path=CALL, times=1)
    create(client)
    let_pass(90)
    work()
    assert NewCustomer.objects.get().state == state


def test_only_what_changed_is_sent(client, owner, desk, wire):
    account = desk.first
    client.post(f"{PAGE}{account.platform_id}/edit/", edit_form(account, name="Renamed"))
    assert wire.sent == [{"name": "Renamed"}]
    account.refresh_from_db()
    assert account.name == "Renamed"
    [entry] = Entry.objects.filter(action="customer.change")
    assert entry.details["after"]["name"] == "Renamed"
    assert "Renamed" in words(client.get(f"{PAGE}{account.platform_id}/"))


def test_nothing_different_sends_nothing(client, owner, desk, wire):
    answer = client.post(f"{PAGE}{desk.first.platform_id}/edit/", edit_form(desk.first), follow=True)
    assert "No changes, so nothing was sent" in words(answer)
    assert wire.sent == []


def test_a_list_of_values_stays_a_list(client, owner, desk, wire):
    account = desk.first
    fields = [{"label": "Regions", "value": ["EMEA", "APAC"]}, {"label": "Tier", "value": "Gold"}]
    desk.change_there(account, customFields=fields)
    desk.fetch()
    account.refresh_from_db()
    pairs = {"custom_fields-left": ["Regions", "Tier"], "custom_fields-right": ["EMEA; APAC", "Gold"]}
    client.post(f"{PAGE}{account.platform_id}/edit/", edit_form(account, **pairs))
    assert wire.sent == []
    pairs["custom_fields-right"] = ["EMEA; AMER", "Gold"]
    client.post(f"{PAGE}{account.platform_id}/edit/", edit_form(account, **pairs))
    assert wire.sent == [{"customFields": [{"label": "Regions", "value": ["EMEA", "AMER"]}, fields[1]]}]


def test_what_no_input_takes_keeps_no_other_change_from_being_made(client, owner, desk, wire):
    odd = [
        {"label": "Tier", "value": ""},
        {"label": "Regions", "value": []},
        {"label": None, "value": "Gold"},
        {"label": "Note", "value": "n" * 10_000},
        {"label": "Lines", "value": " two\nlines "},
        *({"label": f"Field {number}", "value": "x"} for number in range(50)),
    ]
    desk.change_there(desk.first, customFields=odd)
    desk.fetch()
    account = desk.first
    assert client.get(f"{PAGE}{account.platform_id}/").status_code == 200
    client.post(f"{PAGE}{account.platform_id}/edit/", edit_form(account, name="Renamed"))
    assert wire.sent == [{"name": "Renamed"}]


def test_fields_of_one_label_keep_each_its_value(client, owner, desk, wire):
    there = [{"label": "Region", "value": ["EU", "US"]}, {"label": "Region", "value": "EMEA"}]
    desk.change_there(desk.first, customFields=there)
    desk.fetch()
    form = edit_form(desk.first)
    form["custom_fields-left"].append("Tier")
    form["custom_fields-right"].append("Gold")
    client.post(f"{PAGE}{desk.first.platform_id}/edit/", form)
    assert wire.sent == [{"customFields": [*there, {"label": "Tier", "value": "Gold"}]}]


def test_fields_that_the_platform_has_in_another_order_are_the_same():
    tier, region = {"label": "Tier", "value": "Gold"}, {"label": "Region", "value": ["EU"]}
    found = RemoteAccount.read({"id": "a1", "customFields": [region | {"id": "f2"}, tier]})
    assert CustomerChange(custom_fields=[tier, region]).is_done(found)
    assert not CustomerChange(custom_fields=[tier]).is_done(found)
    assert not CustomerChange(custom_fields=[tier, region | {"value": ["US"]}]).is_done(found)


def test_w2_two_people_at_one_customer_hear_of_each_other(client, owner, desk):
    account = desk.first
    sent = edit_form(account, name="Mine")
    desk.change_there(account, name="Theirs")
    desk.fetch()
    answer = client.post(f"{PAGE}{account.platform_id}/edit/", sent)
    assert answer.status_code == 422
    assert "Someone else changed this customer. It is now “Theirs”" in words(answer)
    assert 'value="Mine"' in words(answer)
    account.refresh_from_db()
    client.post(f"{PAGE}{account.platform_id}/edit/", edit_form(account, name="Mine"))
    assert len(desk.there("Mine")) == 1


def test_w1_a_change_whose_answer_was_lost_is_read_back(client, owner, desk, sandbox):
    account = desk.first
    sandbox.fail("drop_answer", method="PATCH", path=f"{CALL}/*", times=1)
    answer = client.post(f"{PAGE}{account.platform_id}/edit/", edit_form(account, name="Renamed"), follow=True)
    assert "Saved Renamed on the platform" in words(answer)
    assert Entry.objects.filter(action="customer.change").count() == 1


def test_w1_a_change_that_nobody_can_confirm_is_said_so_and_looked_at_again(client, owner, desk, sandbox):
    account = desk.first
    sandbox.fail("drop_answer", method="PATCH", path=f"{CALL}/*")
    sandbox.fail("status", value=503, method="GET", path=f"{CALL}/*")
    answer = client.post(f"{PAGE}{account.platform_id}/edit/", edit_form(account, name="Renamed"))
    assert answer.status_code == 422
    assert "could not confirm it and are checking" in words(answer)
    assert 'value="Renamed"' in words(answer)
    assert StaleMark.objects.filter(kind="account", object_id=account.platform_id, urgent=True).exists()


@pytest.mark.parametrize("status", [409, 422])
@pytest.mark.parametrize(("method", "step"), [("PATCH", "edit"), ("DELETE", "delete")])
def test_what_is_refused_as_it_is_another_by_now_is_read_again(client, owner, desk, sandbox, method, step, status):
    account = desk.first
    sandbox.fail("status", value=status, method=method, path=f"{CALL}/*", times=1)
    assert client.post(f"{PAGE}{account.platform_id}/{step}/", edit_form(account, name="Renamed")).status_code == 422
    assert StaleMark.objects.filter(kind="account", object_id=account.platform_id, urgent=True).exists()


@pytest.mark.parametrize("meanwhile", [{}, {"updatedDate": "2026-11-28T12:00:00Z"}], ids=["as it was", "another field is new"])
def test_w1_a_change_that_is_accepted_and_not_shown_yet_counts_as_not_confirmed(client, owner, desk, monkeypatch, meanwhile):
    account = desk.first
    StaleMark.objects.all().delete()
    show_no_change(monkeypatch, meanwhile=meanwhile)
    answer = client.post(f"{PAGE}{account.platform_id}/edit/", edit_form(account, name="Renamed"))
    assert answer.status_code == 422
    assert StaleMark.objects.filter(kind="account", object_id=account.platform_id, urgent=True).exists()
    assert not Entry.objects.filter(action="customer.change").exists()


def test_one_that_is_gone_there_is_said_so(client, owner, desk):
    account = desk.first
    desk.objects.remove(desk.tenant_id, "accounts", account.platform_id)
    answer = client.post(f"{PAGE}{account.platform_id}/edit/", edit_form(account, name="Renamed"))
    assert "This customer no longer exists" in words(answer)


def test_deleting_says_what_stays_and_keeps_the_page(client, owner, desk):
    account = desk.first
    assert "What's kept" in words(client.get(f"{PAGE}{account.platform_id}/delete/"))
    answer = client.post(f"{PAGE}{account.platform_id}/delete/", follow=True)
    assert "was deleted on the platform" in words(answer)
    assert account.platform_id not in {each["id"] for each in desk.there()}
    account.refresh_from_db()
    assert account.gone_at
    assert Entry.objects.filter(action="customer.delete", actor=owner.user).count() == 1
    page = words(client.get(f"{PAGE}{account.platform_id}/"))
    assert "This customer no longer exists" in page
    assert f"{account.platform_id}/edit/" not in page
    assert client.get(f"{PAGE}{account.platform_id}/delete/").status_code == 404


def test_q15_a_404_that_passes_is_not_taken_as_deleted(client, owner, desk, sandbox):
    account = desk.first
    sandbox.fail("status", value=404, path=f"{CALL}/*", times=1)
    assert client.post(f"{PAGE}{account.platform_id}/delete/").status_code == 422
    account.refresh_from_db()
    assert account.gone_at is None
    assert StaleMark.objects.filter(object_id=account.platform_id, urgent=True).exists()


def test_w1_a_deletion_is_settled_by_looking(client, owner, desk, sandbox):
    account = desk.first
    sandbox.fail("drop_answer", method="DELETE", path=f"{CALL}/*", times=1)
    client.post(f"{PAGE}{account.platform_id}/delete/")
    account.refresh_from_db()
    assert account.gone_at


def test_a_deletion_that_was_refused_leaves_everything(client, owner, desk, sandbox):
    account = desk.first
    sandbox.fail("status", value=403, method="DELETE", path=f"{CALL}/*")
    answer = client.post(f"{PAGE}{account.platform_id}/delete/")
    assert answer.status_code == 422
    assert "does not cover customers" in words(answer)
    account.refresh_from_db()
    assert account.gone_at is None


def test_the_role_is_asked_for_by_the_change_itself(scoped, member, desk):
    def as_a(role: Role) -> Membership:
        return find_member(tenant=scoped, user=member(role))

    viewer, analyst = as_a(Role.VIEWER), as_a(Role.ANALYST)
    creation = NewCustomer.objects.create(name="Lost", domain="lost.example", key="k", state=Step.ABSENT)
    for attempt in (
        lambda: services.create_customer(NewAccount(name="X", domain="x.example"), member=viewer),
        lambda: services.change_customer(desk.first, change=CustomerChange(name="X"), member=viewer),
        lambda: services.delete_customer(desk.first, member=analyst),
        lambda: services.dismiss_creation(creation, member=viewer),
        lambda: services.record_export("", member=viewer),
    ):
        with pytest.raises(PermissionDenied):
            attempt()
    assert desk.calls("POST") == desk.calls("PATCH") == desk.calls("DELETE") == 0


def test_buttons_are_for_those_who_may(client, member, desk):
    root = f"{PAGE}{desk.first.platform_id}/"
    client.force_login(member(Role.ANALYST))
    page = words(client.get(root))
    assert f"{root}edit/" in page
    assert f"{root}delete/" not in page
    assert client.get(f"{root}delete/").status_code == 403


def test_an_older_answer_does_not_undo_a_change(owner, desk):
    account = desk.first
    older = RemoteAccount.read(account.payload)
    services.change_customer(account, change=CustomerChange(name="Renamed"), member=owner)
    store_account(older)
    account.refresh_from_db()
    assert account.name == "Renamed"
    assert json.dumps(account.payload)


def test_a_row_of_another_tenant_is_not_looked_for_here(globex, scoped):
    assert make_account("Mine").tenant_id == scoped.pk
    assert services.due_creations() == []
