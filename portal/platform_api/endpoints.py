"""The forms an endpoint can have. An area declares its endpoints with these; each becomes one short method.

A definition says, in this order: area and name (for logs), method, path, and what the answer is read as. The path has `{}` for
each id. `bucket` names the rate limit that counts the call (specification 8).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from portal.platform_api.models import Listed, Remote
from portal.platform_api.paging import PAGE_SIZE, Page, read_list, read_page, walk
from portal.platform_api.transport import Request, Transport

MANAGEMENT: Final = "management"
CONTRACTS: Final = "contracts"


@dataclass(frozen=True)
class Endpoint:
    """One endpoint of the platform, as its definition says."""

    area: str
    name: str
    method: str
    path: str
    bucket: str = field(default=MANAGEMENT, kw_only=True)

    @property
    def is_idempotent(self) -> bool:
        """Say whether doing it twice is doing it once. No POST of the platform takes an idempotency key (platform-api 1.1)."""
        return self.method != "POST"

    def send(self, transport: Transport, *ids: str, **carried: Any) -> Any:
        """Make the call and return decoded JSON."""
        request = Request(
            area=self.area,
            endpoint=self.name,
            method=self.method,
            template=self.path,
            bucket=self.bucket,
            is_idempotent=self.is_idempotent,
            ids=ids,
            **carried,
        )
        return transport.call(request)


@dataclass(frozen=True)
class One[T: Remote](Endpoint):
    """Answers a bare object."""

    model: type[T]

    def __call__(self, transport: Transport, *ids: str, **carried: Any) -> T:
        return self.model.read(self.send(transport, *ids, **carried), self.method, self.path)


@dataclass(frozen=True)
class Nothing(Endpoint):
    """Answers 204, or a body that nobody needs."""

    def __call__(self, transport: Transport, *ids: str, **carried: Any) -> None:
        self.send(transport, *ids, **carried)


@dataclass(frozen=True)
class Several[T: Remote](Endpoint):
    """Answers a list without pages."""

    model: type[T]

    def __call__(self, transport: Transport, *ids: str, **carried: Any) -> list[T]:
        return read_list(self.send(transport, *ids, **carried), self.model, self.method, self.path)


@dataclass(frozen=True)
class Paged[T: Listed](Endpoint):
    """Answers a list in pages."""

    model: type[T]

    def page(
        self,
        transport: Transport,
        *ids: str,
        cursor: str | None = None,
        page_size: int = PAGE_SIZE,
        params: Mapping[str, Any] | None = None,
    ) -> Page[T]:
        query = {**(params or {}), "pageSize": page_size}
        if cursor is not None:
            query["pageCursor"] = cursor
        return read_page(self.send(transport, *ids, params=query), self.model, self.method, self.path)

    def all(self, transport: Transport, *ids: str, params: Mapping[str, Any] | None = None) -> Iterator[T]:
        return walk(lambda cursor: self.page(transport, *ids, cursor=cursor, params=params))
