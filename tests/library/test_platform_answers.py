"""The platform's answer library as entries: equal to it, found like the tenant's own, and changed there alone."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from portal.connections.models import CallWindow
from portal.connections.services import Urgency, client_for
from portal.library.kinds import ANSWER
from portal.library.mirror import MIRRORS
from portal.library.models import AnswerPosting, Entry, EntryPair, Label, Origin, State
from portal.library.selectors import find_entries
from portal.library.services import compare
from portal.library.similarity import Search
from portal.sync.models import Run, RunState
from portal.sync.services import reconcile, start_reconcile
from portal.tags.mirror import MIRRORS as TAGS
from portal.tags.models import Category
from portal.tenants import erased_people, personal_data
from portal.tenants.models import Role
from portal.tenants.offboarding import purge
from portal.tenants.scope import tenant_scope
from portal.work_items.models import WorkItem
from tests.library.conftest import PAGE, read_file, typed
from tests.library.test_import import confirm, preview
from tests.support.desks import MirroredDesk
from tests.support.kept import after
from tests.work_items.support import kept_up

pytestmark = pytest.mark.both

QUESTION, TEXT = "Do you encrypt backups at rest?", "Yes. Backups are encrypted with AES-256."


class Desk(MirroredDesk):
    mirrors = (*TAGS, *(mirror for mirror in MIRRORS if mirror.kind == ANSWER))

    def add_answer(self, answer_id: str = "a1", **values: object) -> Entry:
        """Put an answer into the platform's library, and read it."""
        example = self.objects.all(self.tenant_id, "answers")[0]
        fresh = {"id": answer_id, "question": QUESTION, "answer": TEXT, "tags": [], "expirationDate": None}
        verified = {"expirationStatus": "CURRENT", "lastVerified": "2026-01-02T03:04:05.000Z"}
        self.objects.add(self.tenant_id, "answers", example | fresh | verified | values)
        self.compare()
        return self.stored(answer_id)

    def stored(self, answer_id: str = "a1") -> Entry:
        return Entry.objects.with_state(timezone.localdate()).get(platform_id=answer_id)


def copied(sandbox, tenant_id) -> None:
    desk = Desk(sandbox, tenant_id)
    desk.compare()
    # What tags are called is read behind the lists: the next comparison knows it.
    desk.compare()


@pytest.fixture
@after(copied)
def desk(connected, scoped, sandbox, platform_tenant, owner) -> Desk:
    return Desk(sandbox, platform_tenant["tenant_id"])


def ask(question: str, most: int = 5) -> list[Entry]:
    return [each.entry for each in find_entries(Search(question), today=timezone.localdate(), most=most)]


def compared() -> None:
    while compare():
        pass


def test_every_answer_is_an_entry_as_the_platform_has_it(desk):
    there = desk.there("answers")
    entries = {row.platform_id: row for row in Entry.objects.all()}
    assert entries.keys() == there.keys()
    names = {tag["id"]: tag["name"] for category in Category.objects.all() for tag in category.tags}
    for answer_id, said in there.items():
        row = entries[answer_id]
        assert (row.question, row.text, row.origin) == (said["question"], said["answer"], Origin.PLATFORM)
        assert row.changed_at == parse_datetime(said["lastUpdated"])
        assert row.verified_at == (parse_datetime(said["lastVerified"]) if said["lastVerified"] else None)
        tags = Label.objects.filter(entry=row).order_by("name").values_list("name", flat=True)
        assert sorted(tags) == sorted(names[each["tagId"]] for each in said["tags"])
    assert any(row.labels.exists() for row in entries.values())


def test_what_is_equal_is_left_alone_and_what_changed_follows(desk):
    entry = desk.add_answer()
    postings = set(AnswerPosting.objects.filter(entry=entry).values_list("pk", flat=True))
    desk.compare()
    assert set(AnswerPosting.objects.filter(entry=entry).values_list("pk", flat=True)) == postings
    assert Run.objects.get(kind=ANSWER).changed == 0
    desk.change("answers", "a1", answer="Only with rot13.", lastUpdated="2026-05-05T00:00:00.000Z")
    desk.compare()
    assert (desk.stored().text, desk.stored().changed_at) == ("Only with rot13.", parse_datetime("2026-05-05T00:00:00Z"))
    assert Run.objects.get(kind=ANSWER).changed == 1
    assert entry in ask("rot13?")


