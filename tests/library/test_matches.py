"""The entry that answers a question is found, however it is asked; of no other tenant, and also after a disconnect."""

import pytest
from django.utils import timezone

from portal.lib.text_keys import key_of
from portal.library import lexicon
from portal.library.models import AnswerPosting, Entry, Posting, Wording
from portal.library.selectors import find_entries
from portal.library.services import EntryContent, add_entry, note_wordings, renew_postings, tenants_with_outdated_postings
from portal.library.similarity import Search, like
from portal.tenants.offboarding import purge
from portal.tenants.scope import tenant_scope
from tests.library.judgement import HELD_BACK, LIBRARY, QUESTIONS, fill_library, judge, lines_of, plain_text
from tests.support.members import find_member

pytestmark = pytest.mark.django_db
MFA = "Is multi-factor authentication required for employees?"


@pytest.fixture
def entry(alice, scoped) -> Entry:
    variants = [("Do staff use a second factor?", False)]
    words = EntryContent(question=MFA, short="Yes", text="A hardware key or a passkey.", variants=variants)
    return add_entry(words, member=find_member(user=alice))


def found(question: str) -> list[Entry]:
    return [each.entry for each in find_entries(Search(question), today=timezone.localdate(), most=5)]


@pytest.mark.parametrize("questions", [QUESTIONS, HELD_BACK])
def test_the_right_entry_is_among_the_first_three_and_plain_full_text_misses_twice_as_many(scoped, questions):
    entries, asked = lines_of(LIBRARY), lines_of(questions)
    ours, plain = judge(fill_library(entries), asked), judge(plain_text(entries), asked)
    assert ours.recall[3] >= 0.9, ours.missed
    assert len(ours.missed) <= len(plain.missed) / 2


@pytest.mark.parametrize(
    "asked",
    [
        "2FA for staff?",
        "Do your workers sign in with a second factor?",
        "is MULTI FACTOR authentication, required for employees",
        "Which of you have a hardware key?",
    ],
)
def test_it_is_found_by_other_words_by_a_variant_and_by_its_answer(entry, asked):
    assert found(asked) == [entry]


def test_the_very_question_is_the_same(entry):
    (best,) = find_entries(Search(MFA.upper()), today=timezone.localdate(), most=1)
    assert (best.percent, best.likeness, best.is_reversed) == (100, "Same", False)


def test_what_shares_nothing_is_not_found(entry):
    assert found("How long are backups kept?") == []
    assert found("?!") == []


def test_s1_nothing_of_another_tenant_is_found(entry, globex):
    with tenant_scope(globex.pk):
        assert found(MFA) == []
        assert like(Search(MFA), most=5) == {}


@pytest.mark.parametrize("asked", ["'; DROP TABLE", "%_\\", "a" * 5000, "\U0001f512 \u202e", "@mfa !filler @x@y.example"])
def test_s3_no_words_break_the_search(entry, asked):
    note_wordings([asked])
    assert entry in found(f"{MFA} {asked}")


def test_s11_an_address_in_a_question_becomes_no_word(scoped):
    note_wordings(["May jane.doe@acme.example see our data?"])
    assert "doe" not in " ".join([Wording.objects.get().words, *Posting.objects.values_list("term", flat=True)])


def test_a_question_that_is_asked_again_is_one_wording(scoped):
    note_wordings([MFA, MFA.upper(), "How often?"])
    note_wordings([MFA])
    assert set(Wording.objects.values_list("key", flat=True)) == {key_of(MFA), key_of("How often?")}


def test_another_lexicon_makes_the_postings_anew(entry, monkeypatch):
    before = set(Posting.objects.values_list("term", flat=True))
    monkeypatch.setattr("portal.library.models.wordings.edition", lambda: "another")
    monkeypatch.setattr("portal.library.models.entries.edition", lambda: "another")
    monkeypatch.setattr("portal.library.services.wordings.edition", lambda: "another")
    Posting.objects.all().delete()
    assert tenants_with_outdated_postings() == [entry.tenant_id]
    renew_postings()
    assert set(Posting.objects.values_list("term", flat=True)) == before
    assert not Wording.objects.outdated().exists()
    assert not Entry.objects.outdated().exists()


def test_entries_are_found_again_once_the_copy_of_the_platforms_data_went(entry):
    purge()
    assert found(MFA) == []
    assert renew_postings() is False
    assert found(MFA) == found("2FA for staff?") == [entry]
    assert AnswerPosting.objects.count() == len(set(AnswerPosting.objects.values_list("term", flat=True)))


def test_a_lexicon_says_which_line_is_none():
    with pytest.raises(ValueError, match="nonsense"):
        lexicon.read(["mfa: two factor", "nonsense"])


def test_no_phrase_stands_twice_and_every_relation_names_concepts():
    phrases, concepts, related = [], set(), set()
    for line in lexicon.FILE.read_text(encoding="utf-8").splitlines():
        name, colon, listed = line.partition(":")
        if relation := lexicon.RELATION.fullmatch(line.strip()):
            related |= {relation[1], relation[3]}
        elif colon and not line.startswith("#"):
            concepts.add(name)
            phrases += dict.fromkeys(tuple(lexicon.stems(phrase)) for phrase in listed.split("|"))
    assert [phrase for phrase in set(phrases) if phrases.count(phrase) > 1] == []
    assert related <= concepts
