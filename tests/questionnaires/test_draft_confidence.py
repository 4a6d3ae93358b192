"""How sure a draft is: what speaks for it makes it surer, and what it does not tell is left to a person."""

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from portal.lib.text_keys import key_of
from portal.library.models import Wording
from portal.library.services import note_wordings
from portal.library.similarity import Search
from portal.questionnaires.drafted_answers.composition import compose
from portal.questionnaires.drafted_answers.confidence import MAX_PERCENT, Signs, lead_of
from portal.questionnaires.models import DRAFTED_FOR
from tests.questionnaires.draft_sources import WRITTEN, add_verified, ask_there

PLAN = "Do you have a business continuity plan?"
shares = st.floats(0, 1)
signs = st.builds(Signs, score=shares, lead=st.floats(-1, 1), told=shares, asked_for=shares, terms=st.integers(0, 60))


@given(signs, signs)
def test_what_speaks_for_it_never_makes_it_less_sure(one: Signs, other: Signs) -> None:
    best = Signs(
        **{name: max(getattr(one, name), getattr(other, name)) for name in ("score", "lead", "told", "asked_for", "terms")}
    )
    assert 0 <= max(one.percent, other.percent) <= best.percent <= MAX_PERCENT


def test_what_is_far_ahead_is_no_surer_for_being_further_ahead() -> None:
    ahead, alone = (Signs(score=0.4, lead=lead, told=0.5, asked_for=0.5, terms=3).percent for lead in (0.4, 1.0))
    assert ahead == alone < MAX_PERCENT


@pytest.mark.django_db
def test_those_that_ask_for_the_same_are_no_rivals(scoped):
    one, same, other = "Do you encrypt laptops?", "Are laptops encrypted?", "Who may sign in remotely?"
    note_wordings([one, same, other])
    rows = {row.key: row for row in Wording.objects.all()}
    encrypted, again, remote = (rows[key_of(question)] for question in (one, same, other))
    search = Search("Encryption of laptops?")
    assert lead_of(search, encrypted, 0.6, [(again, 0.6)]) == 0.6
    assert lead_of(search, encrypted, 0.6, [(again, 0.6), (remote, 0.7)]) == pytest.approx(-0.1)


@pytest.mark.django_db
def test_a_yes_to_a_plan_is_no_yes_to_what_the_plan_covers(desk, alice_here):
    add_verified(alice_here, PLAN, text=f"Yes. {WRITTEN}")
    whole = compose(ask_there(desk, "Is there a documented business continuity plan?"), now=timezone.now())
    assert (whole.reason in DRAFTED_FOR, whole.values) == (True, {"p1": "Yes", "p2": f"Yes. {WRITTEN}"})
    part = compose(ask_there(desk, "Does the business continuity plan cover pandemics and strikes?"), now=timezone.now())
    assert part.values == {"p2": WRITTEN}
