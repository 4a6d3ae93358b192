"""Entries that are asked for alike: found in the background, merged into one, or both right."""

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from portal.audit.models import Entry as AuditEntry
from portal.library.models import Entry, EntryPair, EntryUse, PairKind
from portal.library.pair_pages import marked
from portal.library.services import EntryContent, Gone, change_entry, compare, digest_of, dismiss_pair, merge_pair
from portal.library.typed import MAX_VARIANTS
from portal.tenants.models import Role
from tests.library.conftest import PAGE
from tests.support.members import find_member

pytestmark = pytest.mark.both

ONE = "Do you encrypt backups at rest?"
TWO = "Are your backups encrypted at rest?"


def pairs() -> dict[tuple[int, int], tuple[int, bool]]:
    while compare():
        pass
    return {(row.first_id, row.second_id): (row.kind, row.is_reversed) for row in EntryPair.objects.open()}


def test_entries_asked_for_alike_are_paired_and_what_contradicts_is_a_conflict(add):
    one = add(ONE, "Yes. They are kept for 30 days.")
    same = (PairKind.SAME_ANSWER, False)
    for text, kind in (
        ("Yes. They are kept for 30 days!", PairKind.SAME_ANSWER),
        ("Yes. We keep them for a month.", PairKind.OTHER_WORDS),
        ("Yes. They are kept for 720 hours and then overwritten.", PairKind.OTHER_WORDS),
        ("Yes. They are kept for 14 days.", PairKind.CONFLICT),
        ("No. They are not.", PairKind.CONFLICT),
    ):
        two = add(TWO, text)
        assert pairs() == {(one.pk, two.pk): (kind, False)}
        two.delete()
    other = add("Who may enter the office?", "Employees.")
    third = add(TWO, "Yes. They are kept for 30 days.")
    assert pairs() == {(one.pk, third.pk): same}
    assert other.pk


def test_the_contrary_in_the_contrary_question_is_no_conflict(add):
    one = add("Are backups encrypted?", "Yes.")
    for text, kind in (("No.", PairKind.OTHER_WORDS), ("Yes.", PairKind.CONFLICT)):
        two = add("Are backups not encrypted?", text)
        assert pairs() == {(one.pk, two.pk): (kind, True)}
        two.delete()


def test_what_is_of_another_product_or_language_is_no_duplicate(add):
    add(ONE, "Yes.", products=["Cloud"])
    add(TWO, "No.", products=["Server"])
    add(TWO, "Ja.", language="German")
    assert pairs() == {}


def test_merging_keeps_one_answer_and_moves_the_rest(client, add, owner):
    one = add(ONE, "Yes, with AES.", tags=["Crypto"], variants=[("Encrypted backups?", False)])
    two = add(TWO, "Yes, all.", tags=["Backup", "crypto"], products=["Cloud"], variants=[("Are backups in plain text?", True)])
    EntryUse.objects.create(entry=one, kind="response", object_id=1, digest=digest_of(one))
    for number in (1, 2):
        EntryUse.objects.create(entry=two, kind="response", object_id=number, digest=digest_of(two))
    pairs()
    pair = EntryPair.objects.get()
    address = f"{PAGE}duplicates/{pair.pk}/merge/"
    page = client.get(f"{PAGE}duplicates/").content.decode()
    assert f'data-open-dialog="merge-{pair.pk}-{one.pk}"' in page
    assert client.post(address, {"keep": f"{one.pk} then {two.version}"})["Location"] == f"{PAGE}duplicates/"
    assert client.post(address, {"keep": "7 a b"}).status_code == 404
    assert Entry.objects.count() == 2
    keep = f"{one.pk} {one.version} {two.version}"
    assert client.post(address, {"keep": keep})["Location"] == f"{PAGE}{one.pk}/"
    kept = Entry.objects.get()
    assert (kept.pk, kept.text, kept.use_count) == (one.pk, "Yes, with AES.", 2)
    assert {each.question: each.is_reversed for each in kept.variants.all()} == {
        "Encrypted backups?": False,
        TWO: False,
        "Are backups in plain text?": True,
    }
    # The kept one named no product: it holds for all of them.
    assert [each.name for each in kept.labels.all()] == ["Backup", "Crypto"]
    assert {each.object_id: each.digest == digest_of(kept) for each in kept.uses.all()} == {1: True, 2: False}
    assert AuditEntry.objects.filter(action="library_entry.merged").count() == 2
    assert pairs() == {}