@pytest.mark.parametrize(
    "change",
    [
        {"question": "Is it changed?"},
        {"lastVerified": None},
        {"expirationDate": "2031-01-02T12:00:00.000Z"},
        {"expirationStatus": "EXPIRED"},
    ],
    ids=["question", "verified", "expires", "expired"],
)
def test_each_thing_that_changes_there_changes_here(desk, change):
    desk.add_answer()
    before = Entry.objects.values().get(platform_id="a1")
    desk.change("answers", "a1", **change)
    desk.compare()
    assert Run.objects.get(kind=ANSWER).changed == 1
    assert Entry.objects.values().get(platform_id="a1") != before


def test_tags_follow(desk):
    desk.add_answer()
    category = Category.objects.exclude(tags=[]).order_by("pk")[0]
    desk.change("answers", "a1", tags=[{"categoryId": category.platform_id, "tagId": category.tags[0]["id"]}])
    desk.compare()
    assert [each.name for each in desk.stored().labels.all()] == [category.tags[0]["name"]]
    desk.change("answers", "a1", tags=[{"categoryId": "unheard", "tagId": "of"}])
    desk.compare()
    assert not desk.stored().labels.exists()


def test_what_is_gone_there_is_gone_here(desk):
    desk.add_answer()
    desk.objects.delete(desk.tenant_id, "answers", "a1")
    desk.compare()
    assert not Entry.objects.filter(platform_id="a1").exists()
    assert Run.objects.get(kind=ANSWER).gone == 1


def test_states_are_the_platforms(desk):
    today = timezone.localdate()
    soon = (timezone.now() + timedelta(days=3)).isoformat()
    assert desk.add_answer("verified").state == State.VERIFIED
    assert desk.add_answer("never", lastVerified=None).state == State.NEEDS_REVIEW
    ends = desk.add_answer("ends", expirationDate=soon)
    assert (ends.state, ends.expires_on) == (State.VERIFIED, today + timedelta(days=3))
    assert desk.add_answer("over", expirationStatus="EXPIRED").state == State.EXPIRED
    assert desk.add_answer("contradictory", expirationStatus="EXPIRED", expirationDate=soon).state == State.EXPIRED
    assert desk.add_answer("unheard", expirationStatus="ON_ICE").state == State.VERIFIED


def test_a_question_without_a_word_keeps_nothing_out(desk):
    count = Entry.objects.count()
    desk.objects.add(
        desk.tenant_id, "answers", desk.objects.all(desk.tenant_id, "answers")[0] | {"id": "odd", "question": "?!"}
    )
    desk.add_answer()
    assert Entry.objects.count() == count + 1
    assert Run.objects.get(kind=ANSWER).state == RunState.DONE
    desk.change("answers", "a1", question="…")
    desk.compare()
    assert Entry.objects.count() == count


def test_it_is_found_behind_the_tenants_own_and_not_repeated(desk, add):
    copy = desk.add_answer()
    assert ask(QUESTION)[0] == copy
    own = add(QUESTION, TEXT)
    found = ask(QUESTION)
    assert found[0] == own
    assert copy not in found
    other = add("Are backups encrypted?", TEXT)
    own.delete()
    assert {copy, other} <= {*ask(QUESTION)}
    desk.change("answers", "a1", answer="No, they are not.")
    desk.compare()
    own = add(QUESTION, TEXT)
    assert ask(QUESTION)[:2] == [own, copy]


def test_it_covers_what_is_asked_and_is_in_no_pair(desk, add):
    copy = desk.add_answer()
    own = add("Do you encrypt your backups at rest?", "No.")
    compared()
    assert not EntryPair.objects.of_entries(own).exists()
    desk.change("answers", "a1", answer="No, they are not.")
    desk.compare()
    compared()
    assert not EntryPair.objects.of_entries(copy).exists()


def test_it_is_nobodys_work(desk, add):
    desk.add_answer("never", lastVerified=None)
    desk.add_answer("ends", expirationDate=(timezone.now() + timedelta(days=3)).isoformat())
    kept_up()
    assert not WorkItem.objects.filter(kind="library_entry").exists()


