"""Every endpoint of the client with the name that calling code uses."""

from dataclasses import dataclass
from typing import Final

from portal.platform_api.areas.trust_center import TrustCenter
from portal.platform_api.client import Platform
from portal.platform_api.definitions import Area, Endpoint, declared_in, every_area


@dataclass(frozen=True)
class Definition:
    """One endpoint in its place."""

    area: type[Area]
    endpoint: Endpoint

    @property
    def name(self) -> str:
        return f"{self.area.name}.{self.endpoint.name}"

    @property
    def method(self) -> str:
        return self.endpoint.method

    @property
    def path(self) -> str:
        return self.area.root + self.endpoint.path

    @property
    def scope(self) -> str:
        """The scope that opens it, as the platform's documents name it (platform-api 2.6)."""
        return f"{self.area.scope}:{'read' if self.method == 'GET' else 'write'}"


AREAS: Final = (*every_area(Platform), TrustCenter, *every_area(TrustCenter))
DEFINITIONS: Final = [Definition(area, endpoint) for area in AREAS for endpoint in declared_in(area)]
