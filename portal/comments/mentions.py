"""Who is meant by an @ in a comment: a member's name, first name or mail address, whichever is the longest that fits."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from portal.tenants.models import Membership
from portal.users.models import User

BEGIN = r"(?<![\w@./+%-])@"
SOME_NAME = re.compile(BEGIN + r"(\w[\w.+-]*)")
NOBODY = re.compile(r"(?!)")


@dataclass(frozen=True)
class Mentioned:
    """What the mentions in a text mean."""

    members: dict[int, Membership] = field(default_factory=dict)
    ambiguous: list[str] = field(default_factory=list)
    """Names that several members have."""
    unknown: list[str] = field(default_factory=list)
    """Names that nobody here has."""


def members_of_tenant() -> list[Membership]:
    """Return the members of the tenant in scope who can sign in."""
    return list(Membership.objects.active().select_related("user").order_by("user__name", "user__email"))


def mentioned_in(text: str, *, by: Membership) -> Mentioned:
    """Find the members of the tenant in scope who are mentioned in a text by somebody else."""
    if "@" not in text:
        return Mentioned()
    names = {member: names_of(member.user) for member in members_of_tenant()}
    found, pattern = Mentioned(), pattern_of({name for each in names.values() for name in each})
    for match in pattern.finditer(text):
        fitting = [member for member, called in names.items() if any(_is_same(name, match[1]) for name in called)]
        if len(fitting) > 1:
            found.ambiguous.append(match[1])
        elif fitting[0].pk != by.pk:
            found.members[fitting[0].pk] = fitting[0]
    found.unknown.extend(match[1] for match in SOME_NAME.finditer(text) if not pattern.match(text, match.start()))
    return found


def pattern_of(names: Iterable[str]) -> re.Pattern[str]:
    """Match an @ with one of these names behind it, the longest first."""
    ordered = sorted(names, key=len, reverse=True)
    if not ordered:
        return NOBODY
    return re.compile(rf"{BEGIN}({'|'.join(map(re.escape, ordered))})(?!\w)", re.IGNORECASE)


def names_of(user: User) -> set[str]:
    """Return how somebody can be called."""
    name = user.name.strip()
    return {each for each in (name, name.partition(" ")[0], user.email) if each}


def _is_same(name: str, called: str) -> bool:
    """Compare as the pattern does: lowered or folded, some letters are others than those that it takes for the same."""
    return len(name) == len(called) and re.fullmatch(re.escape(name), called, re.IGNORECASE) is not None