def test_its_page_says_where_it_is_kept_and_offers_a_copy(client, desk):
    entry = desk.add_answer()
    page = client.get(f"{PAGE}{entry.pk}/").content.decode()
    for words in ("From the platform&#x27;s answer library", "Changed there", TEXT, f"{PAGE}new/?copy={entry.pk}"):
        assert words.replace("&#x27;", "'") in page.replace("&#x27;", "'")
    for path in ("edit/", "verify/", "delete/"):
        assert f"{PAGE}{entry.pk}/{path}" not in page
    listed = client.get(PAGE, {"origin": "platform"}).content.decode()
    assert QUESTION in listed
    assert "On the platform" in listed


@pytest.mark.parametrize("path", ["edit/", "verify/", "delete/"])
def test_nobody_changes_it_here(client, desk, path):
    entry = desk.add_answer()
    assert client.post(f"{PAGE}{entry.pk}/{path}", typed(seen=entry.version)).status_code == 404
    assert desk.stored().text == TEXT


def test_a_copy_is_an_entry_of_ones_own(client, desk):
    entry = desk.add_answer()
    form = client.get(f"{PAGE}new/", {"copy": entry.pk}).context["form"]
    assert (form.initial["question"], form.initial["text"]) == (QUESTION, TEXT)
    client.post(f"{PAGE}new/", typed(question=QUESTION, text=TEXT))
    own = Entry.objects.own().get()
    assert (own.question, own.text, own.origin) == (QUESTION, TEXT, Origin.OWN)
    for key in (own.pk, "x", "9" * 30, 0):
        assert not client.get(f"{PAGE}new/", {"copy": key}).context["form"].initial.get("question")


def test_a_viewer_is_offered_no_copy(client, desk, member):
    entry = desk.add_answer()
    client.force_login(member(Role.VIEWER))
    assert "?copy=" not in client.get(f"{PAGE}{entry.pk}/").content.decode()
    assert client.get(f"{PAGE}new/", {"copy": entry.pk}).status_code == 403


def test_an_import_makes_an_entry_of_ones_own_beside_it(client, desk):
    entry = desk.add_answer()
    [line] = [row for row in read_file(client.post(f"{PAGE}export/")) if row["Question"] == QUESTION]
    assert line["Origin"] == "Platform's answer library"
    confirm(client, preview(client, f"{QUESTION},Other words", head="Question,Answer"))
    assert [row.text for row in Entry.objects.own()] == ["Other words"]
    assert desk.stored().text == entry.text


def test_s11_an_erased_address_does_not_come_back(desk):
    email = "jane@customer.example"
    desk.add_answer(answer=f"Ask {email} or it@acme.example.")
    assert personal_data.count(email) == {"Library answers": 1}
    erased_people.erase(email)
    assert desk.stored().text == "Ask [erased] or it@acme.example."
    desk.compare()
    assert desk.stored().text == "Ask [erased] or it@acme.example."
    assert Run.objects.get(kind=ANSWER).changed == 0


def test_it_goes_with_the_copy_of_the_platforms_data(desk, add):
    own = add(QUESTION, TEXT)
    desk.add_answer()
    purge()
    assert [*Entry.objects.all()] == [own]


def test_s1_another_tenant_sees_none_of_it(client, desk, mallory, globex):
    entry = desk.add_answer()
    client.force_login(mallory)
    assert client.get(f"/t/globex/library/{entry.pk}/").status_code == 404
    assert QUESTION not in client.get("/t/globex/library/").content.decode()
    with tenant_scope(globex.pk):
        assert ask(QUESTION) == []


def test_a_grant_without_the_library_says_so_and_keeps_what_is_own(desk, add, sandbox):
    own = add("Own?", "Own.")
    sandbox.fail("status", method="GET", path="/v1/knowledge-base/answer-library", value=403, times=5)
    CallWindow.objects.all().delete()
    start_reconcile(MIRRORS)
    reconcile(MIRRORS, client_for(Urgency.PERSON), seconds=60)
    assert Run.objects.get(kind=ANSWER).state == RunState.BLOCKED
    assert own in Entry.objects.all()
