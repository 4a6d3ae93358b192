"""Who may call the token endpoint, and when: rules over times and numbers, without a clock and without a database.

The endpoint takes five calls a minute for issuing, refreshing and suspending together (specification section 8): the scarcest
thing there is. So that a person never waits behind machines, a machine's call is *paced*: it is allowed only if afterwards the
next call is soon possible again. On an idle system the burst stays for people; on a busy one nothing is wasted, which a fixed
reserve would. `make bench` prints what that does against first come, first served.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

CALLS_PER_WINDOW = 5
WINDOW_SECONDS = 60.5
"""A little more than the minute of the specification: a call is counted when it arrives there, not when it leaves here."""
NEXT_WITHIN, SECOND_WITHIN = 12.0, 24.0
"""After a machine's call the next one has to be possible this soon, and the one after it this soon (seconds)."""
HELD_WITHIN = 5.0
"""How soon whoever is on the consent screen finds a call for the code, which has to be exchanged within ten seconds."""
MAX_HELD = 3
"""Consent screens open at a time; more could not be served should all come back at once."""
A_MOMENT = 0.001
"""Seconds; so that whoever comes again after the wait is not told, by rounding, to wait for no time at all."""
DAY = 24 * 3600.0


class Urgency(IntEnum):
    """Who waits for the platform; the smaller goes first. A tenant that waits is as urgent as its most urgent caller."""

    CODE = 10
    PERSON = 20
    SUSPENSION = 30
    NEWS = 40
    BULK = 50
    PERIODIC = 60

    @property
    def label(self) -> str:
        return LABELS[self]

    @property
    def is_machine(self) -> bool:
        return self > Urgency.PERSON


LABELS = {
    Urgency.CODE: "People connecting",
    Urgency.PERSON: "People waiting",
    Urgency.SUSPENSION: "Grants being ended",
    Urgency.NEWS: "News from events",
    Urgency.BULK: "Large fetches",
    Urgency.PERIODIC: "Comparisons and keep-alive",
}


MAX_WAITS = {Urgency.NEWS: DAY, Urgency.BULK: DAY, Urgency.PERIODIC: 7 * DAY}
"""What has waited this long goes first, whoever else has more of it: nobody starves."""


def seconds_until_free(ages: Iterable[float], *, calls: int = 1) -> float:
    """Say when that many calls, at most five, are possible at once, given how many seconds ago each call was made."""
    newest_first = sorted(ages)
    others = CALLS_PER_WINDOW - calls
    return max(0.0, WINDOW_SECONDS - newest_first[others]) if len(newest_first) > others else 0.0


def seconds_to_wait(ages: Sequence[float], urgency: Urgency, *, held: int = 0, closed_for: float = 0.0) -> float:
    """Say how long a call has to wait; 0 means now. `held` is the number of people on the consent screen."""
    # That n more are possible so soon after this call is the same as n + 1 being possible so soon without it.
    promises = [(0, 0.0)]
    if urgency != Urgency.CODE:
        promises.append((min(held, MAX_HELD), HELD_WITHIN))
    if urgency.is_machine:
        promises += [(1, NEXT_WITHIN), (2, SECOND_WITHIN)]
    wait = max(seconds_until_free(ages, calls=1 + more) - within for more, within in promises)
    return max(closed_for, wait + A_MOMENT if wait > 0 else 0.0)


def seconds_until_consent(ages: Sequence[float], *, held: int, closed_for: float = 0.0) -> float:
    """Say how long somebody waits before the consent screen, besides the people who are on it.

    What they come back for need not be free already, only as soon as a held call has to be: on a busy system the machines
    take every call the moment it is free, and nobody would ever be let through.
    """
    return max(closed_for, seconds_until_free(ages, calls=held + 1) - HELD_WITHIN, 0.0)


@dataclass(frozen=True)
class Candidate[K]:
    """One tenant's waiting request: how much work waits for the token, and for how many seconds the oldest of it has."""

    key: K
    urgency: Urgency
    work: int
    age: float


def choose[K](candidates: Sequence[Candidate[K]]) -> Candidate[K]:
    """Say whose turn it is: people as they came; then whatever is too old; then the most work for the longest time."""
    people = [each for each in candidates if not each.urgency.is_machine]
    if people:
        return max(people, key=lambda each: (-each.urgency, each.age))
    too_old = [each for each in candidates if each.age >= MAX_WAITS.get(each.urgency, DAY)]
    if too_old:
        return max(too_old, key=lambda each: each.age)
    return max(candidates, key=lambda each: (-each.urgency, each.work * each.age, each.age))
