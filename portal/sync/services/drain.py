"""The drain: fetch what is marked, outside of any transaction, and store it inside one."""

import logging
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Q
from django.utils import timezone

from portal.connections.error_messages import error_message
from portal.connections.services import NotConnected, Urgency, client_for
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api.errors import (
    EndlessList,
    InvalidIdentifier,
    NotFound,
    PermissionRefused,
    PlatformError,
    TemporaryError,
    Unreadable,
)
from portal.platform_api.trails import Trail
from portal.platform_api.webhooks import PLACEHOLDER
from portal.sync.mirrors import Mirror
from portal.sync.models import StaleMark
from portal.sync.services import marks
from portal.sync.services.lists import cheaper_as_list, circle_of, held_back, is_given
from portal.sync.services.marks import Outcome, Result
from portal.sync.services.waits import wait_after

logger = logging.getLogger(__name__)

BATCH = 20
"""Claimed at a time; small, so that several workers share a long queue."""
MAX_FAILURES = 3
"""In a row: the platform is down for everything, and the rest of the queue need not find that out."""


UNREADABLE = (Unreadable, EndlessList, InvalidIdentifier)
"""What is wrong with one object, and says nothing about the others."""


def problem_of(error: Exception) -> str:
    """Say what is wrong with an object, in a few words for its list."""
    match error:
        case Unreadable():
            return error.problem
        case EndlessList() | InvalidIdentifier():
            return error.message
        case PermissionRefused():
            return "the platform refuses to show it"
        case PlatformError():
            return error_message(error).rstrip(".")
    return f"it could not be read ({type(error).__name__})"


class _Halt(Exception):
    """Nothing else of this tenant would fare better now."""


def drain_tenant(mirrors: Sequence[Mirror], *, limit: int = 500, seconds: float = TASK_TIME_BUDGET_SECONDS) -> list[Outcome]:
    """Fetch what is marked in the tenant in scope: what people wait for, then news, then what takes many calls.

    Until the first copy has every list that pages show, their details stand back.
    """
    if not StaleMark.objects.due().exists():
        return []
    waiting = marks.waiting()
    bulk, ready = Q(kind__in=[mirror.kind for mirror in mirrors if mirror.is_bulk]), ~held_back(mirrors)
    deadline, outcomes = time.monotonic() + seconds, list[Outcome]()

    def run(urgency: Urgency, among: Q, **options: Any) -> None:
        left = deadline - time.monotonic()
        outcomes.extend(drain(mirrors, client_for(urgency, waiting), limit=limit, seconds=left, among=among, **options))

    def serve_people() -> None:
        if marks.people_wait():
            run(Urgency.PERSON, Q(urgent=True))

    try:
        serve_people()
        for urgency, among in ((Urgency.NEWS, ready & ~bulk), (Urgency.BULK, ready & bulk)):
            run(urgency, among, may_list=True, between=serve_people)
    except NotConnected as error:
        marks.hold(wait_after(error, attempts=1))
    if outcomes:
        touch_areas("sync")
    return outcomes


def drain(
    mirrors: Sequence[Mirror],
    client: Platform,
    *,
    limit: int = 500,
    seconds: float = TASK_TIME_BUDGET_SECONDS,
    among: Q = marks.ANY,
    may_list: bool = False,
    between: Callable[[], None] = lambda: None,
) -> list[Outcome]:
    """Work on due marks until none is left, the time is over, or the tenant has to wait.

    With `may_list`, kinds whose whole list costs fewer calls are listed. `between` is done before each object.
    """
    worker, deadline = _Worker(mirrors, client), time.monotonic() + seconds
    try:
        for mirror in cheaper_as_list(mirrors, among) if may_list else ():
            between()
            if time.monotonic() < deadline:
                worker.walk(mirror, marks.claim(limit, owner=worker.owner, among=among & Q(kind=mirror.kind)), until=deadline)
        while len(worker.outcomes) < limit and time.monotonic() < deadline:
            size = min(BATCH, limit - len(worker.outcomes))
            claimed = marks.claim(size, owner=worker.owner, among=among)
            for mark in claimed:
                if time.monotonic() >= deadline:
                    break
                between()
                worker.work(mark)
            if not claimed:
                break
    except _Halt:
        pass
    finally:
        marks.release(worker.owner)
    return worker.outcomes


