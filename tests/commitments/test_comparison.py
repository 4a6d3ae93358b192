"""Which promise is harder to keep: by hand, and as rules over every pair of them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.commitments.comparison import OPPOSITE, Promise, compare, length_of, strictest
from portal.commitments.models import Term, Unit, Verdict
from portal.commitments.units import LENGTHS, UNITS

pytestmark = pytest.mark.once


def promise(text: str) -> Promise:
    amount, _, unit = text.partition(" ")
    return Promise(Decimal(amount), unit) if amount.replace(".", "").isdecimal() else Promise(words=text)


@pytest.mark.parametrize(
    ("term", "one", "standard", "verdict", "words"),
    [
        ("breach-notice", "24 hours", "72 hours", "harder", ""),
        ("breach-notice", "72 hours", "24 hours", "easier", ""),
        ("breach-notice", "72 hours", "3 days", "equal", ""),
        (
            "breach-notice",
            "24 hours",
            "1 business-days",
            "harder",
            "1 business day lasts at least 24 hours, and 72 over a weekend.",
        ),
        ("breach-notice", "1 business-days", "24 hours", "easier", "72 over a weekend"),
        ("breach-notice", "36 hours", "1 business-days", "harder", "Compared by the worst case."),
        ("breach-notice", "1 business-days", "36 hours", "harder", "Compared by the worst case."),
        ("breach-notice", "1 business-days", "2 business-days", "harder", ""),
        ("breach-notice", "without undue delay", "24 hours", "unknown", "a person has to judge"),
        ("breach-notice", "Without undue  delay.", "without undue delay", "equal", ""),
        ("subprocessor-notice", "60 days", "30 days", "harder", ""),
        ("subprocessor-notice", "14 days", "30 days", "easier", ""),
        ("subprocessor-notice", "1 months", "30 days", "harder", "1 month lasts 28 to 31 days."),
        ("deletion", "1 months", "90 days", "harder", "1 month lasts 28 to 31 days."),
        ("deletion", "12 months", "90 days", "easier", "12 months last 362 to 368 days."),
        ("audit-rights", "2 times-a-year", "1 times-a-year", "harder", ""),
        ("availability", "99.95 percent", "99.9 percent", "harder", ""),
        ("data-location", "within the European Union", "within Germany", "unknown", "a person has to judge"),
        ("retention", "12 months", "6 months", "unknown", "It's unclear"),
        ("retention", "12 months", "12 months", "equal", ""),
        ("other", "12 months", "99 percent", "unknown", "cannot be compared"),
    ],
)
def test_a_promise_stands_so_against_the_standard(term, one, standard, verdict, words):
    found = compare(term, promise(one), promise(standard))
    assert found.verdict == verdict
    assert words in found.description
    assert bool(found.description) == bool(words)


def test_without_a_standard_nothing_is_said():
    assert compare(Term.DELETION, promise("30 days"), None).verdict == Verdict.NONE


TERMS = st.sampled_from(list(Term))
NUMBERS = st.builds(
    Promise,
    st.decimals(min_value=Decimal("0.5"), max_value=400, places=1).map(lambda number: number.normalize()),
    st.sampled_from([unit.value for unit in Unit if unit]),
)
WHOLE = st.builds(Promise, st.integers(1, 120).map(Decimal), st.sampled_from([unit.value for unit in LENGTHS]))
WORDS = st.builds(lambda words: Promise(words=words), st.sampled_from(["promptly", "EU only", "Promptly."]))
PROMISES = st.one_of(NUMBERS, WORDS)


@given(TERMS, PROMISES, PROMISES)
def test_every_two_promises_get_an_answer(term, one, other):
    found = compare(term, one, other)
    assert found.verdict in (Verdict.HARDER, Verdict.EASIER, Verdict.EQUAL, Verdict.UNKNOWN)
    if found.verdict == Verdict.UNKNOWN or not found.is_order:
        assert found.description


@given(TERMS, PROMISES)
def test_a_promise_is_equal_to_itself(term, one):
    assert compare(term, one, one).verdict == Verdict.EQUAL


@given(TERMS, PROMISES, PROMISES)
def test_an_order_turns_round_with_its_sides(term, one, other):
    there, back = compare(term, one, other), compare(term, other, one)
    assert there.is_order == back.is_order
    if there.is_order:
        assert back.verdict == OPPOSITE.get(there.verdict, there.verdict)
    elif there.verdict != Verdict.UNKNOWN:
        # By the worst case each of them can be the harder one.
        assert there.verdict == back.verdict == Verdict.HARDER


@given(st.sampled_from([Term.BREACH_NOTICE, Term.DELETION, Term.SUBPROCESSOR_NOTICE]), WHOLE, WHOLE, WHOLE)
def test_an_order_hands_itself_on(term, one, other, third):
    first, second = compare(term, one, other), compare(term, other, third)
    if first.is_order and second.is_order and first.verdict == second.verdict == Verdict.HARDER:
        assert compare(term, one, third).verdict == Verdict.HARDER


@given(st.sampled_from(list(Term)), st.lists(PROMISES, min_size=1, max_size=6))
def test_the_strictest_is_one_of_them_and_none_is_plainly_harder(term, promises):
    found = strictest(term, promises)
    assert found in promises
    fitting = [each for each in promises if each.unit in UNITS[term]]
    hardest = strictest(term, fitting)
    for each in fitting:
        against = compare(term, each, hardest)
        assert not (against.verdict == Verdict.HARDER and against.is_order)


@given(WHOLE)
def test_a_length_lasts_at_least_as_long_as_at_most(one):
    length = length_of(one)
    assert 0 < length.least <= length.most


@given(st.integers(1, 60), st.sampled_from([unit.value for unit in LENGTHS]))
def test_more_of_a_unit_never_lasts_less(number, unit):
    less, more = (length_of(Promise(Decimal(each), unit)) for each in (number, number + 1))
    assert less.least < more.least
    assert less.most < more.most
