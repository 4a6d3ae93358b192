"""How a questionnaire came to its status: the status log, and when it all happened."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Json, moment, pick
from portal.sandbox.seed.stages import FINISHED, PEOPLE_STEPS, machine_steps

HOLD_REASONS = (
    "Waiting for the signed NDA.",
    "The deal is paused until next quarter.",
    "The customer is sending a new version.",
)
REFUSAL_REASONS = (
    "The opportunity was lost.",
    "Answered by our SOC 2 report instead.",
    "Duplicate of an earlier questionnaire.",
)
DUE_OFFSETS: tuple[int | None, ...] = (3, -2, 8, 0, 5, None, 1, 13, -6, 2, 21, 4, 0, -1, 9, None)
"""Days from today until an open questionnaire is due; two of sixteen are due today and three are late."""


@dataclass(frozen=True, kw_only=True)
class Timeline:
    created: datetime
    updated: datetime
    entries: list[Json]


def build_timeline(
    cast: Cast, *, status: str, number: int, kind: str, people: list[Json], machine_id: str, content: Random
) -> Timeline:
    """Tell how the questionnaire came to its status: machine steps in minutes, people's steps over days."""
    machine, human = machine_steps(status, kind=kind), PEOPLE_STEPS.get(status, ())
    machine_time = timedelta(seconds=95) * len(machine)
    age = age_of(status, number=number, content=content) + machine_time
    created = cast.now - age
    updated = created + machine_time + (age - machine_time) * content.uniform(0.4, 0.98) if human else created + machine_time
    log = list(machine_entries(machine, created=created, machine_id=machine_id))
    step = (updated - created - machine_time) / len(human) if human else timedelta()
    for position, name in enumerate(human, start=1):
        person = people[1] if name in {"IN_REVIEW", "APPROVED"} else people[0]
        at = created + machine_time + step * position
        log.append(person_entry(name, at=at, person=person, content=content))
    return Timeline(created=created, updated=updated, entries=log[::-1])


def machine_entries(steps: tuple[str, ...], *, created: datetime, machine_id: str) -> Iterator[Json]:
    for position, name in enumerate(steps, start=1):
        yield {
            "updatedBy": {"id": machine_id, "displayName": None, "email": None},
            "updatedAt": moment(created + timedelta(seconds=95) * position),
            "status": name,
            "message": "The file is protected by a password." if name == "ERROR" else None,
        }


def person_entry(status: str, *, at: datetime, person: Json, content: Random) -> Json:
    message = {
        "ON_HOLD": content.choice(HOLD_REASONS),
        "NO_LONGER_NEEDED": content.choice(REFUSAL_REASONS),
        "APPROVED": pick(content, (2, None), (1, "Checked against the current SOC 2 report.")),
    }.get(status)
    return {
        "updatedBy": {"id": person["id"], "displayName": person["displayName"], "email": person["email"]},
        "updatedAt": moment(at),
        "status": status,
        "message": message,
    }


def age_of(status: str, *, number: int, content: Random) -> timedelta:
    """Choose how long ago the questionnaire arrived, without the machine's time."""
    if status not in PEOPLE_STEPS:
        days = (
            (0.3, 4.0) if status in {"ERROR", "WAITING_ON_COLUMN_SELECTION", "WAITING_ON_COLUMN_APPROVAL"} else (0.0005, 0.02)
        )
    elif status in FINISHED:
        days = (6.0, 180.0)
    elif (DUE_OFFSETS[number % len(DUE_OFFSETS)] or 0) < 0:
        days = (9.0, 21.0)  # what is late already must have arrived before its due date
    else:
        days = (0.5, 19.0)
    return timedelta(days=content.uniform(*days))
