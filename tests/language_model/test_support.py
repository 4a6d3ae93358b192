"""What the model wrote counts only where its sources say it."""

import pytest

from portal.language_model.prompts import Sentence, Unreadable, sentences_of
from portal.language_model.support import is_supported

SOURCE = (
    "All customer data is encrypted at rest with AES-256. Keys are rotated every year and kept in a hardware security module. "
    "Backups are not kept outside of the EU."
)


@pytest.mark.parametrize(
    "text",
    [
        "All customer data is encrypted at rest with AES-256.",
        "Keys are kept in a hardware security module and rotated every year.",
        "Backups are not kept outside of the EU.",
        "At rest, all customer data is encrypted with AES-256, and keys are rotated every year.",
    ],
)
def test_what_the_source_says_is_supported(text):
    assert is_supported(text, [SOURCE])


@pytest.mark.parametrize(
    "text",
    [
        "All customer data is encrypted at rest with AES-512.",
        "Customer data is not encrypted at rest.",
        "Backups are kept outside of the EU.",
        "Keys are rotated every month.",
        "All customer data and all laptops are encrypted at rest with AES-256.",
        "We are certified for FedRAMP High.",
        "Keys are rotated every year by an independent auditor under our bug bounty program.",
        "Yes.",
        "",
    ],
)
def test_what_it_does_not_say_is_not(text):
    assert not is_supported(text, [SOURCE])


@pytest.mark.parametrize(
    "answer", ["", "Sure! Here you go.", "[]", "{}", '{"sentences": 4}', '{"sentences": [["a"]]}', "[" * 9999]
)
def test_an_answer_of_another_form_is_none(answer):
    with pytest.raises(Unreadable):
        sentences_of(answer, number=2)


def test_a_fence_around_it_does_no_harm_and_a_sentence_without_a_source_is_left_out():
    rows = '{"text": "One.", "sources": [2, 1, 9, true, "1"]}, {"text": "Two.", "sources": []}, {"text": " ", "sources": [1]}'
    assert sentences_of(f'```json\n{{"sentences": [{rows}]}}\n```', number=2) == [Sentence("One.", (0, 1))]
