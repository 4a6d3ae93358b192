"""Which subprocessors are vendors of the tenant. The desk that knows vendors stands above: it registers itself here."""

from collections.abc import Callable, Collection, Mapping

from portal.trust_center.models import Subprocessor

type FindVendors = Callable[[Collection[Subprocessor], str], Mapping[str, str]]
"""From subprocessors and the slug of their tenant to the pages of those that are vendors, by the subprocessor's id."""

_registered: list[tuple[FindVendors, str]] = []


def register_linked_vendors(find: FindVendors, *, area: str) -> None:
    """Say which subprocessors are vendors, from `AppConfig.ready`. `area` is the live area that changes with them."""
    _registered[:] = [(find, area)]


def linked_vendors(subprocessors: Collection[Subprocessor], slug: str) -> dict[str, str]:
    """Return the pages of the vendors among these subprocessors, by the subprocessor's id on the platform."""
    return {key: url for find, _ in _registered for key, url in find(subprocessors, slug).items()}


def areas_of_vendors() -> list[str]:
    return [area for _, area in _registered]
