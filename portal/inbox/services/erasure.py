"""Deliveries that mention a person: found and cut when a deletion request asks for it. Their keys stay, as after 90 days."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

from portal.inbox.models import Delivery, DeliveryQuerySet, DeliveryState
from portal.page_refresh.services import touch_areas
from portal.tenants.erased_people import naming_erased
from portal.tenants.personal_data import fold, register_holding
from portal.tenants.texts import alone, named_in

BATCH = 500
ENDS_OF_LINES = re.compile(r"\\[nrt]")
CUT = "Cut: it named a person who was erased."


def mentioning(email: str) -> DeliveryQuerySet:
    """Those whose body, or what was written about it, holds an address. Read here: no database compares such bytes alike."""
    pattern = alone(email)
    return Delivery.objects.filter(pk__in=[key for key, text in _texts() if pattern.search(text)])


def erase(rows: DeliveryQuerySet) -> None:
    """Cut the bodies. One that still waits is not handled any more: nothing of this person is to be fetched again."""
    _cut(rows)
    touch_areas("inbox")


def cut_those_of_erased_people(deliveries: Iterable[Delivery]) -> None:
    """Cut the bodies of deliveries that were handled, or given up, and name somebody who was erased before they came.

    Whether the person has come back since is not asked: nothing needs the body any more.
    """
    bodies = {each.pk: bytes(each.body) for each in deliveries}
    # JSON may spell the at in its own way.
    texts = {key: _readable(body) for key, body in bodies.items() if b"@" in body or b"\\u" in body}
    named = naming_erased(texts)
    if named:
        _cut(Delivery.objects.filter(pk__in=named))


def _cut(rows: DeliveryQuerySet) -> None:
    # One that failed cannot be handled again either: nobody has to look at it.
    rows.filter(state__in=(DeliveryState.PENDING, DeliveryState.DEAD)).update(state=DeliveryState.IGNORED)
    rows.update(body=b"", is_cut=True, error="", outcome=CUT)


def addresses() -> Iterator[str]:
    """Walk every address that stands in a body."""
    seen: set[str] = set()
    for _, text in _texts():
        found = named_in(text)
        yield from found - seen
        seen |= found


def _texts() -> Iterator[tuple[int, str]]:
    """Walk the deliveries that have a body: key and all words, folded."""
    last = 0
    rows = Delivery.objects.filter(is_cut=False).order_by("pk")
    while batch := list(rows.filter(pk__gt=last).values_list("pk", "body", "error", "outcome")[:BATCH]):
        for key, body, *words in batch:
            yield key, fold(" ".join([_readable(bytes(body)), *words]))
        last = batch[-1][0]


def _readable(body: bytes) -> str:
    """Write a body without JSON's own spelling of other letters and of lines' ends, in which an address would not be found."""
    text = body.decode("utf-8", "replace")
    with suppress(ValueError, RecursionError):
        text = json.dumps(json.loads(text), ensure_ascii=False) if "\\u" in text else text
    return ENDS_OF_LINES.sub(" ", text)


def register_personal_data() -> None:
    register_holding("Deliveries of the platform", rows=mentioning, erase=erase, addresses=addresses)
