"""The hash chain over audit rows: each link holds the keyed hash of its row and of the link before (guarantee S12).

A row is written with the hash of its content by the transaction that makes the change; its link is made right after the commit.
So a long transaction holds no lock that others of its tenant wait for, and two of them cannot lock each other out. A process
that is killed between the two leaves a row without its link, which the check links then.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.db.models import Max

from portal.audit.keys import keyed_hash
from portal.audit.models import AccountCheck, AccountEvent, AccountLink, ChainCheck, Entry, Link
from portal.tenants.scope import tenant_scope

logger = logging.getLogger(__name__)

LOCK_SPACE = 1_096_107_348
"""Of the advisory locks: nothing else of ours takes one of it."""
BATCH = 1000
START = "0" * 64
CUT_OFF = "cut off: it held at the last check"


@dataclass(frozen=True)
class Break:
    """Where a chain is broken for the first time."""

    place: int
    entry_id: int
    what: str


@dataclass(frozen=True)
class Verdict:
    """What the check has found: how many links hold, the hash of the last of them, and the first that does not."""

    links: int
    head: str
    broken: Break | None = None


@dataclass(frozen=True)
class _Seal:
    """Links the rows that one transaction has written, once it is committed."""

    tenant_id: int | None
    ids: list[int] = field(default_factory=list)

    def __call__(self) -> None:
        ids = [*self.ids]
        self.ids.clear()  # empty: it has run, and takes no more rows
        try:
            seal(self.tenant_id, ids)
        except DatabaseError:
            # What was done is done and written down. The check links what has no link.
            logger.warning("audit rows wait for their links", exc_info=True)


def seal_after_commit(tenant_id: int | None, row_id: int) -> None:
    """Link a row after the commit of the running transaction, together with the others that it writes."""
    for _, waiting, *_ in connection.run_on_commit:
        if isinstance(waiting, _Seal) and waiting.tenant_id == tenant_id and waiting.ids:
            waiting.ids.append(row_id)
            return
    transaction.on_commit(_Seal(tenant_id, [row_id]))


def seal(tenant_id: int | None, ids: Sequence[int]) -> None:
    """Link these rows of a tenant, or of the accounts for None. Rows that have a link, or are not there, are left out."""
    if tenant_id is None:
        _seal(AccountEvent, AccountLink, 0, ids)
        return
    with tenant_scope(tenant_id):
        _seal(Entry, Link, tenant_id, ids)


@transaction.atomic
def _seal(rows: Any, links: Any, owner: int, ids: Sequence[int]) -> None:
    if connection.vendor == "postgresql":  # SQLite has one writer at a time
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LOCK_SPACE, owner % 2**31])
    linked = set(links.objects.filter(entry_id__in=ids).values_list("entry_id", flat=True))
    last = links.objects.order_by("-place").first()
    place, previous = (last.place, last.hash) if last else (0, START)
    made = []
    for row_id, digest in rows.objects.filter(pk__in=set(ids) - linked).order_by("pk").values_list("pk", "digest"):
        place, previous = place + 1, _next_hash(previous, row_id, digest)
        made.append(links(place=place, entry_id=row_id, hash=previous))
    links.objects.bulk_create(made)


def verify(tenant_id: int | None) -> Verdict:
    """Walk one chain and return the first link that does not hold. Rows of ours that have no link yet get theirs before."""
    if tenant_id is None:
        return _up_to(_verify(AccountEvent, AccountLink, None), AccountCheck, AccountLink)
    with tenant_scope(tenant_id):
        return _up_to(_verify(Entry, Link, tenant_id), ChainCheck, Link)


def _up_to(verdict: Verdict, checks: Any, links: Any) -> Verdict:
    """Say where a chain that holds has lost links that it had at the last check."""
    last = checks.objects.first()
    if verdict.broken or last is None or not last.head or links.objects.filter(place=last.links, hash=last.head).exists():
        return verdict
    return replace(verdict, broken=Break(last.links, 0, CUT_OFF))


def _verify(rows: Any, links: Any, tenant_id: int | None) -> Verdict:
    for missing in _without_link(rows, links):
        if forged := [row for row in missing if row.digest != row.compute_digest()]:
            place = (links.objects.aggregate(last=Max("place"))["last"] or 0) + 1
            first_break = _first_break(rows, links)
            return first_break if first_break.broken else Verdict(place - 1, "", Break(place, forged[0].pk, "inserted"))
        seal(tenant_id, [row.pk for row in missing])
    return _first_break(rows, links)


def _without_link(rows: Any, links: Any) -> Iterator[list[Any]]:
    last = 0
    while batch := list(rows.objects.filter(pk__gt=last).order_by("pk")[:BATCH]):
        last = batch[-1].pk
        linked = set(links.objects.filter(entry_id__in=[row.pk for row in batch]).values_list("entry_id", flat=True))
        if missing := [row for row in batch if row.pk not in linked]:
            yield missing


def _first_break(rows: Any, links: Any) -> Verdict:
    place, previous = 0, START
    while batch := list(links.objects.filter(place__gt=place).order_by("place")[:BATCH]):
        found = rows.objects.in_bulk([link.entry_id for link in batch])
        for link in batch:
            row = found.get(link.entry_id)
            if what := _fault(link, row, expected_place=place + 1, previous=previous):
                return Verdict(place, previous, Break(place + 1, link.entry_id, what))
            place, previous = link.place, link.hash
    return Verdict(place, previous)


def _fault(link: Any, row: Any, *, expected_place: int, previous: str) -> str:
    if link.place != expected_place:
        return "cut off: its link was removed"
    if row is None:
        return "removed"
    if row.digest != row.compute_digest():
        return "changed"
    return "" if link.hash == _next_hash(previous, row.pk, row.digest) else "given another link"


def _next_hash(previous: str, row_id: int, digest: str) -> str:
    return keyed_hash(f"{previous}:{row_id}:{digest}")
