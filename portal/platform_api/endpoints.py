"""How an area declares its endpoints: each is a signature and a docstring, and the call is made of them.

    @endpoint("PATCH", "/{viewer_id}", origin=SEED)
    def update(self, viewer_id: str, **changes: Unpack[ViewerChanges]) -> models.Viewer:
        ""\"Change what is named.""\"

Parameters that the path names are filled in there. The others are the query of a GET and the body of anything else, spelled
in camelCase; what is not passed is not sent. The annotation of the result says how the answer is read.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any, Concatenate, cast

from portal.platform_api.definitions import SEED, Area, Endpoint
from portal.platform_api.models import Listed
from portal.platform_api.paging import PAGE_SIZE, Page, read_page, walk
from portal.platform_api.request import Download

__all__ = ["SEED", "Area", "Listing", "endpoint", "media", "paged"]


def endpoint[**P, T](method: str, path: str = "", **facts: Any) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Declare an endpoint that answers an object, a list without pages, or nothing. `facts` are fields of Endpoint."""

    def declare(function: Callable[P, T]) -> Callable[P, T]:
        declared = Endpoint(function=function, method=method, path=path, **facts)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            area = cast(Area, args[0])
            decoded = area.transport.call(declared.request(area, args[1:], kwargs))
            return cast(T, declared.read(decoded, area))

        call.__dict__["endpoint"] = declared
        return call

    return declare


def media[**P](
    path: str = "", **facts: Any
) -> Callable[[Callable[P, AbstractContextManager[Download]]], Callable[P, AbstractContextManager[Download]]]:
    """Declare an endpoint that gives a file: `with api.documents.uploads.media(...) as download`."""

    def declare(function: Callable[P, AbstractContextManager[Download]]) -> Callable[P, AbstractContextManager[Download]]:
        declared = Endpoint(function=function, method="GET", path=path, **facts)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> AbstractContextManager[Download]:
            area = cast(Area, args[0])
            return area.transport.stream(declared.request(area, args[1:], kwargs))

        call.__dict__["endpoint"] = declared
        return call

    return declare


class Listing[**P, T: Listed]:
    """A paged list of one area: called, it walks all pages lazily; `page` gives one of them."""

    def __init__(self, declared: Endpoint, area: Area) -> None:
        self.endpoint = declared
        self._area = area

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        return walk(lambda cursor: self.page(cursor, *args, **kwargs))

    def page(self, cursor: str | None = None, /, *args: P.args, **kwargs: P.kwargs) -> Page[T]:
        """Fetch the page after a cursor, up to 100 objects; without one, the first."""
        request = self.endpoint.request(self._area, args, kwargs)
        params = {**(request.params or {}), "pageSize": PAGE_SIZE, **({"pageCursor": cursor} if cursor else {})}
        request = request.with_params(params)
        decoded = self._area.transport.call(request)
        return read_page(decoded, self.endpoint.result, request.method, request.template)


class Paged[**P, T: Listed]:
    """Makes the Listing of an area's paged list where an attribute is asked for it."""

    def __init__(self, declared: Endpoint) -> None:
        self.endpoint = declared
        self.__doc__ = declared.function.__doc__

    def __get__(self, area: Area, owner: type[Area]) -> Listing[P, T]:
        return Listing(self.endpoint, area)


def paged[**P, T: Listed](path: str = "", **facts: Any) -> Callable[[Callable[Concatenate[Any, P], Iterator[T]]], Paged[P, T]]:
    """Declare a list in pages. `facts` are fields of Endpoint."""

    def declare(function: Callable[Concatenate[Any, P], Iterator[T]]) -> Paged[P, T]:
        return Paged(Endpoint(function=function, method="GET", path=path, is_paged=True, **facts))

    return declare