class _Worker:
    """One drain on its way: what it has done, and what it has found out not to ask again."""

    def __init__(self, mirrors: Sequence[Mirror], client: Platform) -> None:
        self.owner = marks.new_owner()
        self.outcomes: list[Outcome] = []
        self._mirrors = {mirror.kind: mirror for mirror in mirrors}
        self._client = client
        self._blocked_kinds: set[str] = set()
        self._failures = 0

    def work(self, mark: StaleMark) -> None:
        """Fetch one object and note what became of it. Raises _Halt when nothing else would fare better."""
        if mark.kind in self._blocked_kinds:
            return
        if not marks.begin(mark):
            self._note(mark, Result.LOST)
            return
        mirror = self._mirrors.get(mark.kind)
        if mirror is None:
            logger.error("nobody fetches objects of the kind %r", mark.kind)
            now = timezone.now()
            self._note(mark, marks.record_outcome(mark, area="sync", fetched_at=now, write=lambda: False, gone=True))
            return
        try:
            self._note(mark, _fetch(mark, mirror, self._client))
        except Exception as error:
            self._postpone(mark, error)
        else:
            self._failures = 0

    def walk(self, mirror: Mirror, claimed: Sequence[StaleMark], *, until: float) -> None:
        """Settle marks of one kind from its list. Those that no page names are given back, to be fetched by themselves."""
        wanted = {mark.object_id: mark for mark in claimed if marks.begin(mark)}
        cursor: str | None = None
        trail = Trail()
        while wanted and mirror.page and time.monotonic() < until:
            started = timezone.now()
            try:
                page = mirror.page(self._client, cursor)
            except Exception as error:
                self._postpone(next(iter(wanted.values())), error, is_of_list=True)
                break
            for remote in page.items:
                if mark := wanted.pop(mirror.identify(remote), None):
                    self._settle(mark, mirror, remote, started)
            cursor = page.next_cursor
            if cursor is None or circle_of(trail, mirror, page):
                # What is in no page, or behind a list that leads round, is fetched by itself.
                break
        marks.release(self.owner)

    def _settle(self, mark: StaleMark, mirror: Mirror, remote: Any, started: datetime) -> None:
        write = partial(mirror.store, remote)
        try:
            self._note(mark, marks.record_outcome(mark, area=mirror.area, fetched_at=started, write=write))
        except Exception as error:
            self._postpone(mark, error)

    def _postpone(self, mark: StaleMark, error: Exception, *, is_of_list: bool = False) -> None:
        wait = wait_after(error, attempts=mark.attempts)
        if not wait.is_expected:
            logger.error("a %s could not be brought up to date", mark.kind, exc_info=error)
        # Of one that its comparison left here, or whose list was given, it is known that the platform shows others of its kind.
        is_refusal = isinstance(error, PermissionRefused) and not is_of_list
        is_of_one = is_refusal and (bool(mark.problem) or is_given(mark.kind))
        problem = problem_of(error) if is_of_one or isinstance(error, UNREADABLE) else ""
        self._note(mark, marks.postpone(mark, wait, problem=problem))
        if wait.is_of_tenant:
            # Without a connection all of it waits; in a pause people's calls may still have a share of their own.
            marks.hold(wait, owner="" if wait.is_blocked else self.owner)
            raise _Halt
        if wait.is_of_kind or (wait.is_blocked and not is_of_one):
            marks.hold(wait, kind=mark.kind)
            self._blocked_kinds.add(mark.kind)
        self._failures = self._failures + 1 if isinstance(error, TemporaryError) and not wait.is_of_kind else 0
        if self._failures >= MAX_FAILURES:
            raise _Halt

    def _note(self, mark: StaleMark, result: Result) -> None:
        self.outcomes.append(Outcome(mark.kind, mark.object_id, result))


def _fetch(mark: StaleMark, mirror: Mirror, client: Platform) -> Result:
    started = timezone.now()
    try:
        remote = mirror.fetch(client, mark.object_id)
    except NotFound:
        # 404 decides between created and deleted, but it may pass. The id of an example never was an object's.
        if mark.object_id != PLACEHOLDER and not marks.is_gone(mark, asked_at=started):
            return Result.WAITING
        write = partial(mirror.mark_gone, mark.object_id)
        result = marks.record_outcome(mark, area=mirror.area, fetched_at=started, write=write, gone=True)
        return Result.GONE if result is Result.NOTHING and mirror.has(mark.object_id) else result
    write, problem = partial(mirror.store, remote), mirror.problem(remote)
    return marks.record_outcome(mark, area=mirror.area, fetched_at=started, write=write, problem=problem)
