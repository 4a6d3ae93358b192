"""Comments on every kind of object: written, edited, deleted, resolved; who may, what is kept, what is shown."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.accounts.models import Account, Part
from portal.audit.models import Entry
from portal.comments.models import MAX_LENGTH, Comment, Mention
from portal.comments.services import add_comment
from portal.comments.subjects import registered
from portal.incidents.models import LogEntry
from portal.tenant_settings.audit_changes import changes_of
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.comments.conftest import PAPER, last, page_of, thread
from tests.support.members import find_member, set_role

KINDS = ("contract", "account", "access_request", "response", "incident", "deletion_request")
HTMX = {"HX-Request": "true", "HX-Target": "comments-list"}

pytestmark = pytest.mark.both


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_object_is_commented_on_at_its_page(client, alice, objects, say, kind):
    client.force_login(alice)
    page = page_of(kind, objects[kind])
    assert b"No comments yet" in client.get(page).content
    assert say("Looks right to me", kind).url == f"{page}#comments"
    assert b"Looks right to me" in client.get(page).content
    entry = Entry.objects.get(action="comment.add")
    assert "Looks right" not in str(entry.details) + entry.summary


@pytest.mark.parametrize("kind", KINDS)
def test_the_activity_of_the_object_tells_of_it(client, alice, objects, say, kind):
    client.force_login(alice)
    say("Looks right to me", kind)
    assert b"Alice Ames: Commented." in client.get(page_of(kind, objects[kind])).content
    if kind == "response":
        assert b"Alice Ames: Commented." in client.get("/t/acme/questionnaires/sheet~2f1/activity/").content


def test_an_incident_keeps_it_in_its_own_log(client, alice, objects, say):
    client.force_login(alice)
    say("She called me", "incident")
    assert [(entry.text, entry.note) for entry in LogEntry.objects.all()] == [("Commented.", "")]


def test_the_author_edits_and_the_audit_trail_tells_what_it_was(client, alice, say):
    client.force_login(alice)
    say("Thirty days")
    comment = last()
    assert b'name="body"' in client.get(f"{thread('contract', 'paper-1')}?edit={comment.pk}").content
    client.post(f"/t/acme/comments/{comment.pk}/edit/", {"body": "Sixty days, says jane@northwind.example"})
    page = client.get(PAPER).content.decode()
    assert "Sixty days" in page
    assert "edited" in page
    entry = Entry.objects.get(action="comment.edit")
    assert [(each.before, each.after) for each in changes_of(entry)] == [("Thirty days", "Sixty days, says [erased]")]
    # The same text again is no edit.
    client.post(f"/t/acme/comments/{comment.pk}/edit/", {"body": "Sixty days, says jane@northwind.example"})
    assert Entry.objects.filter(action="comment.edit").count() == 1


def test_deleting_asks_and_keeps_no_text(client, alice, say):
    client.force_login(alice)
    say("A password of ours")
    comment = last()
    asked = client.get(f"{thread('contract', 'paper-1')}?delete={comment.pk}").content
    assert b"Delete this comment?" in asked
    client.post(f"/t/acme/comments/{comment.pk}/delete/")
    comment.refresh_from_db()
    assert (comment.body, comment.deleted_by_name) == ("", "Alice Ames")
    page = client.get(PAPER).content
    assert b"A password" not in page
    assert b"Deleted by" in page
    assert "password" not in str(list(Entry.objects.values_list("summary", "details")))
    refused = client.post(f"/t/acme/comments/{comment.pk}/edit/", {"body": "again"}, follow=True).content
    assert b"deleted meanwhile" in refused
    assert last().body == ""


def test_a_comment_is_resolved_and_reopened(client, alice, say):
    client.force_login(alice)
    say("Who signs?")
    comment = last()
    client.post(f"/t/acme/comments/{comment.pk}/resolve/")
    assert b"Resolved by" in client.get(PAPER).content
    client.post(f"/t/acme/comments/{comment.pk}/reopen/")
    assert b"Resolved by" not in client.get(PAPER).content
    assert set(Entry.objects.values_list("action", flat=True)) >= {"comment.resolve", "comment.reopen"}


def test_viewers_read_analysts_write_authors_edit_admins_delete(client, alice, bob, member, say):
    client.force_login(member(Role.ANALYST))
    say("Mine")
    comment = last()
    address = f"/t/acme/comments/{comment.pk}/"
    client.force_login(bob)
    page = client.get(PAPER).content
    assert b"Mine" in page
    assert b"comment-form" not in page
    assert say("No").status_code == 403
    for verb in ("edit", "delete", "remove", "resolve", "reopen"):
        assert client.post(f"{address}{verb}/", {"body": "x"}).status_code == 403
    client.force_login(member(Role.APPROVER))
    assert client.post(f"{address}edit/", {"body": "x"}).status_code == 403
    assert client.post(f"{address}delete/").status_code == 403
    assert client.post(f"{address}remove/").status_code == 403
    client.force_login(alice)
    assert client.post(f"{address}edit/", {"body": "x"}).status_code == 403
    assert last().body == "Mine"
    client.post(f"{address}remove/")
    assert (last().body, last().deleted_by_name) == ("", "Alice Ames")


def test_s1_another_tenant_reads_and_changes_nothing(client, alice, mallory, globex, say):
    client.force_login(alice)
    say("Our floor is 400,000")
    comment = last()
    client.force_login(mallory)
    for path in (PAPER, thread("contract", "paper-1")):
        assert client.get(path).status_code == 404
        assert client.get(path.replace("acme", "globex")).status_code == 404
    for verb in ("edit", "delete", "remove", "resolve", "reopen"):
        assert client.post(f"/t/globex/comments/{comment.pk}/{verb}/", {"body": "x"}).status_code == 404
    assert client.post(f"{thread('contract', 'paper-1')}add/".replace("acme", "globex"), {"body": "x"}).status_code == 404
    with tenant_scope(globex.pk):
        assert not Comment.objects.exists()
    assert last().body == "Our floor is 400,000"


def test_what_is_too_long_or_empty_is_refused_with_the_text_kept(client, alice, say):
    client.force_login(alice)
    text = "word " * (MAX_LENGTH // 5) + "and its very end"
    answer = say(text, headers=HTMX)
    assert answer.status_code == 422
    assert b"can have 5,000 characters. This one has 5,016" in answer.content
    assert text.encode() in answer.content
    page = say(text)
    assert page.status_code == 422
    assert text.encode() in page.content
    assert b"Write something first" in say("   \r\n ").content
    assert not Comment.objects.exists()
    # Line breaks count as one character, whatever the browser makes of them.
    assert say("\r\n".join(["x"] * (MAX_LENGTH // 2))).status_code == 302


def test_s3_a_hostile_text_is_shown_as_text(client, alice, say):
    client.force_login(alice)
    say(
        "<script>alert(1)</script>\r\nsee https://a.example/x?y=1&z=2. javascript:alert(1) "
        'http://b.example/"onclick="x \u202egnp.exe\0'
    )
    page = client.get(PAPER).content.decode()
    assert "<script>alert" not in page
    assert '<a href="https://a.example/x?y=1&amp;z=2" rel="nofollow noopener noreferrer" target="_blank">' in page
    assert 'href="javascript' not in page
    assert '<a href="http://b.example/" rel' in page
    assert 'dir="auto">&lt;script&gt;alert(1)&lt;/script&gt;\nsee ' in page
    assert "gnp.exe\N{REPLACEMENT CHARACTER}" in page
    link = last().body.replace("https://a.example/x", "https://a.example/\u202ex")
    client.post(f"/t/acme/comments/{last().pk}/edit/", {"body": link})
    assert '<a href="https://a.example/" rel' in client.get(PAPER).content.decode()


def test_an_object_that_is_not_there_cannot_be_commented_on(client, alice, objects):
    client.force_login(alice)
    for path in (
        thread("contract", "other-2"),
        thread("incident", "x1"),
        thread("response", "sheet/9"),
        thread("tenant", "1x"),
    ):
        assert client.get(path).status_code == 404
        assert client.post(f"{path}add/", {"body": "x"}).status_code == 404


def test_an_open_list_asks_whether_it_has_changed(client, alice, say):
    client.force_login(alice)
    say("One")
    path = thread("contract", "paper-1")
    page = client.get(path, headers=HTMX)
    page_version = page.content.decode().partition('{"Seen": "')[2].partition('"')[0]
    assert b"<h1>" not in page.content
    assert client.get(path, headers=HTMX | {"Seen": page_version}).status_code == 204
    say("Two")
    again = client.get(path, headers=HTMX | {"Seen": page_version})
    assert again.status_code == 200
    assert b"Two" in again.content
    # What is being edited stays open when the list is drawn again.
    assert f"?edit={last().pk}" in client.get(f"{path}?edit={last().pk}", headers=HTMX).content.decode()


@pytest.mark.usefixtures("within_a_minute")
def test_many_comments_come_page_by_page_and_cost_the_same(client, alice, objects):
    client.force_login(alice)
    member, subject = find_member(user=alice), registered("contract")
    add_comment(subject, "paper-1", "number 0", member=member)
    client.get(PAPER)
    with CaptureQueriesContext(connection) as few:
        client.get(PAPER)
    for number in range(1, 30):
        add_comment(subject, "paper-1", f"number {number}", member=member)
    client.get(PAPER)
    with CaptureQueriesContext(connection) as many:
        page = client.get(PAPER).content
    assert len(many) <= len(few) + 1
    assert b"number 29" in page
    assert b"number 9<" not in page
    assert b"Show earlier comments" in page
    first = Comment.objects.order_by("pk").first()
    asked = client.get(f"{thread('contract', 'paper-1')}?delete={first.pk}&shown=70", headers=HTMX).content.decode()
    assert "number 0<" in asked
    kept = f'href="{thread("contract", "paper-1")}?shown=70"'
    assert kept in asked
    assert kept in client.get(f"{thread('contract', 'paper-1')}?edit={first.pk}&shown=70", headers=HTMX).content.decode()
    sent = {"of": "paper-1", "shown": "70"}
    assert 'name="shown" value="70"' in asked[asked.index('role="alertdialog"') :]
    answer = client.post(f"/t/acme/comments/{first.pk}/delete/", sent, headers=HTMX)
    assert b"number 1<" in answer.content


def test_what_was_said_of_a_merged_account_stands_with_the_customer(client, alice, objects, say):
    client.force_login(alice)
    Account.objects.create(platform_id="twin-2", name="Northwind Ltd")
    client.post(f"{thread('account', 'twin-2')}add/", {"body": "Of the twin"})
    customer = uuid4()
    Part.objects.create(customer=customer, account_id="northwind-1", is_main=True)
    Part.objects.create(customer=customer, account_id="twin-2")
    page = page_of("account", "northwind-1")
    assert b"Of the twin" in client.get(page).content
    answer = client.post(f"/t/acme/comments/{last().pk}/resolve/", {"of": "northwind-1"})
    assert answer.url == f"{page}#comments"


def test_a_reply_on_the_customer_answers_what_was_asked_about_its_duplicate(client, alice, bob, acme, objects):
    Account.objects.create(platform_id="twin-2", name="Northwind Ltd")
    set_role(Role.ANALYST, user=bob)
    client.force_login(alice)
    client.post(f"{thread('account', 'twin-2')}add/", {"body": f"@{bob.email} who is this?"})
    customer = uuid4()
    Part.objects.create(customer=customer, account_id="northwind-1", is_main=True)
    Part.objects.create(customer=customer, account_id="twin-2")
    client.force_login(bob)
    client.post(f"{thread('account', 'northwind-1')}add/", {"body": "A twin"})
    assert Mention.objects.get().answered_at is not None
