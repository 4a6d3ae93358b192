"""What answers say: what is set aside changes nothing, and what is left tells how serious a difference is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.platform_api import models as remote
from portal.questionnaires.answer_meaning import Meaning, Severity, meaning_of, severity_of
from portal.questionnaires.answer_words import SetAside, stock_key
from portal.questionnaires.answers import Answer

STOCK = "Evidence is available in our Trust Center."
ASIDE = SetAside(names=("Northwind Inc.", "Acme"), stock=frozenset({stock_key(STOCK)}))
SCHEMA = {
    "type": "object",
    "properties": {
        "p1": {"type": "string", "enum": ["Yes", "No", "Partly"]},
        "p2": {"type": "string"},
        "p3": {"type": "array", "items": {"type": "string"}},
    },
}
SOME = ["data", "backups", "keys", "AES", "256", "24", "hours", "weekly", "encrypted"]
WORDS = st.lists(st.sampled_from(SOME), min_size=1).map(" ".join)


def said(text: str = "", choice: str | None = None, lines: list[str] | None = None) -> Meaning:
    values = {"p1": choice, "p2": text, "p3": lines}
    raw = {"id": "r", "question": "?", "answerPartsSchema": SCHEMA, "answerPartsValues": values}
    return meaning_of(Answer(remote.Response.read(raw)), ASIDE)


@given(WORDS, st.sampled_from([f" {STOCK}", "\nPlease contact us if you need more detail.", "  ", " Acme", " Northwind's"]))
def test_what_is_set_aside_changes_no_meaning(words, besides):
    assert said(f"{words}.{besides}") == said(words.upper())
    assert said(f"Last done in March 2025. {words}") == said(f"Last done on 3 June 2026. {words}")


@given(st.permutations(["Ireland", "Germany 2", "not France"]))
def test_the_points_of_a_list_have_no_order(points):
    assert said(lines=points) == said(lines=sorted(points))
    assert said("\n".join(f"- {each}" for each in points)) == said("\n".join(f"* {each}" for each in sorted(points)))


@given(WORDS, WORDS)
def test_a_key_stands_for_the_meaning_and_the_order_of_two_for_nothing(one, other):
    assert (said(one).key == said(other).key) == (said(one) == said(other))
    assert severity_of([said(one), said(other)]) == severity_of([said(other), said(one)])


SEVERITIES = [
    (said("Backups too.", "Yes"), said("Live data only.", "No"), Severity.CONTRARY),
    (said("Yes. Backups too."), said("No, live data only."), Severity.CONTRARY),
    (said("Customer data is stored in the EU."), said("Customer data is not stored in the EU."), Severity.CONTRARY),
    (said("We can export logs daily."), said("We can’t export logs daily."), Severity.CONTRARY),
    (said("Some of it.", "Partly"), said("Some.", "Yes"), Severity.CHOICE),
    (said("Within 24 hours."), said("Within 72 hours."), Severity.FIGURE),
    (said("Kept for 12 months."), said("Kept for twelve days."), Severity.FIGURE),
    (said("TLS 1.2 or later."), said("TLS 1.3 or later."), Severity.FIGURE),
    (said("RSA 2048 keys."), said("RSA 4096 keys."), Severity.FIGURE),
    (said("Restored quarterly."), said("Restored yearly."), Severity.FIGURE),
    (said("AES-256."), said("AES-256, rotated after 90 days."), Severity.WORDS),
]


def test_how_serious_a_difference_is():
    for one, other, severity in SEVERITIES:
        assert severity_of([one, other]) == severity, (one, other)


def test_what_is_written_otherwise_is_the_same():
    for one, other in [
        (said("1,000 users, 99.9 %"), said("1000 Users 99.9%")),
        (said("12 months"), said("twelve months")),
        (said("We don't sell it."), said("We do not sell it.")),
        (said("Yes. Encrypted."), said("Encrypted.", "Yes")),
    ]:
        assert one.key == other.key
    assert said(STOCK).key == ""


@pytest.mark.parametrize("sentence", ["Yes.", "No data leaves the EU.", "We keep it for 30 days here.", "All of it."])
def test_what_may_be_the_answer_is_no_stock_sentence(sentence):
    assert stock_key(sentence) == ""
