"""Ids and times in every spelling that the specification allows."""

import itertools
from datetime import UTC, datetime, timedelta, timezone

IDS = (
    "ar/1",
    "a~b.c_d-e",
    "%2e%2e",
    "with two spaces",
    "Prüfbögen-ß-Œ",
    "what?next=1&x=2",
    "#anchor;v=1,2",
    "a/../b",
    "..hidden",
    "/begins-with-one",
    "ends-with-one/",
    "100%",
    'it\'s "quoted" <b>',
    "back\\slash|pipe",
    "plus+and%20twenty",
    "日本語の識別子",
    "🦊-fox",
    "a:b@c$d!e*f(g)",
    "0",
    "null",
    "new",
    "bulk",
    "viewers",
    "rules",
    "import",
    "export",
    "e\u0301",  # two code points that look like one letter
    "{braces}[and]^caret`",
    "no\u00a0break",
    "-",
)
"""Opaque strings (specification 2). Some are words of the portal's own addresses: a platform cannot know those."""
LONGEST = 512


def id_of(kind: str, number: int) -> str:
    """Return the id of one object of a kind. That of the third is as long as an id may be."""
    if number == 2:
        return (f"{kind}-" + "long/" * LONGEST)[:LONGEST]
    chosen = IDS[(sum(map(ord, kind)) + number) % len(IDS)]
    return chosen if number < len(IDS) else f"{chosen}·{number}"


SPELLINGS = (
    lambda at: at.strftime("%Y-%m-%dT%H:%M:%SZ"),
    lambda at: at.astimezone(timezone(timedelta(hours=5, minutes=30))).isoformat(timespec="seconds"),
    lambda at: at.strftime("%Y-%m-%dT%H:%M:%S.") + "123456789Z",
    lambda at: at.astimezone(timezone(timedelta(hours=-8))).isoformat(timespec="milliseconds"),
    lambda at: at.strftime("%Y-%m-%dT%H:%M:%S.5+00:00"),
    lambda at: at.strftime("%Y-%m-%dt%H:%M:%Sz"),
)
_next = itertools.count()


def spell(at: datetime) -> str:
    """Write a time as ISO 8601, each time in another way (RFC 3339)."""
    return SPELLINGS[next(_next) % len(SPELLINGS)](at.astimezone(UTC).replace(microsecond=0))


def read(text: str) -> datetime:
    """Read a time that somebody sent here. Raises ValueError."""
    return datetime.fromisoformat(text.upper())
