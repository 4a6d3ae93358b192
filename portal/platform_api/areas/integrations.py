"""Integrations and what they bring in (platform-api 4.10)."""

from collections.abc import Iterator

from portal.platform_api.endpoints import Area, endpoint, paged
from portal.platform_api.models.compliance import Integration, IntegrationResource, ResourceKind


class Integrations(Area):
    """Systems that are connected to the platform, and what they bring in."""

    name = "integrations"
    root = "/integrations"

    @paged()
    def all(self) -> Iterator[Integration]:
        """Walk the integrations."""

    @endpoint("GET", "/{integration_id}")
    def get(self, integration_id: str) -> Integration:
        """Fetch one integration."""

    @endpoint("GET", "/{integration_id}/resource-kinds", is_bare=True)
    def resource_kinds(self, integration_id: str) -> list[ResourceKind]:
        """Fetch the kinds of things that an integration brings in; this list has no pages."""

    @endpoint("GET", "/{integration_id}/resource-kinds/{resource_kind}")
    def resource_kind(self, integration_id: str, resource_kind: str) -> ResourceKind:
        """Fetch one kind."""

    @paged("/{integration_id}/resource-kinds/{resource_kind}/resources")
    def resources(self, integration_id: str, resource_kind: str) -> Iterator[IntegrationResource]:
        """Walk the things of a kind."""

    @endpoint("GET", "/{integration_id}/resource-kinds/{resource_kind}/resources/{resource_id}")
    def resource(self, integration_id: str, resource_kind: str, resource_id: str) -> IntegrationResource:
        """Fetch one thing."""
