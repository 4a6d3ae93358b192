from collections.abc import Callable
from zlib import crc32

from django.db.models import F
from django.http import HttpRequest

from portal.lib.page_cache import cache
from portal.page_refresh.models import Area
from portal.tenants.scope import current_tenant_id

KEPT_SECONDS = 60


def touch_areas(*names: str) -> None:
    """Say that rows of these areas changed. Call it in the transaction that changes them."""
    for name in sorted(names):  # a fixed order: two transactions that touch the same areas cannot deadlock
        if not Area.objects.filter(name=name).update(version=F("version") + 1):
            Area.objects.bulk_create([Area(name=name, tenant_id=current_tenant_id())], ignore_conflicts=True)


def stamp(*names: str) -> str:
    """Return the version stamp of a page that shows these areas."""
    versions = dict(Area.objects.filter(name__in=names).values_list("name", "version"))
    return ".".join(str(versions.get(name, 0)) for name in names)


def cached_by_version[Value](name: str, key: str, compute: Callable[[], Value]) -> Value:
    """Return a value that stays right until something in an area changes, such as a count of all its rows.

    To count a hundred thousand rows for every page would make each of them slower, the more there are.
    """
    return cached_for_version(f"{name}:{stamp(name)}", key, compute)


def cached_for_version[Value](version: str, key: str, compute: Callable[[], Value]) -> Value:
    """Return a value that stays right as long as a version of something does; the version was read before it is computed."""
    address = f"kept:{current_tenant_id()}:{version}:{key}"
    found: Value | None = cache.get(address)
    if found is None:
        found = compute()
        # Not for longer than a minute, in case somebody changes rows by hand.
        cache.set(address, found, KEPT_SECONDS)
    return found


def stamp_at(version: str, address: str, piece: str = "") -> str:
    """Tie a version to an address and a piece of its page: links inside a region that polls hand on the region's own stamp."""
    return f"{version}.{crc32(f'{address} {piece}'.encode()):x}"


def is_unchanged(request: HttpRequest, seen: str) -> bool:
    """Say whether an open page that polls already shows this stamp; the answer is then 204 and nothing moves."""
    return request.headers.get("Seen") == seen