def test_two_who_merge_the_same_pair_at_once_are_both_told_what_came_of_it(client, add, owner):
    one, two = add(ONE, "Yes, in 30 days."), add(TWO, "Yes, in 14 days.")
    pairs()
    # Both have read it before the first one merges.
    pair = EntryPair.objects.select_related("first", "second").get()
    seen = [two.version, one.version]
    merge_pair(pair, kept=two, seen=seen, member=owner)
    with pytest.raises(Gone):
        merge_pair(pair, kept=two, seen=seen, member=owner)
    answer = client.post(f"{PAGE}duplicates/{pair.pk}/merge/", {"keep": f"{two.pk} {' '.join(seen)}"}, follow=True)
    assert "Not merged. Someone changed one of them or decided on them in the meantime." in answer.content.decode()
    assert answer.redirect_chain == [(f"{PAGE}duplicates/", 302)]
    assert [each.pk for each in Entry.objects.all()] == [two.pk]
    assert AuditEntry.objects.filter(action="library_entry.merged").count() == 2


def test_more_than_one_entry_can_have_is_not_merged(add, owner):
    one = add(ONE, "Yes.", variants=[(f"Is it so, case {number}?", False) for number in range(MAX_VARIANTS)])
    two = add(TWO, "Yes.")
    pairs()
    pair = EntryPair.objects.filter(first=one, second=two).get()
    with pytest.raises(ValidationError):
        merge_pair(pair, kept=one, seen=[one.version, two.version], member=owner)
    assert Entry.objects.count() == 2


def test_both_are_right_until_one_of_them_changes(client, add, owner):
    one, two = add(ONE, "Yes, in 30 days."), add(TWO, "Yes, in 14 days.")
    [_] = pairs()
    pair = EntryPair.objects.get()
    client.post(f"{PAGE}duplicates/{pair.pk}/keep-both/")
    assert pairs() == {}
    Entry.objects.update(stale_since=one.changed_at)
    assert pairs() == {}
    again = client.post(f"{PAGE}duplicates/{pair.pk}/keep-both/", follow=True)
    assert "Not dismissed. Someone changed one of them or decided on them in the meantime." in again.content.decode()
    change_entry(two, EntryContent(question=TWO, text="Yes, in 15 days."), review_on=None, member=owner)
    assert pairs().keys() == {(one.pk, two.pk)}


def test_conflicts_come_first_and_the_words_that_differ_are_marked(client, add):
    add("How long are logs kept?", "Logs are kept for a year.")
    add("For how long are logs kept?", "We keep logs for a year.")
    add(ONE, "Yes, in 30 days.")
    add(TWO, "Yes, in 14 days.")
    pairs()
    page = client.get(f"{PAGE}duplicates/")
    assert [pair.kind for pair, _ in page.context["pairs"]] == [PairKind.CONFLICT, PairKind.OTHER_WORDS]
    assert b"<mark>30</mark>" in page.content
    left, right = marked("We keep it, for 30 days.", "we keep it for 14 days")
    assert [(piece.text, piece.is_different) for piece in left] == [("We keep it, for", False), ("30", True), ("days.", False)]
    assert [piece.text for piece in right if piece.is_different] == ["14"]


def test_s1_viewers_and_other_tenants_decide_nothing(client, add, owner, bob, scoped, mallory, globex):
    one, two = add(ONE, "Yes."), add(TWO, "No.")
    pairs()
    pair = EntryPair.objects.get()
    viewer = find_member(tenant=scoped, user=bob)
    assert not viewer.may(Role.ANALYST)
    with pytest.raises(PermissionDenied):
        dismiss_pair(pair, member=viewer)
    with pytest.raises(PermissionDenied):
        merge_pair(pair, kept=one, seen=[one.version, two.version], member=viewer)
    client.force_login(bob)
    page = client.get(f"{PAGE}duplicates/").content.decode()
    assert 'data-open-dialog="merge' not in page
    client.force_login(mallory)
    for address in ("merge", "keep-both"):
        answer = client.post(f"/t/globex/library/duplicates/{pair.pk}/{address}/")
        assert answer["Location"] == "/t/globex/library/duplicates/", "as for one that nobody ever had"
    assert client.get("/t/globex/library/duplicates/").context["pairs"] == []
    assert EntryPair.objects.open().exists()
