"""The hash chain over audit rows: each link holds the keyed hash of its row and of the link before (guarantee S12).

A row is written with the hash of its content by the transaction that makes the change; its link is made right after the commit.
So a long transaction holds no lock that others of its tenant wait for, and two of them cannot lock each other out. A process
that is killed between the two leaves a row without its link, which the check links then.

A keyed head says where the chain ends. It goes on from the end that it knows only: links made after an end was cut off leave it
where it was, and the check finds that ever after.

A chain is walked whole, or in stretches that begin at a link known to hold (see `chain_checks`).
"""

import logging
import math
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

from django.db import DatabaseError, connection, models, transaction
from django.db.models import Exists, OuterRef

from portal.audit.keys import ensure_key, keyed_hash
from portal.audit.models import START, AccountCheck, AccountEvent, AccountHead, AccountLink, ChainCheck, ChainHead, Entry, Link
from portal.tenants.scope import tenant_scope

logger = logging.getLogger(__name__)

LOCK_SPACE = 1_096_107_348
"""Of the advisory locks: nothing else of ours takes one of it."""
BATCH = 1000
NO_LIMIT = sys.maxsize
CUT_OFF = "cut off: it held at the last check"
NOT_AS_LEFT = "cut off: the chain does not end where it was left"

type Mark = tuple[int, str]
"""A place of a chain, and the hash that its link had when it held."""

BEGINNING: Mark = (0, START)


@dataclass(frozen=True)
class Break:
    """Where a chain is broken for the first time."""

    place: int
    entry_id: int
    what: str


@dataclass(frozen=True)
class Verdict:
    """What a walk has found: how many links hold, the hash of the last of them, and the first that does not."""

    links: int
    head: str
    broken: Break | None = None


@dataclass(frozen=True)
class _Chain:
    """What one chain is made of, in the scope of whoever it belongs to."""

    owner: int
    rows: Any
    links: Any
    heads: Any
    checks: Any

    def last_link(self) -> Any:
        return self.links.objects.order_by("-place").first()

    def row_at(self, place: int) -> int:
        return int(self.links.objects.filter(place=place).values_list("entry_id", flat=True).first() or 0)

    def has_link(self, place: int, link_hash: str) -> bool:
        return bool(self.links.objects.filter(place=place, hash=link_hash).exists())

    def lock(self) -> None:
        """Let nobody else make links until the end of the transaction."""
        if connection.vendor == "postgresql":  # SQLite has one writer at a time
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LOCK_SPACE, self.owner % 2**31])


@contextmanager
def _chain_of(tenant_id: int | None) -> Iterator[_Chain]:
    """Open the chain of a tenant, or that of the accounts for None."""
    if tenant_id is None:
        yield _Chain(0, AccountEvent, AccountLink, AccountHead, AccountCheck)
        return
    with tenant_scope(tenant_id):
        yield _Chain(tenant_id, Entry, Link, ChainHead, ChainCheck)


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


def seal_after_commit(tenant_id: int | None, *row_ids: int) -> None:
    """Link rows after the commit of the running transaction, together with the others that it writes."""
    for _, waiting, *_ in connection.run_on_commit:
        if isinstance(waiting, _Seal) and waiting.tenant_id == tenant_id and waiting.ids:
            waiting.ids.extend(row_ids)
            return
    transaction.on_commit(_Seal(tenant_id, [*row_ids]))


def seal(tenant_id: int | None, ids: Sequence[int]) -> None:
    """Link these rows of a tenant, or of the accounts for None. Rows that have a link, or are not there, are left out."""
    with _chain_of(tenant_id) as chain:
        _seal(chain, ids)


@transaction.atomic
def _seal(chain: _Chain, ids: Sequence[int]) -> None:
    chain.lock()
    linked = set(chain.links.objects.filter(entry_id__in=ids).values_list("entry_id", flat=True))
    last, head = chain.last_link(), chain.heads.objects.first()
    place, previous = (last.place, last.hash) if last else (0, START)
    made = []
    for row_id, digest in chain.rows.objects.filter(pk__in=set(ids) - linked).order_by("pk").values_list("pk", "digest"):
        place, previous = place + 1, _next_hash(previous, row_id, digest)
        made.append(chain.links(place=place, entry_id=row_id, hash=previous))
    chain.links.objects.bulk_create(made)
    if made and head and head.is_at(last):
        head.links, head.hash = place, previous
        head.save()


def start_chains(using: str, **_: Any) -> None:
    """Make the key of the chains and the head of the accounts' one, after a migrate, where there is none yet.

    The head comes with the key only: one that somebody removed is missed by the check.
    """
    if ensure_key(using):
        AccountHead.objects.using(using).get_or_create()


