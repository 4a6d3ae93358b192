from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Self
from zlib import crc32

from django.db.models import F
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from portal.lib.page_cache import cache
from portal.page_refresh.models import Area
from portal.tenants.access import READING
from portal.tenants.scope import current_tenant_id

KEPT_SECONDS = 60

_read: ContextVar[dict[int, dict[str, int]] | None] = ContextVar("read_versions", default=None)
"""The versions that were read while a request is answered, by tenant: a page asks some ten times. None outside of requests, and
once a request has changed something itself, which may be rolled back yet: then they are read each time."""
_rows: ContextVar[dict[tuple[int, str], Any] | None] = ContextVar("rows_read_once", default=None)
"""What `read_once` has read, by tenant and key. None as well while a request is answered that is there to change something."""


def share_reads(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: what several parts of a page ask for is read once for each request, as long as it changes nothing itself."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        versions = _read.set({})
        rows = _rows.set({} if request.method in READING else None)
        try:
            return get_response(request)
        finally:
            _rows.reset(rows)
            _read.reset(versions)

    return middleware


def read_once[Value](key: str, read: Callable[[], Value]) -> Value:
    """Return rows of the tenant in scope that several parts of a page show, such as its connection.

    Read once for each request that only reads; everywhere else each time. Nobody changes such a row without `touch_areas`.
    """
    rows, address = _rows.get(), (current_tenant_id(), key)
    if rows is None:
        return read()
    if address not in rows:
        rows[address] = read()
    found: Value = rows[address]
    return found


def read_versions(**_: Any) -> None:
    """Read the versions before the rows of a page.

    Read after them, they may be newer: what changed in between would not be shown, and the open page would take it for shown.
    """
    _current_versions()


def touch_areas(*names: str) -> None:
    """Say that rows of these areas changed. Call it in the transaction that changes them."""
    for name in sorted(names):  # a fixed order: two transactions that touch the same areas cannot deadlock
        if not Area.objects.filter(name=name).update(version=F("version") + 1):
            Area.objects.bulk_create([Area(name=name, tenant_id=current_tenant_id())], ignore_conflicts=True)
    read_anew()


def read_anew() -> None:
    """Have versions and rows read each time from here on, and not as they were when the request began."""
    _read.set(None)
    _rows.set(None)


class PageVersion(str):
    """What a page showed, as a string. It knows its areas, so that an open page can be told when one of them changes."""

    areas: Mapping[str, int]
    """The versions that are shown; 0 where any change of the area is reason enough to ask."""

    def __new__(cls, text: str, areas: Mapping[str, int]) -> Self:
        made = super().__new__(cls, text)
        made.areas = areas
        return made

    def __add__(self, more: str) -> Self:
        return type(self)(str(self) + more, self.areas)


def area_version(*names: str) -> PageVersion:
    """Return the version of a page that shows these areas."""
    return _page_version(_current_versions(), names)


def area_versions(tenant_ids: Collection[int], *names: str) -> dict[int, PageVersion]:
    """Return what `area_version` says in each of these tenants. Call it in the scope of all of them."""
    versions: dict[int, dict[str, int]] = defaultdict(dict)
    rows = Area.objects.filter(tenant__in=tenant_ids, name__in=names)
    for tenant_id, name, version in rows.values_list("tenant_id", "name", "version"):
        versions[tenant_id][name] = version
    return {tenant_id: _page_version(versions[tenant_id], names) for tenant_id in tenant_ids}


def _page_version(versions: Mapping[str, int], names: Sequence[str]) -> PageVersion:
    areas = {name: versions.get(name, 0) for name in names}
    return PageVersion(".".join(map(str, areas.values())), areas)


def own_version(version: str, *names: str) -> PageVersion:
    """Return the version of something that has a version of its own, and changes together with these areas."""
    return PageVersion(version, dict.fromkeys(names, 0))


def _current_versions() -> dict[str, int]:
    """Return the version of every area of the tenant in scope in which something ever changed: there are some twenty."""
    read, tenant_id = _read.get(), current_tenant_id()
    if read is not None and tenant_id in read:
        return read[tenant_id]
    versions = dict(Area.objects.values_list("name", "version"))
    if read is not None:
        read[tenant_id] = versions
    return versions


def cached_by_version[Value](name: str, key: str, compute: Callable[[], Value]) -> Value:
    """Return a value that stays right until something in an area changes, such as a count of all its rows.

    To count a hundred thousand rows for every page would make each of them slower, the more there are.
    """
    return cached_for_version(f"{name}:{area_version(name)}", key, compute)


def cached_for_version[Value](version: str, key: str, compute: Callable[[], Value]) -> Value:
    """Return a value that stays right as long as a version of something does; the version was read before it is computed."""
    address = f"kept:{current_tenant_id()}:{version}:{key}"
    found: Value | None = cache.get(address)
    if found is None:
        found = compute()
        # Not for longer than a minute, in case somebody changes rows by hand.
        cache.set(address, found, KEPT_SECONDS)
    return found


def version_at(version: str, address: str, fragment: str = "") -> PageVersion:
    """Tie a version to an address and a fragment: a link inside a region that polls hands on the region's version."""
    return PageVersion(version, getattr(version, "areas", {})) + f".{crc32(f'{address} {fragment}'.encode()):x}"


def is_unchanged(request: HttpRequest, seen: str) -> bool:
    """Say whether an open page that polls already shows this page version; the answer is then 204 and nothing moves."""
    return request.headers.get("Seen") == seen
