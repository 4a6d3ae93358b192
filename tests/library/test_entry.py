"""The page of an entry, writing one, verifying and deleting it."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.audit.models import Entry as AuditEntry
from portal.library import uses
from portal.library.models import Entry, EntryUse, State
from portal.library.services import (
    ChangedMeanwhile,
    EntryContent,
    Gone,
    add_entry,
    change_entry,
    delete_entry,
    digest_of,
    verify_entry,
)
from portal.library.typed import REVIEW_AFTER
from portal.library.uses import UsedIn, register_use
from portal.tenants import personal_data
from portal.tenants.models import Role
from portal.tenants.offboarding import purge
from tests.commands.test_recent import look_at
from tests.commands.test_search import found
from tests.library.conftest import PAGE, typed
from tests.support.members import find_member

pytestmark = pytest.mark.both


def stored(entry) -> Entry:
    return Entry.objects.with_state(timezone.localdate()).get(pk=entry.pk)


def test_an_entry_is_written_by_hand_and_shows_all_that_was_typed(client, owner, alice):
    sent = typed(
        short="Yes",
        text="With AES-256.\r\nKeys are rotated.",
        variants="Are backups encrypted?\n\nAre backups encrypted?\nIs backup data protected?",
        contraries="Are backups stored in plain text?",
        tags="Crypto, crypto, Backup",
        products="Cloud",
        language="English",
        owner=alice.pk,
        expires_on="2031-05-01",
    )
    answer = client.post(f"{PAGE}new/", sent)
    entry = stored(Entry.objects.get())
    assert answer["Location"] == f"{PAGE}{entry.pk}/"
    assert (entry.short, entry.text, entry.owner) == ("Yes", "With AES-256.\nKeys are rotated.", alice)
    assert (entry.state, entry.due_sort) == (State.VERIFIED, timezone.localdate() + REVIEW_AFTER)
    assert [(each.question, each.is_reversed) for each in entry.variants.all()] == [
        ("Are backups encrypted?", False),
        ("Is backup data protected?", False),
        ("Are backups stored in plain text?", True),
    ]
    page = client.get(f"{PAGE}{entry.pk}/")
    assert page.context["tags"] == ["Backup", "Crypto"]
    assert page.context["products"] == ["Cloud"]
    assert [event["icon"] for event in page.context["events"]] == ["plus"]
    for text in ("Keys are rotated.", "Are backups stored in plain text?", "Reversed"):
        assert text in page.content.decode()


@pytest.mark.parametrize(
    ("field", "sent"),
    [
        ("question", {"question": " "}),
        ("text", {"short": ""}),
        ("contraries", {"variants": "Is it so?", "contraries": "Is it so?"}),
        ("tags", {"tags": ",".join(f"tag {number}" for number in range(31))}),
        ("tags", {"tags": "x" * 61}),
        ("tags", {"tags": "ask jane@northwind.example"}),
        ("language", {"language": "jane@northwind.example"}),
        ("variants", {"variants": "\n".join(f"Question {number}?" for number in range(61))}),
        ("review_on", {"review_on": "9999-12-31"}),
        ("expires_on", {"expires_on": "soon"}),
        ("owner", {"owner": "987654321"}),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_is_lost(client, owner, field, sent):
    answer = client.post(f"{PAGE}new/", typed(**{"short": "Yes", "products": "Word for word", **sent}))
    assert answer.status_code == 422
    assert [*answer.context["form"].errors] == [field]
    assert b"Word for word" in answer.content
    assert not Entry.objects.exists()


def test_only_who_may_write_here_can_own_an_entry(client, owner, mallory, bob, member):
    analyst = member(Role.ANALYST)
    offered = {key for key, _ in client.get(f"{PAGE}new/").context["form"].fields["owner"].choices}
    assert offered == {"", owner.user_id, analyst.pk}


def test_changing_the_answer_verifies_it_and_changing_a_tag_does_not(client, add, owner):
    entry = add("Do you encrypt backups?")
    Entry.objects.filter(pk=entry.pk).update(verified_at=None, verified_by=None)
    sent = typed(short="Yes", tags="Crypto", seen=stored(entry).version)
    client.post(f"{PAGE}{entry.pk}/edit/", sent)
    assert stored(entry).verified_at is None
    client.post(f"{PAGE}{entry.pk}/edit/", sent | {"short": "No", "seen": stored(entry).version})
    assert (stored(entry).verified_by, stored(entry).short) == (owner.user, "No")
    changes = AuditEntry.objects.filter(action="library_entry.changed", target_kind="library_entry", target_id=str(entry.pk))
    assert changes.count() == 2


def test_when_somebody_was_faster_both_are_shown_and_nothing_is_lost(client, add):
    entry = add("Do you encrypt backups?", tags=["Old"])
    form = client.get(f"{PAGE}{entry.pk}/edit/")
    seen = form.context["seen"]
    sent = typed(short="Yes", tags="Old", review_on="")
    client.post(f"{PAGE}{entry.pk}/edit/", sent | {"short": "No", "seen": seen})
    answer = client.post(f"{PAGE}{entry.pk}/edit/", sent | {"short": "Maybe", "tags": "New, Old", "seen": seen})
    assert answer.status_code == 422
    assert answer.context["conflict"] == [("Short answer", "Maybe", "No"), ("Tags", "New, Old", "Old")]
    assert stored(entry).short == "No"
    again = answer.context["seen"]
    assert client.post(f"{PAGE}{entry.pk}/edit/", sent | {"short": "Maybe", "seen": again}).status_code == 302
    assert stored(entry).short == "Maybe"


def test_w2_what_was_typed_into_an_entry_that_is_gone_can_be_added_as_a_new_one(client, add):
    entry = add("Do you encrypt backups?")
    edit, sent = f"{PAGE}{entry.pk}/edit/", typed(text="What I typed.", seen=entry.version)
    client.post(f"{PAGE}{entry.pk}/delete/")
    for values in (sent, sent | {"expires_on": "soon"}):
        answer = client.post(edit, values)
        page = answer.content.decode()
        assert (
            answer.status_code,
            "What I typed." in page,
            "someone deleted or merged this entry in the meantime" in page,
        ) == (
            422,
            True,
            True,
        )
        assert f'action="{PAGE}new/"' in page
    assert not Entry.objects.exists()
    assert client.get(edit).status_code == 404
    client.post(f"{PAGE}new/", sent)
    assert Entry.objects.get().text == "What I typed."


def test_the_form_of_an_entry_sent_as_it_is_changes_nothing_of_it(client, add, alice):
    entry = add("Do you encrypt?", variants=[("A?", False), ("B?", True)], tags=["T", "A"], products=["P"], owner=alice)
    form = client.get(f"{PAGE}{entry.pk}/edit/").context["form"]
    sent = {name: "" if value is None else value for name, value in form.initial.items()}
    client.post(f"{PAGE}{entry.pk}/edit/", sent | {"seen": entry.version})
    again = client.get(f"{PAGE}{entry.pk}/edit/").context["form"]
    assert again.initial == form.initial


def test_one_press_says_that_it_is_still_true_for_half_a_year(client, add):
    today = timezone.localdate()
    entry = add("Do you encrypt backups?", review_on=today - timedelta(days=1))
    assert stored(entry).state == State.NEEDS_REVIEW
    form = client.get(f"{PAGE}{entry.pk}/").context["review_form"]
    client.post(f"{PAGE}{entry.pk}/verify/", {"seen": entry.version, "review_on": form.initial["review_on"].isoformat()})
    assert (stored(entry).state, stored(entry).review_on) == (State.VERIFIED, today + REVIEW_AFTER)
    client.post(f"{PAGE}{entry.pk}/verify/", {"seen": stored(entry).version, "review_on": ""})
    assert stored(entry).review_on is None
    client.post(f"{PAGE}{entry.pk}/verify/", {"seen": stored(entry).version, "review_on": today.isoformat()})
    assert stored(entry).review_on is None
    assert AuditEntry.objects.filter(action="library_entry.verified").count() == 2


def test_verifying_takes_off_an_expiry_that_is_near_and_leaves_one_that_is_far(add, owner):
    today = timezone.localdate()
    for days, is_left in ((-1, False), (14, False), (15, True)):
        entry = add(f"Is it so in {days} days?", expires_on=today + timedelta(days=days))
        verify_entry(entry, review_on=None, member=owner)
        assert (stored(entry).expires_on is not None) is is_left
        assert stored(entry).state == State.VERIFIED


def test_nobody_verifies_what_they_have_not_read(client, add, owner):
    entry = add("Do you encrypt backups?", review_on=timezone.localdate() - timedelta(days=1))
    client.post(f"{PAGE}{entry.pk}/verify/", {"seen": "of yesterday", "review_on": ""})
    assert stored(entry).state == State.NEEDS_REVIEW
    with pytest.raises(ChangedMeanwhile):
        verify_entry(entry, review_on=None, member=owner, seen="of yesterday")


def test_what_somebody_deleted_meanwhile_is_neither_changed_nor_verified_nor_deleted_again(client, add, owner):
    entry = add("Do you encrypt backups?")
    delete_entry(stored(entry), member=owner)
    with pytest.raises(Gone):
        change_entry(entry, EntryContent(question="Do you?"), review_on=None, member=owner)
    answer = client.post(f"{PAGE}{entry.pk}/verify/", {"seen": entry.version, "review_on": ""}, follow=True)
    assert "Not verified. Someone deleted or merged it in the meantime." in answer.content.decode()
    assert answer.redirect_chain == [(PAGE, 302)]
    with pytest.raises(Gone):
        delete_entry(entry, member=owner)
    answer = client.post(f"{PAGE}{entry.pk}/delete/", follow=True)
    assert "Not deleted. Someone deleted or merged it in the meantime." in answer.content.decode()
    assert AuditEntry.objects.filter(action="library_entry.deleted").count() == 1


def test_an_entry_is_searched_for_and_offered_again_once_it_was_opened(client, add):
    entry = add("Do you rotate keys?")
    assert found(client, "rotate")["Library"] == ["Do you rotate keys?"]
    look_at(client, f"{PAGE}{entry.pk}/")
    assert found(client, "")["Recent"] == ["Do you rotate keys?"]
    entry.delete()
    assert "Recent" not in found(client, "")


def test_an_entry_is_deleted_with_what_belongs_to_it(client, add):
    entry = add("Do you encrypt backups?", variants=[("Encrypted?", False)], tags=["T"])
    page = client.get(f"{PAGE}{entry.pk}/").content.decode()
    assert 'data-open-dialog="delete-entry"' in page
    assert client.post(f"{PAGE}{entry.pk}/delete/")["Location"] == PAGE
    assert not Entry.objects.exists()
    assert AuditEntry.objects.filter(action="library_entry.deleted").count() == 1
    assert client.get(f"{PAGE}{entry.pk}/").status_code == 404


def test_s1_viewers_read_and_write_nothing(client, add, bob, scoped):
    entry = add("Do you encrypt backups?")
    client.force_login(bob)
    page = client.get(f"{PAGE}{entry.pk}/").content.decode()
    for word in ("data-key", "delete-entry", "review-entry", "/edit/"):
        assert word not in page.partition("<main")[2].partition("</main>")[0]
    for address in ("new/", f"{entry.pk}/edit/", f"{entry.pk}/verify/", f"{entry.pk}/delete/", "import/", "import/start/"):
        assert client.post(f"{PAGE}{address}").status_code == 403
    viewer = find_member(tenant=scoped, user=bob)
    with pytest.raises(PermissionDenied):
        add_entry(EntryContent(question="Mine?", short="Yes"), member=viewer)
    with pytest.raises(PermissionDenied):
        delete_entry(entry, member=viewer)


def test_entries_that_may_say_the_same_are_named_without_itself(client, add):
    entry = add("Are database backups encrypted at rest with strong ciphers?", "Yes, with AES.")
    twin = add("Are database backups encrypted at rest with strong ciphers, too?", "Yes.")
    add("Who may enter the office?", "Employees.")
    similar = client.get(f"{PAGE}{entry.pk}/").context["similar"]
    assert [each.entry.pk for each in similar] == [twin.pk]
    assert f"{PAGE}{twin.pk}/" in client.get(f"{PAGE}{entry.pk}/").content.decode()


def test_where_it_was_used_is_told_by_the_desk_and_old_text_is_marked(client, add, owner, monkeypatch):
    monkeypatch.setattr(uses, "_loads", {})
    entry = add("Do you encrypt backups?")
    older = "of an earlier text"
    for number, digest in ((1, digest_of(entry)), (2, older), (3, older), (4, older)):
        EntryUse.objects.create(entry=entry, kind="response", object_id=number, used_by=owner.user, digest=digest)

    def load(ids, slug):
        sent = {3: timezone.now()}
        return {
            key: UsedIn(title=f"Sheet {key}", url=f"/t/{slug}/sheets/{key}/", customer="Northwind", at=sent.get(key))
            for key in ids
            if key < 4
        }

    register_use("response", load)
    page = client.get(f"{PAGE}{entry.pk}/")
    shown = [(group.key, [each.used_in and each.used_in.url for each in group.uses]) for group in page.context["uses"]]
    # First what can still be changed.
    assert shown == [
        ("open", ["/t/acme/sheets/2/"]),
        ("sent", ["/t/acme/sheets/3/"]),
        ("today", ["/t/acme/sheets/1/"]),
        ("gone", [None]),
    ]
    assert b"Northwind" in page.content


def test_uses_with_an_earlier_text_are_named_however_many_came_since(add, owner, monkeypatch):
    monkeypatch.setattr(uses, "_loads", {"response": lambda ids, slug: {1: UsedIn(title="Sheet", url="/sheet/")}})
    monkeypatch.setattr(uses, "MAX_USES", 2)
    entry = add("Do you encrypt backups?")
    for number in range(1, 5):
        EntryUse.objects.create(entry=entry, kind="response", object_id=number, digest="" if number == 1 else digest_of(entry))
    assert uses.uses_of(entry, slug="acme")[0].key == "open"


def test_s11_an_address_leaves_entries_their_search_and_never_enters_the_history(client, add):
    jane = "jane.roe@northwind.example"
    entry = add(f"May {jane} call?", f"Ask {jane.upper()}.", variants=[(f"Is {jane} reachable?", False)])
    assert jane not in " ".join(AuditEntry.objects.values_list("summary", flat=True))
    assert jane in set(personal_data.addresses())
    assert personal_data.erase(jane) == {"Library answers": 1, "Library questions": 1}
    found = Entry.objects.get()
    texts = " ".join([found.question, found.text, found.search, *found.variants.values_list("question", flat=True)])
    assert jane not in texts.casefold()
    assert entry.pk == found.pk


def test_what_people_wrote_stays_when_the_copy_goes(add):
    entry = add("Do you encrypt backups?", variants=[("Encrypted?", False)], tags=["T"])
    EntryUse.objects.create(entry=entry, kind="response", object_id=1, digest=digest_of(entry))
    purge()
    found = Entry.objects.get()
    assert (found.variants.count(), found.labels.count(), found.uses.count()) == (1, 1, 1)
