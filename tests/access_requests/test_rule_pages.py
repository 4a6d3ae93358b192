"""The pages about rules: who sees and changes what, what a form takes, what the dry run shows and hands out."""

import csv
import io
from datetime import timedelta

import pytest
from django.db.models.functions import Lower
from django.utils import timezone

from portal.access_requests.models import AccessRequest, ListedDomain, RuleSwitch, RuleVersion, SensitiveDocument
from portal.access_requests.rule_forms import RuleForm
from portal.access_requests.rulebook import Act, Action, Conditions
from portal.access_requests.services.rules import current_book
from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.trust_center.models import Resource
from tests.access_requests.conftest import PAGE, make, words
from tests.access_requests.rules import make_account, put, rule

RULES = f"{PAGE}rules/"


@pytest.fixture
def admin(client, scoped, member):
    client.force_login(member(Role.ADMIN))
    return client


def sent(**fields):
    """What a browser sends for a rule."""
    version = str(current_book().number)
    return {
        "version": version,
        "name": "Customers",
        "act": "approve",
        "grant": "asked",
        "expiry": "365",
        "nda": "required",
    } | fields


def line(answer):
    return list(csv.reader(io.StringIO(b"".join(answer.streaming_content).decode().removeprefix("\ufeff"))))


def test_r3_accounts_to_choose_from_are_called_by_their_names(admin):
    assert "No accounts yet" in words(admin.get(f"{RULES}new/"))
    for name, domain in (("beta", "beta.example"), ("Alpha", "alpha.example"), ("", "nameless.example")):
        make_account(name, domain)
    Account.objects.update(name_sort=Lower("name"))
    gone = make_account("Gone Inc", "gone.example")
    chosen = ("id-Alpha", gone.platform_id, "id-never-seen")
    put(rule("Chosen", account="one_of", account_ids=chosen))
    Account.objects.filter(pk=gone.pk).update(gone_at=timezone.now())
    form = RuleForm(rule=current_book().rules[0])
    assert form.fields["account_ids"].choices == [
        ("id-", "No name (nameless.example)"),
        ("id-Alpha", "Alpha"),
        ("id-beta", "beta"),
        ("id-Gone Inc", "Gone Inc (no longer on the platform)"),
        ("id-never-seen", "No name (no longer on the platform)"),
    ]
    assert tuple(form.initial["account_ids"]) == chosen


def test_a_rule_is_made_and_changed_by_its_form(admin):
    make_account("Helios", "helios.example")
    assert "No rules yet" in words(admin.get(RULES))
    answer = admin.post(
        f"{RULES}new/",
        sent(
            domain_is="ends",
            domains="@Helios.example, .acme.example\nHelios.example",
            account="one_of",
            account_ids="id-Helios",
            account_ndas=["SIGNED"],
            contract="yes",
            free_mail="no",
            level="PARTIAL_ACCESS",
            expiry="90",
            grant="capped",
            nda="unless_signed",
        ),
        follow=True,
    )
    assert "Saved as version 1." in words(answer)
    [made] = current_book().rules
    assert made.conditions == Conditions(
        domains=("helios.example", "acme.example"),
        domain_is="ends",
        account="one_of",
        account_ids=("id-Helios",),
        account_ndas=("SIGNED",),
        contract=True,
        free_mail=False,
        level="PARTIAL_ACCESS",
    )
    assert made.action == Action(act="approve", level="capped", expiry_days=90, nda="unless_signed")
    page = words(admin.get(RULES))
    assert "the domain ends with helios.example or acme.example and the account is Helios" in page
    form = words(admin.get(f"{RULES}{made.id}/"))
    assert "helios.example, acme.example" in form
    admin.post(f"{RULES}{made.id}/", sent(act="deny", reason="Not now.", expiry=""))
    assert current_book().rules[0].action == Action(act="deny", reason="Not now.")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"name": ""}, "This field is required"),
        ({"domain_is": "is"}, "Enter domains and choose how to compare them"),
        ({"domains": "acme.example"}, "Enter domains and choose how to compare them"),
        ({"domain_is": "is", "domains": "not a domain!"}, "isn&#x27;t a domain"),
        ({"account": "one_of"}, "together with accounts, or neither"),
        ({"act": "people"}, "Select a valid choice"),
    ],
)
def test_a_form_that_makes_no_sense_is_shown_again(admin, fields, why):
    answer = admin.post(f"{RULES}new/", sent(**fields))
    assert answer.status_code == 422
    assert why in words(answer)
    assert not RuleVersion.objects.exists()


