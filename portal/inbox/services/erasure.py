"""Deliveries that mention a person: found and cut when a deletion request asks for it. Their keys stay, as after 90 days."""

import json
from collections.abc import Iterable, Iterator

from portal.inbox.models import Delivery, DeliveryQuerySet, DeliveryState
from portal.page_refresh.services import touch_areas
from portal.platform_api.errors import EMAIL
from portal.tenants.erased_people import naming_erased
from portal.tenants.personal_data import fold, register_holding
from portal.tenants.texts import alone

BATCH = 500
CUT = "Cut: it named a person who was erased."


def mentioning(email: str) -> DeliveryQuerySet:
    """Those whose body, or what was written about it, holds an address. Read here: no database compares such bytes alike."""
    pattern = alone(email)
    return Delivery.objects.filter(pk__in=[key for key, text in _texts() if pattern.search(text)])


def erase(rows: DeliveryQuerySet) -> None:
    """Cut the bodies. One that still waits is not handled any more: nothing of this person is to be fetched again."""
    rows.filter(state=DeliveryState.PENDING).update(state=DeliveryState.IGNORED)
    rows.update(body=b"", is_cut=True, error="", outcome=CUT)
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
        Delivery.objects.filter(pk__in=named).update(body=b"", is_cut=True, error="", outcome=CUT)


def addresses() -> Iterator[str]:
    """Walk every address that stands in a body."""
    seen: set[str] = set()
    for _, text in _texts():
        for found in EMAIL.findall(text):
            if found not in seen:
                seen.add(found)
                yield found


def _texts() -> Iterator[tuple[int, str]]:
    """Walk the deliveries that have a body: key and all words, folded."""
    last = 0
    rows = Delivery.objects.filter(is_cut=False).order_by("pk")
    while batch := list(rows.filter(pk__gt=last).values_list("pk", "body", "error", "outcome")[:BATCH]):
        for key, body, *words in batch:
            yield key, fold(" ".join([_readable(bytes(body)), *words]))
        last = batch[-1][0]


def _readable(body: bytes) -> str:
    """Write a body without JSON's own spelling of other letters, in which an address would not be found."""
    text = body.decode("utf-8", "replace")
    try:
        return json.dumps(json.loads(text), ensure_ascii=False) if "\\u" in text else text
    except (ValueError, RecursionError):
        return text


def register_personal_data() -> None:
    register_holding("Deliveries of the platform", rows=mentioning, erase=erase, addresses=addresses)
