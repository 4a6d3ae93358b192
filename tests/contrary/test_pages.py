"""Every page of the portal over the contrary platform: none fails, leads nowhere, says what is not so, or asks once a row."""

import pytest

from tests.contrary.crawler import walk
from tests.contrary.house import House, expect_none
from tests.contrary.looks import look_in, touched
from tests.contrary.platform import MOODS, TOKENS

pytestmark = pytest.mark.once

DAILY = (
    *("404 in its own JSON that passes", "lists that are empty"),
    *("one object with nothing but its id", "tokens: 200 with a page"),
)
"""The moods that are tried with every run: one of each kind."""
EVERY = (*MOODS, *TOKENS)
AT_ONCE = 10
GROUPS = [EVERY[start : start + AT_ONCE] for start in range(0, len(EVERY), AT_ONCE)]


def faults_in(house: House, moods) -> list[str]:
    """Walk over all pages, then look at the platform in each mood."""
    found = walk(house, house.root, "/portfolio/")
    return found.faults + [fault for mood in moods for fault in look_in(house, mood, touched(found))]


def test_o13_s5_q12_q15_r5_every_page_can_be_opened_and_a_bad_hour_of_the_platform_takes_nothing_away(filled: House):
    expect_none(faults_in(filled, [mood for mood in EVERY if mood.name in DAILY]))


@pytest.mark.moods
@pytest.mark.parametrize("moods", GROUPS, ids=lambda moods: moods[0].name)
def test_q12_q14_q15_q16_no_mood_of_the_platform_takes_anything_away(filled: House, moods):
    expect_none(faults_in(filled, moods))
