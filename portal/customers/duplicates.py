"""Accounts that may be one customer: the same mail domain, the same name but for its legal form, or one letter apart."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from portal.accounts.models import Account
from portal.accounts.services import AREA as ACCOUNTS
from portal.customers.models import NotDuplicates, pair_of
from portal.lib.free_mail import is_free_mail
from portal.page_refresh.services import cached_by_version

LEGAL_FORMS = """
    ab ag and as bv co company corp corporation gmbh group holding inc incorporated kg limited llc llp ltd mbh nv oy plc sa sarl
    sas se spa srl the und
"""
LEGAL = frozenset(LEGAL_FORMS.split())
"""What a name may have or not without being another company's."""
NEIGHBOURS = 4
"""Names that stand so near in the alphabet are compared letter by letter; all with all would be two hundred million."""
MIN_LIKE = 6
MAX_OF_ONE = 20
"""A name such as "Test" may have hundreds of accounts: so many are suggested at once, more once these are done."""
MAX_FOUND = 2000
MAX_SHOWN = 100
DOMAIN, NAME, LIKE = "Same email domain", "Same name", "Similar name"

type Row = tuple[str, str, str]
"""Id, name and mail domain of an account."""


@dataclass(frozen=True)
class Pair:
    """Two customers that may be one, and why. The older one comes first."""

    one: Account
    other: Account
    reasons: tuple[str, ...]

    @property
    def description(self) -> str:
        return ", ".join([self.reasons[0], *(reason.lower() for reason in self.reasons[1:])])


@dataclass(frozen=True)
class Duplicates:
    """The pairs that are open, those that were put away, and how many more there are."""

    open: list[Pair]
    dismissed: list[Pair]
    more: int


def suggested() -> Duplicates:
    """Put the pairs together, those with the most reasons first."""
    # Looked for over all accounts: once for every change of theirs, not for every look.
    found = cached_by_version(ACCOUNTS, "duplicates", lambda: list(find(_rows())))
    said = set(NotDuplicates.objects.values_list("one_id", "other_id"))
    dismissed = [each for each in found if pair_of(each[0], each[1]) in said]
    still = [each for each in found if pair_of(each[0], each[1]) not in said]
    return Duplicates(_pairs(still[:MAX_SHOWN]), _pairs(dismissed[:MAX_SHOWN]), max(len(still) - MAX_SHOWN, 0))


def _rows() -> list[Row]:
    """The customers as they stand, the oldest first."""
    rows = Account.objects.present().of_customers().order_by("created_at", "id")
    return list(rows.values_list("platform_id", "name", "domain"))


def _pairs(found: Sequence[tuple[str, str, tuple[str, ...]]]) -> list[Pair]:
    ids = {account_id for one_id, other_id, _ in found for account_id in (one_id, other_id)}
    accounts = {row.platform_id: row for row in Account.objects.filter(platform_id__in=ids).defer("payload", "search")}
    return [
        Pair(accounts[one_id], accounts[other_id], reasons)
        for one_id, other_id, reasons in found
        if one_id in accounts and other_id in accounts
    ]


def find(rows: Sequence[Row]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Find pairs of ids with the reasons. Of three alike the first is suggested with each of the others."""
    reasons: dict[tuple[str, str], list[str]] = defaultdict(list)
    order = {platform_id: number for number, (platform_id, _, _) in enumerate(rows)}
    for reason, groups in ((DOMAIN, _same_domain(rows)), (NAME, _same_name(rows)), (LIKE, _like_name(rows))):
        for first, *others in groups:
            for other in others[:MAX_OF_ONE]:
                pair = (first, other) if order[first] < order[other] else (other, first)
                reasons[pair].append(reason)
    found = [(one_id, other_id, tuple(words)) for (one_id, other_id), words in reasons.items()]
    return sorted(found, key=lambda each: (-len(each[2]), order[each[0]], order[each[1]]))[:MAX_FOUND]


def _same_domain(rows: Iterable[Row]) -> Iterator[list[str]]:
    return _groups((domain, platform_id) for platform_id, _, domain in rows if domain and not is_free_mail(domain))


def _same_name(rows: Iterable[Row]) -> Iterator[list[str]]:
    return _groups((simplified(name), platform_id) for platform_id, name, _ in rows)


def _like_name(rows: Iterable[Row]) -> Iterator[list[str]]:
    firsts: dict[str, str] = {}
    for platform_id, name, _ in rows:
        firsts.setdefault(simplified(name), platform_id)
    names = sorted(name for name in firsts if len(name) >= MIN_LIKE)
    for number, name in enumerate(names):
        for other in names[number + 1 : number + 1 + NEIGHBOURS]:
            if is_one_letter_apart(name, other):
                yield [firsts[name], firsts[other]]


def _groups(keyed: Iterable[tuple[str, str]]) -> Iterator[list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for key, platform_id in keyed:
        if key:
            groups[key].append(platform_id)
    return (ids for ids in groups.values() if len(ids) > 1)


def simplified(name: str) -> str:
    """Leave of a company's name what tells it from others."""
    words = re.findall(r"\w+", name.casefold().replace(".", ""))
    return "".join(word for word in words if word not in LEGAL) or "".join(words)


def is_one_letter_apart(one: str, other: str) -> bool:
    """Say whether a letter is another one, missing, or too many. A digit never is: "Plant 12" is not "Plant 13"."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rests = {one[start:], other[start:]}, {one[start + 1 :], other[start:]}, {one[start:], other[start + 1 :]}
    is_apart = one[start + 1 :] == other[start + 1 :] or any(len(each) == 1 for each in rests)
    return is_apart and [each for each in one if each.isdigit()] == [each for each in other if each.isdigit()]
