"""Looks for changes on behalf of all streams of a process: twice a small query, however many pages are open.

The versions are asked for, on every database in the same way. PostgreSQL could call out (NOTIFY), but every commit that does so
waits for every other one.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context

from django.db import Error, close_old_connections
from django.db.models import Sum

from portal.page_refresh.models import Area
from portal.tenants.scope import all_tenants

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.25
"""How long a change waits at most until it is seen here."""

type Versions = dict[str, int]
"""The versions of a tenant's areas, by name."""


class Watcher:
    """One stream: the tenants that its person may see, and what it has not been told yet."""

    def __init__(self, tenants: Mapping[int, str]) -> None:
        self.tenants = tenants
        """Primary key → slug."""
        self._news: dict[str, Versions] = {}
        self._has_news = asyncio.Event()

    def tell(self, tenant_id: int, versions: Versions) -> None:
        """Add to what is told next. Of an area the last version counts: who reads slowly misses none and piles up none."""
        self._news.setdefault(self.tenants[tenant_id], {}).update(versions)
        self._has_news.set()

    async def news(self, seconds: float) -> dict[str, Versions]:
        """Wait so long for news; return them by slug, none when there were none."""
        try:
            async with asyncio.timeout(seconds):
                await self._has_news.wait()
        except TimeoutError:
            return {}
        self._has_news.clear()
        news, self._news = self._news, {}
        return news


class Hub:
    """All streams of a process, and the one task that looks for what they are to be told."""

    def __init__(self) -> None:
        self.watchers: set[Watcher] = set()
        self._by_tenant: defaultdict[int, set[Watcher]] = defaultdict(set)
        self._known: dict[int, Versions] = {}
        """What was read last, of those tenants that somebody watches."""
        self._reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="versions")
        self._looking: asyncio.Task[None] | None = None

    def add(self, watcher: Watcher) -> None:
        """Tell a stream from now on. First of all it is told where its tenants are."""
        self.watchers.add(watcher)
        for tenant_id in watcher.tenants:
            self._by_tenant[tenant_id].add(watcher)
            if tenant_id in self._known:
                watcher.tell(tenant_id, self._known[tenant_id])
        if self._looking is None or self._looking.done():
            # Without the context of the request that happens to be the first.
            self._looking = asyncio.get_running_loop().create_task(self._look(), context=Context())

    def remove(self, watcher: Watcher) -> None:
        self.watchers.discard(watcher)
        for tenant_id in watcher.tenants:
            self._by_tenant[tenant_id].discard(watcher)
            if not self._by_tenant[tenant_id]:
                del self._by_tenant[tenant_id]
                self._known.pop(tenant_id, None)

    async def _look(self) -> None:
        loop = asyncio.get_running_loop()
        is_failing = False
        while self.watchers:
            known = {tenant_id: sum(self._known.get(tenant_id, {}).values()) for tenant_id in self._by_tenant}
            try:
                changed = await loop.run_in_executor(self._reader, read_changes, known)
            except Error as error:
                if not is_failing:
                    logger.warning("open pages are told of nothing until the database answers: %s", type(error).__name__)
                is_failing = True
            else:
                is_failing = False
                for tenant_id, versions in changed.items():
                    self._take(tenant_id, versions)
            await asyncio.sleep(LOOK_SECONDS)

    def _take(self, tenant_id: int, versions: Versions) -> None:
        if tenant_id not in self._by_tenant:
            return  # its last stream has ended meanwhile
        before = self._known.get(tenant_id, {})
        self._known[tenant_id] = versions
        news = {name: version for name, version in versions.items() if before.get(name) != version}
        for watcher in self._by_tenant[tenant_id]:
            watcher.tell(tenant_id, news)


def read_changes(known: Mapping[int, int]) -> dict[int, Versions]:
    """Return the versions of those tenants whose versions do not add up to what is known of them: they only ever grow."""
    try:
        with all_tenants("open pages of many tenants are told of changes; each stream names those of its person"):
            sums = Area.objects.filter(tenant__in=list(known)).order_by().values_list("tenant_id").annotate(Sum("version"))
            changed = [tenant_id for tenant_id, total in sums if total != known[tenant_id]]
            versions: defaultdict[int, Versions] = defaultdict(dict)
            rows = Area.objects.filter(tenant__in=changed).values_list("tenant_id", "name", "version") if changed else ()
            for tenant_id, name, version in rows:
                versions[tenant_id][name] = version
            return dict(versions)
    finally:
        close_old_connections()