def test_rules_are_moved_tried_switched_and_removed(admin):
    book = put(rule("A"), rule("B"))
    a, b = (each.id for each in book.rules)
    admin.post(f"{RULES}{b}/move/", {"version": 1, "to": "up"})
    assert [each.name for each in current_book().rules] == ["B", "A"]
    make("Old", outcome="DENIED")
    tried = words(admin.get(f"{RULES}{b}/try/"))
    assert "The rule applies to 1 of the requests" in tried
    assert "This rule disagrees with past decisions" in tried
    stale = words(admin.post(f"{RULES}{b}/automatic/", {"version": 1}, follow=True))
    assert "Someone else changed the rules" in stale
    admin.post(f"{RULES}{b}/automatic/", {"version": 2})
    assert current_book().rules[0].is_automatic
    assert "Auto-approve" in words(admin.get(RULES))
    admin.post(f"{RULES}{b}/suggesting/", {"version": 3})
    assert not current_book().rules[0].is_automatic
    admin.post(f"{RULES}{a}/remove/", {"version": "x"})
    admin.post(f"{RULES}{a}/remove/", {"version": 4})
    assert [each.name for each in current_book().rules] == ["B"]
    versions = words(admin.get(f"{RULES}versions/"))
    assert "“B” now auto-approves waiting and new requests." in versions
    assert "Removed “A”." in versions
    assert "Auto-approve" in words(admin.get(f"{RULES}versions/3/"))
    assert admin.get(f"{RULES}versions/99/").status_code == 404


def test_the_kill_switch_is_one_button_and_starts_again(admin):
    put(rule("A", automatic=True))
    assert "The rules are stopped" in words(admin.post(f"{RULES}stop/", follow=True))
    assert RuleSwitch.objects.get().is_stopped
    assert "Start the rules" in words(admin.get(RULES))
    admin.post(f"{RULES}start/")
    assert not RuleSwitch.objects.get().is_stopped
    assert set(Entry.objects.values_list("action", flat=True)) == {"access_rules.stop", "access_rules.start"}


def test_readers_read_and_change_nothing(client, scoped, member):
    book = put(rule("Everybody sees this"))
    key = book.rules[0].id
    client.force_login(member(Role.ANALYST))
    page = words(client.get(RULES))
    assert "Everybody sees this" in page
    assert "New rule" not in page
    assert "Stop all rules" not in page
    for path in ("versions/", "versions/1/", "dry-run/", "lists/"):
        assert client.get(f"{RULES}{path}").status_code == 200
    for path in ("new/", f"{key}/", f"{key}/try/"):
        assert client.get(f"{RULES}{path}").status_code == 403
    for path in (
        "new/",
        f"{key}/",
        f"{key}/move/",
        f"{key}/remove/",
        f"{key}/automatic/",
        f"{key}/suggesting/",
        "stop/",
        "start/",
        "lists/add/",
        "lists/sensitive/",
        "lists/1/remove/",
    ):
        assert client.post(f"{RULES}{path}", {"version": 1}).status_code == 403
    assert current_book() == book


def test_another_tenants_rules_are_not_found(client, mallory, scoped, globex):
    book = put(rule("Secret deal"))
    row = ListedDomain.objects.create(domain="evil.example", listed_by_name="Alice")
    client.force_login(mallory)
    assert client.get(RULES).status_code == 404
    theirs = "/t/globex/access-requests/rules/"
    assert "Secret deal" not in words(client.get(theirs))
    assert client.get(f"{theirs}{book.rules[0].id}/").status_code == 404
    assert client.get(f"{theirs}versions/1/").status_code == 404
    assert client.post(f"{theirs}lists/{row.pk}/remove/").status_code == 404
    client.post(f"{theirs}{book.rules[0].id}/remove/", {"version": 1})
    assert current_book() == book
    with tenant_scope(globex.pk):
        assert not RuleVersion.objects.exists()


