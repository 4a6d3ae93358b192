"""From the consent screen to a whole copy, over a platform that is not our sandbox, also in a bad hour of it."""

import re
from collections.abc import Iterable
from contextlib import suppress

import pytest

from portal.connections.models import Connection, State
from portal.library.kinds import KNOWLEDGE_RESOURCE
from portal.sync.models import Run, RunState
from tests.contrary.house import House, body_of, expect_none
from tests.contrary.looks import look_everywhere, picture, wrong_after
from tests.contrary.page_content import read
from tests.contrary.platform import MOODS, TOKENS, Mood
from tests.contrary.platform.moods import FINE, ODD_ITEM
from tests.contrary.words import faults_of
from tests.sync.desk import two_minutes_pass

pytestmark = pytest.mark.once

PAGES = (
    *("", "questionnaires/", "access-requests/", "access-requests/viewers/", "access-requests/viewers/review/"),
    *("contracts/", "customers/", "trust-center-activity/", "tags/", "settings/connection/"),
)
CLAIMS = {
    "questionnaire": re.compile(r"No questionnaires yet|Needs input 0\b"),
    "access_request": re.compile(r"No access requests yet|No one is waiting|Everything is decided|Pending 0\b"),
    "viewer": re.compile(r"No one has access|Active 0\b|No contract 0\b"),
    "contract": re.compile(r"No contracts yet"),
    "account": re.compile(r"No customers yet"),
}
"""What only somebody may say who has read the platform's whole list of these (guarantee R3)."""
DAILY = ("500 as a page", "a list that goes on without a cursor")
AT_ONCE = 12
EVERY = (*MOODS, *TOKENS)
GROUPS = [EVERY[start : start + AT_ONCE] for start in range(0, len(EVERY), AT_ONCE)]


def test_a2_a_platform_that_names_its_own_issuer_can_be_connected(house: House):
    answer = house.connect()
    assert answer["Location"] == f"{house.root}first-hour/connected/"
    with house.scoped():
        assert Connection.objects.get().state == State.ACTIVE


def test_q12_the_first_copy_holds_everything_there_is(filled: House):
    with filled.scoped():
        # The knowledge base is refused, and by a web page.
        refused = Run.objects.exclude(state=RunState.DONE)
        assert set(refused.values_list("kind", flat=True)) == {KNOWLEDGE_RESOURCE}
    assert filled.crew.unknown == set()
    assert filled.crew.failed == []


def first_hour(house: House) -> None:
    """Connect, tell the Trust Center's id, and let the workers fetch what they can."""
    with house.scoped():
        is_active = Connection.objects.filter(state=State.ACTIVE).exists()
    if not is_active:
        house.connect()
        house.crew.work()
    with suppress(LookupError):  # not connected: there is nobody to tell it to
        house.send(f"{house.root}settings/connection/", "trust-center/", slug_id=house.platform.world.slug)
    house.crew.tick()
    house.clocks.pass_time(5)
    house.look()


def claims_in(house: House) -> list[str]:
    """Open the pages of the first hour; return what is wrong with them, and what they claim of a list that nobody has read."""
    with house.scoped():
        was_read = set(Run.objects.exclude(finished_at=None).values_list("kind", flat=True))
    found = []
    for page in PAGES:
        found += faults_of(house, house.root + page, ())
        answer = house.get(house.root + page)
        text = read(body_of(answer)).text if answer.status_code == 200 else ""
        for kind in CLAIMS.keys() - was_read:
            found += [f"{page} claims {claim!r}" for claim in CLAIMS[kind].findall(text)]
    return found


def faults_in(house: House, moods: Iterable[Mood]) -> list[str]:
    """Live through the first hour in each mood, and through the hour after it."""
    house.platform.tokens.names_itself = False
    with house.as_if():
        first_hour(house)
        whole = picture(house)
    found = []
    for mood in moods:
        with house.as_if():
            house.platform.feel(mood)
            first_hour(house)
            faults = claims_in(house)
            house.platform.calm()
            house.pass_time(3700)
            first_hour(house)
            look_everywhere(house)
            with house.scoped():
                two_minutes_pass()
            house.look()
            if mood.kind in (ODD_ITEM, FINE):  # what had no id cannot be asked for: a day later its list is read anew
                house.pass_time(24 * 3600)
                first_hour(house)
            faults += [f"an hour later: {each}" for each in wrong_after(mood, whole, picture(house))]
            faults += house.crew.failed + sorted(house.crew.unknown) + house.platform.faults
            house.crew.failed, house.platform.faults = [], []
        found += [f"{mood}: {fault}" for fault in faults]
    return found


def test_r3_a_first_hour_that_is_bad_claims_nothing_and_ends_with_everything(house: House):
    expect_none(faults_in(house, [mood for mood in EVERY if mood.name in DAILY]))


@pytest.mark.moods
@pytest.mark.parametrize("moods", GROUPS, ids=lambda moods: moods[0].name)
def test_r3_a_first_hour_in_every_mood(house: House, moods: tuple[Mood, ...]):
    expect_none(faults_in(house, moods))
