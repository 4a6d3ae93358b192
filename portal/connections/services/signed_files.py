"""Files at addresses that the platform signs for a short time: the one way to fetch them."""

from collections.abc import Callable
from typing import IO

from portal.lib.fetched_files import TooSlow, spooled
from portal.platform_api import Platform, errors
from portal.platform_api.downloads import MAX_DOWNLOAD_BYTES, TEMPLATE


def fetch_signed_file(
    client: Platform, sign: Callable[[], str], *, limit: int = MAX_DOWNLOAD_BYTES, seconds: float | None = None
) -> IO[bytes]:
    """Fetch the whole file whose address `sign` asks the platform for, and asks for once more where the storage refuses it.

    Raises what `sign` raises, LinkExpired where the fresh address is refused as well, and what else a download raises.
    """
    try:
        return _fetch(client, sign(), limit=limit, seconds=seconds)
    except errors.LinkExpired:
        return _fetch(client, sign(), limit=limit, seconds=seconds)


def _fetch(client: Platform, url: str, *, limit: int, seconds: float | None) -> IO[bytes]:
    try:
        with client.download(url, limit=limit) as chunks:
            return spooled(chunks, seconds=seconds)
    except TooSlow as error:
        raise errors.StorageUnavailable("GET", TEMPLATE, message="the file did not arrive in time") from error
