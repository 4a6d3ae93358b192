"""Everything a person can have done on the platform, in each of its moods: done once or not at all, and told as it is."""

from collections.abc import Iterable

import pytest

from tests.contrary.deeds import DEEDS, MADE, NOT_MADE, UNSAID, Deed, Sent
from tests.contrary.house import House, body_of, expect_none
from tests.contrary.platform import CANARY, LOSING, REFUSING, Mood
from tests.contrary.platform.moods import LOSES

pytestmark = pytest.mark.once

SWEEPS = (
    *("sweep_deletion_requests", "sweep_uploads", "sweep_contract_work", "sweep_decisions", "sweep_exports", "sweep_bulk_runs"),
    *("sweep_viewer_runs", "sweep_intakes", "sweep_creations", "sweep_switches", "sweep_stale_marks"),
    "sweep_publications",
)
HOURS = (40, 70, 300, 3600, 6 * 3600, 8 * 3600)
"""What passes between two turns of the workers, until everything must have been settled."""
DAILY = ("404 in its own JSON that passes", "500 after the work", "a line that dies after the work", "200 with a page")
"""The moods that are tried with every run: nothing done, and done in each of the ways in which that is not told."""
AT_ONCE = 10
EVERY = (*REFUSING, *LOSING)
GROUPS = [EVERY[start : start + AT_ONCE] for start in range(0, len(EVERY), AT_ONCE)]


@pytest.fixture
def forms(filled: House) -> dict[Deed, Sent]:
    """What each deed sends, read from the pages once."""
    return {deed: deed.form(filled) for deed in DEEDS}


def test_w1_every_write_works_about_ids_with_every_character(filled: House):
    faults = []
    for deed in DEEDS:
        try:
            status = deed.act(filled).status_code
        except (AssertionError, LookupError) as error:
            faults.append(f"{deed}: {error}"[:300])
        else:
            faults += [f"{deed}: {status}"] if status >= 400 else []
    wait(filled)
    for deed in DEEDS:
        count, state = deed.effects(filled), deed.state(filled)
        faults += [f"{deed}: done {count} times, {state}"] if count != 1 or state not in ("", *MADE) else []
    expect_none(faults + filled.crew.failed + sorted(filled.crew.unknown) + filled.platform.faults)


def act_in(house: House, forms: dict[Deed, Sent], mood: Mood, *, only_writes: bool) -> list[str]:
    """Do everything in a mood, let it pass, and return what is wrong then."""
    faults, claims = [], {}
    house.platform.feel(mood, only_writes=only_writes)
    for deed, sent in forms.items():
        answer = house.post_form(*sent)
        told = house.told()
        faults += [f"{deed}: answers {answer.status_code}"] if answer.status_code >= 500 else []
        faults += [f"{deed}: shows the platform's page"] if CANARY in str(told) or CANARY.encode() in body_of(answer) else []
        claims[deed] = [words for level, words in told if level == "success"]
    house.clocks.pass_time(35)
    house.crew.tick(*SWEEPS)
    house.platform.calm()
    wait(house)
    for deed in forms:
        count, state = deed.effects(house), deed.state(house)
        is_unknowable = deed.leaves_no_trace and mood.kind == LOSES
        if (
            count > 1
            or state not in ("", *MADE, *NOT_MADE, *UNSAID)
            or (state in MADE and count != 1)
            or (state in NOT_MADE and count and not is_unknowable)
        ):
            faults.append(f"{deed}: done {count} times, and is {state or 'not kept'}")
        if claims[deed] and not state and not count:
            faults.append(f"{deed}: was not done, and told {claims[deed]}")
    faults += house.crew.failed + sorted(house.crew.unknown) + house.platform.faults
    house.crew.failed, house.platform.faults = [], []
    return faults


def wait(house: House) -> None:
    for seconds in HOURS:
        house.clocks.pass_time(seconds)
        house.crew.tick(*SWEEPS)


def faults_in(house: House, forms: dict[Deed, Sent], moods: Iterable[Mood], *, only_writes: bool) -> list[str]:
    found = []
    for mood in moods:
        with house.as_if():
            found += [f"{mood}: {fault}" for fault in act_in(house, forms, mood, only_writes=only_writes)]
    return found


def test_w1_a_write_is_done_once_or_not_at_all_and_told_as_it_is(filled: House, forms: dict[Deed, Sent]):
    expect_none(faults_in(filled, forms, [mood for mood in EVERY if mood.name in DAILY], only_writes=True))


@pytest.mark.moods
@pytest.mark.parametrize("moods", GROUPS, ids=lambda moods: moods[0].name)
def test_w1_every_write_in_every_mood(filled: House, forms: dict[Deed, Sent], moods: tuple[Mood, ...]):
    """Here also a look for what became of a write meets the mood."""
    expect_none(faults_in(filled, forms, moods, only_writes=False))
