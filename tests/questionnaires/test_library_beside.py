"""The tenant's own library beside a question: its entries come first, what was inserted is noted, an answer is kept."""

import pytest
from django.utils import timezone

from portal.accounts.models import Account
from portal.library.models import Entry, EntryUse, Origin
from portal.library.services import EntryContent, add_entry
from portal.library.services.entries import write_entry
from portal.questionnaires.library_uses import keep_answer, keep_true_answer
from portal.questionnaires.models import Questionnaire, Response
from portal.tenants.scope import tenant_scope
from tests.questionnaires.conftest import TWO_PARTS, address, fill_in
from tests.support.members import find_member

QUESTION = "Do you encrypt customer data at rest?"


@pytest.fixture
def asked(desk) -> Response:
    """A question with a choice and a text, and no answer."""
    row = Response.objects.order_by("pk").first()
    desk.change_there(row, question=QUESTION, answerPartsSchema=TWO_PARTS, answerPartsValues={})
    desk.fetch()
    return Response.objects.get(pk=row.pk)


@pytest.fixture
def entry(asked, alice) -> Entry:
    words = EntryContent(question="Is data encrypted at rest?", short="Yes", text="With AES-256 in every store.")
    return add_entry(words, member=find_member(user=alice))


def beside(client, asked, **query):
    return client.get(f"{address(asked)}memory/", query, headers={"HX-Request": "true"})


def test_an_entry_that_fits_stands_before_earlier_answers(client, alice, asked, entry):
    client.force_login(alice)
    page = beside(client, asked).content.decode()
    assert f'data-entry="{entry.pk}"' in page
    assert page.index("data-entry") < page.index("data-insert")
    assert 'href="/t/acme/library/' in page


def test_a_copy_of_the_platforms_answer_keeps_nobody_from_an_entry_of_their_own(client, alice, desk, asked):
    copy = Entry(platform_id="a1", origin=Origin.PLATFORM)
    write_entry(copy, EntryContent(question=QUESTION, text="As the platform says."), review_on=None)
    desk.change_there(asked, answerPartsValues={"p2": "With AES-256."})
    desk.fetch()
    asked.refresh_from_db()
    member = find_member(user=alice)
    kept, is_new = keep_answer(asked, member=member)
    assert (is_new, kept.is_mirrored, kept.text) == (True, False, "With AES-256.")
    kept.delete()
    true, _ = keep_true_answer(asked, member=member)
    assert true != copy
    assert Entry.objects.get(pk=copy.pk).text == "As the platform says."


def test_what_is_typed_is_looked_for_in_entries_too(client, alice, asked, entry):
    client.force_login(alice)
    assert [each.entry for each in beside(client, asked, words="every store").context["entries"]] == [entry]
    assert beside(client, asked, words="zebra").context["entries"] == []


def test_s1_entries_of_another_tenant_stand_beside_no_question(client, alice, asked, globex, mallory):
    with tenant_scope(globex.pk):
        add_entry(EntryContent(question=QUESTION, short="No"), member=find_member(user=mallory))
    client.force_login(alice)
    assert beside(client, asked).context["entries"] == []


@pytest.mark.parametrize(
    ("text", "is_used"), [("With AES-256 in every store, and in backups.", True), ("We do not know.", False)]
)
def test_an_entry_that_is_in_the_saved_answer_was_used(client, alice, desk, asked, entry, text, is_used):
    client.force_login(alice)
    sent = fill_in(asked, p2=text) | {"entry": [str(entry.pk), "x", "9" * 30]}
    assert client.post(address(asked), sent).status_code == 302
    assert EntryUse.objects.filter(entry=entry, object_id=asked.pk).exists() is is_used
    assert Entry.objects.get().use_count == int(is_used)
    if is_used:
        assert asked.questionnaire.name in client.get(f"/t/acme/library/{entry.pk}/").content.decode()


def test_where_an_entry_went_names_the_customer_and_asks_for_nothing_that_cannot_be_done(client, alice, asked, entry):
    client.force_login(alice)
    EntryUse.objects.create(entry=entry, kind="response", object_id=asked.pk, digest="of an earlier text")
    Account.objects.create(platform_id="a" * 24, name="Northwind")
    questionnaire = Questionnaire.objects.filter(pk=asked.questionnaire_id)
    questionnaire.update(account_id="a" * 24)

    def shown(**changes) -> list[str]:
        questionnaire.update(completed_at=None, **changes)
        return [group.key for group in client.get(f"/t/acme/library/{entry.pk}/").context["uses"]]

    assert shown(status="IN_PROGRESS") == ["open"]
    assert "Northwind · " in client.get(f"/t/acme/library/{entry.pk}/").content.decode()
    assert shown(status="NO_LONGER_NEEDED") == ["sent"]
    assert shown(status="IN_PROGRESS", gone_at=timezone.now()) == ["gone"]


def test_an_answer_is_kept_once_with_its_parts(client, alice, desk, asked):
    desk.change_there(asked, answerPartsValues={"p2": "With AES-256."})
    desk.fetch()
    client.force_login(alice)
    kept = client.post(f"{address(asked)}keep/")
    entry = Entry.objects.get()
    assert kept["Location"] == f"/t/acme/library/{entry.pk}/"
    assert (entry.question, entry.text, entry.origin, entry.owner, entry.use_count) == (
        QUESTION,
        "With AES-256.",
        Origin.ANSWER,
        alice,
        1,
    )
    assert client.post(f"{address(asked)}keep/")["Location"] == kept["Location"]
    assert Entry.objects.count() == 1


def test_no_answer_can_be_kept_and_no_viewer_keeps_one(client, alice, bob, asked):
    client.force_login(alice)
    assert client.post(f"{address(asked)}keep/")["Location"] == address(asked)
    client.force_login(bob)
    assert client.post(f"{address(asked)}keep/").status_code == 403
    assert not Entry.objects.exists()
