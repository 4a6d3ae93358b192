"""Which answer may be given again, and where in a form: a wrong draft is worse than none."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from portal.library.caveats import Caveat, caveats
from portal.library.lexicon import stems
from portal.library.models import Entry
from portal.questionnaires.answers import read_part
from portal.questionnaires.drafted_answers.composition import INCOMPLETE, compose
from portal.questionnaires.drafted_answers.form_values import fit, shortened
from portal.questionnaires.drafted_answers.meaning import Meaning, meaning_of_label, meaning_of_text, without_opening
from portal.questionnaires.drafted_answers.sources import Source
from portal.questionnaires.models import Questionnaire, Response
from portal.questionnaires.schemas import problems
from portal.questionnaires.services.sure_drafts import MIN_CONFIDENCE
from tests.questionnaires.conftest import TWO_PARTS
from tests.questionnaires.draft_sources import MFA, WRITTEN, add_verified, ask_there

YES_NO = {"type": "string", "enum": ["Compliant", "Partially compliant", "Non-compliant", "N/A"], "title": "Status"}
SENTENCES = "Backups are encrypted. The keys are in an HSM. They are rotated every year."


def source(**columns: Any) -> Source:
    return Source(**{"row": Entry(pk=1), "percent": 99, "is_same": True, **columns})


def part(schema: dict[str, Any], part_id: str = "p"):
    return read_part(part_id, schema, value=None, is_required=False)


def test_what_a_choice_means() -> None:
    cases: list[Any] = [
        ("In place", Meaning.YES),
        ("Yes / Compliant", Meaning.YES),
        ("Not in place", Meaning.NO),
        ("Non-compliant", Meaning.NO),
        ("Partially", Meaning.PARTLY),
        ("N/A", Meaning.NOT_APPLICABLE),
        ("Planned", None),
        ("Yes, with exceptions", None),
        ("Yes / No", None),
        ("", None),
    ]
    for label, meaning in cases:
        assert meaning_of_label(label) is meaning, label


def test_what_a_text_says_at_its_beginning() -> None:
    cases: list[Any] = [
        ("Yes. All of them.", Meaning.YES),
        ("No, never.", Meaning.NO),
        ("No company can read it.", None),
        ("Yes, except for legacy systems.", None),
        ("Yes. However, contractors are not covered.", None),
        ("All disks are encrypted.", None),
    ]
    for text, meaning in cases:
        assert meaning_of_text(text) is meaning, text


def test_what_stands_against_giving_an_answer_again() -> None:
    cases: list[Any] = [
        ("Are backups encrypted?", "Do you encrypt backups?", set()),
        ("Are any backups left unencrypted?", "Do you encrypt backups?", {Caveat.CONTRARY}),
        ("Can staff sign in without MFA?", "Do staff sign in with MFA?", {Caveat.CONTRARY}),
        ("Do you allow shared accounts?", "Do you prohibit shared accounts?", {Caveat.CONTRARY}),
        ("May employees share passwords?", "Do you have a password policy for employees?", {Caveat.CONTRARY}),
        ("Is data ever stored in plain text?", "Is data encrypted when stored?", {Caveat.CONTRARY}),
        ("Is data stored outside the EU?", "Is data stored in the EU?", {Caveat.CONTRARY}),
        ("Are there exceptions to the MFA policy?", "Do you have an MFA policy?", {Caveat.CONTRARY}),
        ("Are all laptops encrypted?", "Are backups encrypted?", {Caveat.SCOPE}),
        ("Is all customer data encrypted at rest?", "Is customer data encrypted at rest?", {Caveat.SCOPE}),
        ("Is MFA required?", "Is MFA required for production?", {Caveat.SCOPE}),
        ("Do you notify within 24 hours?", "Do you notify within 72 hours?", {Caveat.NUMBERS}),
        ("Is the policy reviewed annually?", "Is the policy reviewed?", {Caveat.NUMBERS}),
    ]
    for asked, earlier, found in cases:
        stands_against = caveats(asked, stems(earlier), "")
        assert found <= stands_against, asked
        assert bool(found) == bool(stands_against), asked


def test_choices_are_taken_by_their_meaning_and_turned_around_where_the_contrary_is_asked():
    yes = source(meaning=Meaning.YES, short="Yes", text=f"Yes. {SENTENCES}")
    parts = [part(YES_NO, "s"), part({"type": "boolean"}, "b"), part({"type": "string", "title": "Details"}, "t")]
    assert fit(parts, yes) == {"s": "Compliant", "b": True, "t": f"Yes. {SENTENCES}"}
    contrary = source(meaning=Meaning.NO, short="Yes", text=f"Yes. {SENTENCES}", is_reversed=True)
    assert fit(parts, contrary) == {"s": "Non-compliant", "b": False, "t": SENTENCES}
    assert fit([part({"type": "string", "enum": ["Yes", "Implemented"]})], yes) == {"p": "Yes"}
    assert fit([part({"type": "string", "enum": ["In place", "Implemented"]})], yes) == {}
    assert fit([part({"type": "integer", "title": "Retention (days)"})], source(short="30 days")) == {"p": 30}
    assert fit([part({"type": "integer", "title": "Retention (hours)"})], source(short="30 days")) == {}
    several = part({"type": "array", "items": {"enum": ["EU", "US", "UK"]}})
    assert fit([several], source(short="EU, UK")) == {"p": ["EU", "UK"]}
    assert fit([several], source(short="EU, Mars")) == {}


def test_of_several_texts_the_one_that_explains_is_filled_and_the_short_answer_stands_where_there_is_no_choice():
    texts = [part({"type": "string", "title": title}, title) for title in ("Explanation", "Name of the policy")]
    assert fit(texts, source(meaning=Meaning.YES, short="Yes", text=WRITTEN)) == {"Explanation": f"Yes. {WRITTEN}"}
    unclear = [part({"type": "string", "title": title}, title) for title in ("Owner", "Name of the policy")]
    assert fit(unclear, source(text=WRITTEN)) == {}


def test_what_has_only_a_part_of_the_question_chooses_nothing_and_says_neither_yes_nor_no():
    partly = source(meaning=Meaning.YES, short="Yes", text=f"Yes. {SENTENCES}", is_whole=False)
    assert fit([part(YES_NO, "s"), part({"type": "boolean"}, "b"), part({"type": "string"}, "t")], partly) == {"t": SENTENCES}
    assert fit([part({"type": "string"})], partly) == {"p": SENTENCES}


sentence = st.text("abc déß", min_size=1, max_size=30).map(lambda text: f"{text.strip().capitalize() or 'A'}.")


@given(st.lists(sentence, min_size=1, max_size=8).map(" ".join), st.integers(0, 200))
def test_a_text_is_never_cut_within_a_sentence(text, limit):
    kept = shortened(text, limit)
    assert kept is None or (text.startswith(kept) and len(kept) <= limit and kept.endswith("."))
    assert (kept == text) == (len(text) <= limit)


labels = st.sampled_from(["Yes", "No", "Met", "N/A", ""])
shorts = st.sampled_from(["Yes", "No", "30", "EU", ""])
schemas = st.one_of(
    st.fixed_dictionaries({"type": st.just("string"), "title": st.just("Details"), "maxLength": st.integers(0, 80)}),
    st.fixed_dictionaries({"type": st.just("string"), "enum": st.lists(labels, min_size=1)}),
    st.fixed_dictionaries({"type": st.sampled_from(["boolean", "integer", "object"]), "maximum": st.integers(0, 40)}),
    st.fixed_dictionaries({"type": st.just("array"), "items": st.just({"enum": ["Yes", "EU"]}), "minItems": st.integers(0, 2)}),
)


@given(st.dictionaries(st.text(min_size=1, max_size=3), schemas, max_size=4), shorts, st.booleans())
def test_whatever_is_filled_in_passes_its_schema_and_a_reversed_yes_is_never_a_yes(form, short, is_reversed):
    meaning = meaning_of_label(short)
    turned = meaning.contrary if meaning and is_reversed else meaning
    parts = [part(schema, part_id) for part_id, schema in form.items()]
    values = fit(parts, source(short=short, meaning=turned, text=f"{short}. {SENTENCES}", is_reversed=is_reversed))
    for each in parts:
        value = values.get(each.id)
        assert value is None or not problems(value, each.schema)
        if is_reversed and short == "Yes":
            assert value not in (True, "Yes", "Met")
            assert not str(value).startswith("Yes")


def test_what_is_left_out_may_not_take_back_what_is_kept():
    text = "All disks are encrypted. Except those of build servers."
    assert shortened(text, 30) is None
    assert without_opening("Yes, all disks.") == "All disks."


@pytest.mark.django_db
class TestComposing:
    """What a draft is made of."""

    def draft(self, response: Response):
        return compose(response, now=timezone.now())

    def test_a_reversed_variant_turns_the_answer_around(self, desk, alice_here):
        add_verified(alice_here, variants=[("Can employees sign in without a second factor?", True)])
        found = self.draft(ask_there(desk, "Can employees sign in without a second factor?"))
        assert (found.reason, found.values) == ("same", {"p1": "No", "p2": WRITTEN})

    def test_a_reversed_question_has_no_yes(self, desk, alice_here):
        add_verified(alice_here)
        for begin in ("Can employees sign in without", "Are any employees exempt from"):
            found = self.draft(ask_there(desk, f"{begin} multi-factor authentication?"))
            assert (found.values, found.at_least(0).reason) == ({}, "contrary")

    def test_sources_that_contradict_each_other_make_no_draft(self, desk, alice_here):
        add_verified(alice_here)
        response = ask_there(desk)
        other = Response.objects.exclude(questionnaire=response.questionnaire).filter(gone_at=None).first()
        payload = {**response.payload, "id": other.platform_id, "answerPartsValues": {"p1": "No", "p2": "Not yet."}}
        columns = {"question": MFA, "question_key": response.question_key, "is_answered": True, "answer_key": "x"}
        Response.objects.filter(pk=other.pk).update(payload=payload, **columns)
        assert self.draft(response).reason == "contradiction"

    def test_an_entry_counts_less_once_it_is_to_be_reviewed_and_not_at_all_once_it_expired(self, desk, alice_here):
        entry, response = add_verified(alice_here), ask_there(desk)
        sure = self.draft(response).confidence
        yesterday = timezone.localdate() - timedelta(days=1)
        Entry.objects.filter(pk=entry.pk).update(review_on=yesterday)
        assert 0 < self.draft(response).confidence < sure
        Entry.objects.filter(pk=entry.pk).update(expires_on=yesterday)
        assert self.draft(response).reason == "nothing"

    def test_a_choice_that_stays_empty_lowers_the_confidence_and_another_source_fills_it(self, desk, alice_here):
        entry, response = add_verified(alice_here, short="", text="A passkey is needed."), ask_there(desk)
        found = self.draft(response)
        assert (found.values, found.confidence) == ({"p2": "A passkey is needed."}, INCOMPLETE)
        assert INCOMPLETE < MIN_CONFIDENCE, "nobody saves half an answer unread"
        add_verified(alice_here, f"{MFA}!", text="")
        found = self.draft(response)
        assert (found.reason, found.values) == ("assembled", {"p1": "Yes", "p2": "A passkey is needed."})
        assert {each.row.pk for each in found.sources} > {entry.pk}

    def test_parts_that_may_stay_empty_do_not_lower_it_however_many_they_are(self, desk, alice_here):
        add_verified(alice_here)
        more = {f"p{number}": {"type": "string", "title": f"Field {number}"} for number in range(3, 12)}
        form = {**TWO_PARTS, "properties": TWO_PARTS["properties"] | more}
        assert self.draft(ask_there(desk, schema=form)).confidence == 99

    def test_an_approved_answer_to_the_same_question_is_drafted(self, desk):
        response = ask_there(desk)
        other = Response.objects.exclude(questionnaire=response.questionnaire).filter(gone_at=None).first()
        payload = {**response.payload, "id": other.platform_id, "answerPartsValues": {"p1": "Yes", "p2": WRITTEN}}
        columns = {"question": MFA, "question_key": response.question_key, "is_answered": True, "is_pending": False}
        Questionnaire.objects.filter(pk=other.questionnaire_id).update(completed_at=timezone.now())
        Response.objects.filter(pk=other.pk).update(payload=payload, is_approved=True, **columns)
        found = self.draft(response)
        assert (found.reason, found.values, found.confidence) == ("same", {"p1": "Yes", "p2": WRITTEN}, 97)
        Questionnaire.objects.filter(pk=other.questionnaire_id).update(completed_at=timezone.now() - timedelta(days=800))
        assert self.draft(response).confidence == 82