def test_the_dry_run_is_filtered_and_taken_out_as_a_guarded_file(admin):
    put(rule("Free mail", automatic=True, act=Act.DENY, free_mail=True), rule("Rest"))
    make("=cmd()", email="a@gmail.com", outcome="APPROVED")
    make("Bob", outcome="APPROVED")
    page = words(admin.get(f"{RULES}dry-run/"))
    assert "with the 2 requests decided so far" in page
    assert "Differs from decision" in page
    against = admin.get(f"{RULES}dry-run/?kind=against")
    assert "Bob" not in words(against).partition("<tbody>")[2]
    assert len(admin.get(f"{RULES}dry-run/?as=all&kind=in").context["page"].object_list) == 1
    file = line(admin.post(f"{RULES}dry-run/export/?kind=against"))
    assert len(file) == 2
    assert file[1][1] == "'=cmd()"
    assert (file[1][5], file[1][6], file[1][7], file[1][9]) == ("Approved", "Would deny", "Free mail", "yes")
    assert len(line(admin.post(f"{RULES}dry-run/export/?as=all"))) == 3
    assert Entry.objects.filter(action="access_rules.export").count() == 2
    assert admin.get(f"{RULES}dry-run/?kind=strange&as=strange&page=x").status_code == 200


@pytest.mark.once
def test_thousands_of_past_requests_cost_as_many_queries_as_one(admin, django_assert_max_num_queries):
    put(*(rule(f"R{number}", contract=True, known=True, free_mail=bool(number % 2)) for number in range(10)), rule("Rest"))
    at = timezone.now()
    AccessRequest.objects.bulk_create(
        AccessRequest(
            platform_id=f"p{number}",
            email=f"p@d{number % 999}.example",
            domain=f"d{number % 999}.example",
            outcome="APPROVED",
            access_level="FULL_ACCESS",
            created_at=at,
            updated_at=at - timedelta(minutes=number),
        )
        for number in range(3_000)
    )
    with django_assert_max_num_queries(40):
        page = words(admin.get(f"{RULES}dry-run/"))
    assert "with the 3000 requests decided so far" in page


def test_domains_and_documents_are_marked(admin):
    for key in ("a", "b"):
        Resource.objects.create(platform_id=key, title=f"Title {key}")
    assert admin.post(f"{RULES}lists/add/", {"domain": "no domain!", "kind": "blocked"}).status_code == 422
    admin.post(f"{RULES}lists/add/", {"domain": "Eve@Evil.example", "kind": "blocked", "why": "Competitor"})
    page = words(admin.get(f"{RULES}lists/"))
    assert "evil.example" in page
    assert "Eve@" not in page
    admin.post(f"{RULES}lists/sensitive/", {"documents": ["a"]})
    assert SensitiveDocument.objects.get().resource_id == "a"
    admin.post(f"{RULES}lists/sensitive/", {"documents": ["gone"]})
    assert SensitiveDocument.objects.exists()
    admin.post(f"{RULES}lists/{ListedDomain.objects.get().pk}/remove/")
    assert not ListedDomain.objects.exists()


def test_saving_the_documents_keeps_the_marks_that_were_not_shown(admin):
    for key in ("a", "b", "public"):
        Resource.objects.create(platform_id=key, title=f"Title {key}", is_public=key == "public")
    for key in ("a", "public", "gone"):
        SensitiveDocument.objects.create(resource_id=key, marked_by_name="Alice")
    shown = admin.get(f"{RULES}lists/").context["sensitive_form"]["marked"].value()
    assert shown == ["a"]
    # Somebody else marks another one before this form is sent.
    SensitiveDocument.objects.create(resource_id="b", marked_by_name="Bob")
    admin.post(f"{RULES}lists/sensitive/", {"marked": shown})
    assert set(SensitiveDocument.objects.values_list("resource_id", flat=True)) == {"b", "public", "gone"}
    assert Entry.objects.get(action="access_rules.sensitive").details == {"marked": [], "unmarked": ["Title a"]}
    # Nor is a mark that somebody else has taken away set again.
    SensitiveDocument.objects.filter(resource_id="b").delete()
    admin.post(f"{RULES}lists/sensitive/", {"marked": ["b"], "documents": ["a", "b"]})
    assert set(SensitiveDocument.objects.values_list("resource_id", flat=True)) == {"a", "public", "gone"}


def test_the_open_page_is_told_when_nothing_changed(admin):
    put(rule())
    first = admin.get(RULES)
    again = admin.get(RULES, headers={"HX-Request": "true", "Seen": first.context["page_version"]})
    assert again.status_code == 204
    fragment = admin.get(RULES, headers={"HX-Request": "true", "Seen": "0"})
    assert b"<h1>" not in fragment.content
