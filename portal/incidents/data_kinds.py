"""Which promises an incident touches, by the kinds of data that both are about: rules over words, without a database."""

from collections.abc import Collection

from portal.commitments.data_kinds import DataKind

IMPLIED = {DataKind.SPECIAL.value: DataKind.PERSONAL.value}
"""What is always there with another kind: special categories are personal data."""


def is_touched(promised: Collection[str], kinds: Collection[str]) -> bool:
    """Say whether a promise about these kinds of data (none: about any) is touched by an incident with these.

    In doubt it is: when nobody knows yet what was seen, and when the promise names a kind that this list does not have.
    """
    if not promised or DataKind.ANY in kinds or not set(promised) <= set(DataKind.values) - {DataKind.ANY.value}:
        return True
    met = {*kinds, *(IMPLIED[kind] for kind in kinds if kind in IMPLIED)}
    return not met.isdisjoint(promised)


def kinds_words(kinds: Collection[str]) -> str:
    """Name kinds of data in a sentence, in the order of the list; one that the list does not have as it came."""
    known = [kind.label for kind in DataKind if kind.value in kinds]
    return ", ".join([*known, *sorted(set(kinds) - set(DataKind.values))])
