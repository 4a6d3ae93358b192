"""Files at pre-signed addresses of the platform (platform-api 4.1.5). No token goes there: the address is the permission."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import requests

from portal.platform_api import errors
from portal.platform_api.answers import check_storage
from portal.platform_api.http import TIMEOUT, Answer, opened, read

MAX_DOWNLOAD_BYTES: Final = 100 * 1024 * 1024
MAX_REFUSAL_BYTES: Final = 64 * 1024
TEMPLATE: Final = "(download)"
"""Stands for the address in errors: who knows the address has the file."""


@contextmanager
def download(session: requests.Session, url: str, *, limit: int, is_encrypted: bool) -> Iterator[Iterator[bytes]]:
    """Open an address and give its chunks. Redirects are refused, and an address in the clear where the API is not.

    Raises StorageRefused, StorageUnavailable or UnusableFile, whatever goes wrong: it is never the platform that refuses.
    """
    schemes = ("https://",) if is_encrypted else ("https://", "http://")
    if not url.lower().startswith(schemes):
        raise errors.UnusableFile("GET", TEMPLATE, message="this is not an address to download from")
    try:
        with opened(session, "GET", url, template=TEMPLATE, timeout=TIMEOUT, headers={"Accept": "*/*"}) as response:
            if response.status_code >= 300:
                refusal = b"".join(read(response, "GET", TEMPLATE, limit=MAX_REFUSAL_BYTES, seconds=TIMEOUT[1]))
                check_storage(Answer(response.status_code, response.headers, refusal), "GET", TEMPLATE)
            yield read(response, "GET", TEMPLATE, limit=limit)
    except errors.Unavailable as error:
        raise errors.StorageUnavailable(
            "GET", TEMPLATE, status=error.status, message=error.message, retry_after=error.retry_after
        ) from None
    except errors.UnexpectedAnswer as error:
        raise errors.UnusableFile("GET", TEMPLATE, status=error.status, message=error.message) from None