def start_tenant_chain(instance: models.Model, created: bool, **_: Any) -> None:
    """Say of a new tenant that its chain is empty: a chain without a head was touched."""
    if created:
        with tenant_scope(instance.pk):
            ChainHead.objects.create()


def verify(tenant_id: int | None, *, after: Mark = BEGINNING, deadline: float = math.inf) -> Verdict:
    """Walk one chain to its end and return the first link that does not hold. Rows of ours that have no link yet get theirs.

    `after` leaves out what comes before that link. At the deadline the walk stops where it is.
    """
    with _chain_of(tenant_id) as chain:
        last = chain.last_link()
        inserted = _link_rows(chain, last.entry_id if last else 0)
        verdict = _walk(chain, after, deadline=deadline)
        broken = first_break(_lost_end(chain), verdict.broken, inserted) or _wrong_end(chain)
        return replace(verdict, broken=broken)


def verify_between(tenant_id: int | None, after: Mark, up_to: int, *, deadline: float) -> Verdict:
    """Walk the links of one chain after a mark, up to a place, and return the first that does not hold."""
    with _chain_of(tenant_id) as chain:
        return _walk(chain, after, up_to=up_to, deadline=deadline)


def first_break(*breaks: Break | None) -> Break | None:
    """Return the one that comes first in the chain."""
    return min(filter(None, breaks), key=attrgetter("place"), default=None)


def lost_links(tenant_id: int | None, known: Iterable[tuple[int, str]]) -> list[int]:
    """Return the places of links that were known once, each with its hash, and are not in the chain any more."""
    with _chain_of(tenant_id) as chain:
        return sorted(place for place, link_hash in known if not chain.has_link(place, link_hash))


def _lost_end(chain: _Chain) -> Break | None:
    """Find that the link is gone which was the last one at the last check."""
    last = chain.checks.objects.first()
    is_lost = last and last.head and last.links and not chain.has_link(last.links, last.head)
    return Break(last.links, 0, CUT_OFF) if is_lost else None


@transaction.atomic
def _wrong_end(chain: _Chain) -> Break | None:
    """Find that the chain has another end than when its last link was made."""
    chain.lock()
    head = chain.heads.objects.first()
    last = chain.last_link()
    return None if head and head.is_at(last) else Break((last.place if last else 0) + 1, 0, NOT_AS_LEFT)


def _link_rows(chain: _Chain, after: int, up_to: int = NO_LIMIT) -> Break | None:
    """Link the rows between two numbers that have no link, and return the first of them that this code did not write."""
    has_link = Exists(chain.links.objects.filter(entry_id=OuterRef("pk")))
    waiting = chain.rows.objects.filter(~has_link, pk__gt=after, pk__lte=up_to).order_by("pk")
    while rows := list(waiting[:BATCH]):
        if forged := [row for row in rows if row.digest != row.compute_digest()]:
            last = chain.last_link()
            return Break((last.place if last else 0) + 1, forged[0].pk, "inserted")
        _seal(chain, [row.pk for row in rows])
    return None


def _walk(chain: _Chain, after: Mark, *, up_to: int = NO_LIMIT, deadline: float = math.inf) -> Verdict:
    """Walk the links after a mark: at least one batch, then until the deadline. Rows without a link are looked for on the way.

    These are looked for between the rows of the links where a batch begins and where it ends. Rows are not linked in their
    order, but each row lies between two such ends: the batches leave none out, whichever walks they belong to.
    """
    place, previous = after
    if place and not chain.has_link(place, previous):
        return Verdict(place, previous, Break(place, 0, CUT_OFF))
    row_id = chain.row_at(place)
    # A transaction that was slow to commit may have left a row among those that were linked before the mark.
    inserted = _link_rows(chain, chain.row_at(place - BATCH), row_id)
    while batch := list(chain.links.objects.filter(place__gt=place).order_by("place")[: min(BATCH, up_to - place)]):
        inserted = inserted or _link_rows(chain, row_id, batch[-1].entry_id)
        found = chain.rows.objects.in_bulk([link.entry_id for link in batch])
        for link in batch:
            if what := _fault(link, found.get(link.entry_id), expected_place=place + 1, previous=previous):
                return Verdict(place, previous, Break(place + 1, link.entry_id, what))
            place, previous = link.place, link.hash
        row_id = batch[-1].entry_id
        if time.monotonic() > deadline:
            break
    return Verdict(place, previous, inserted)


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
