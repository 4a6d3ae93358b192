"""Tenants of the platform and how a new one gets its made-up data."""

from collections.abc import Iterator
from dataclasses import dataclass

from portal.sandbox.clock import Clock
from portal.sandbox.objects import Objects
from portal.sandbox.seed import World, build_world
from portal.sandbox.store import Json, Row, Store
from portal.sandbox.values import moment, new_id

REGIONS = ("us", "eu", "au", "gov")


@dataclass(frozen=True, kw_only=True)
class Tenant:
    id: str
    name: str
    region: str
    slug_id: str
    organization_id: str

    @classmethod
    def from_row(cls, row: Row) -> "Tenant":
        return cls(**{name: row[name] for name in ("id", "name", "region", "slug_id", "organization_id")})


class Tenants:
    def __init__(self, store: Store, clock: Clock, objects: Objects) -> None:
        self._store = store
        self._clock = clock
        self._objects = objects

    def all(self) -> list[Tenant]:
        """Return all tenants, the oldest first."""
        return [Tenant.from_row(row) for row in self._store.rows("SELECT * FROM tenants ORDER BY rowid")]

    def get(self, tenant_id: str | None) -> Tenant | None:
        row = self._store.row("SELECT * FROM tenants WHERE id = ?", tenant_id)
        return None if row is None else Tenant.from_row(row)

    def newest(self) -> Tenant | None:
        row = self._store.row("SELECT * FROM tenants ORDER BY rowid DESC LIMIT 1")
        return None if row is None else Tenant.from_row(row)

    def create(
        self,
        name: str,
        *,
        region: str = "us",
        seed: int = 1,
        questionnaires: int = 0,
        responses_per_questionnaire: int | None = None,
        access_requests: int = 0,
        viewers: int = 0,
        contracts: int = 0,
    ) -> Tenant:
        """Make a tenant with so many objects of each kind. The same seed makes the same data."""
        now = self._clock.now()
        world = build_world(
            name=name, region=region, now=now, seed=seed, questionnaires=questionnaires,
            responses_per_questionnaire=responses_per_questionnaire, access_requests=access_requests,
            viewers=viewers, contracts=contracts,
        )  # fmt: skip
        tenant_id = new_id()
        # Responses are made while they are written; everybody else may use the database between two questionnaires.
        for kind, parent_id, bodies in contents(world, name=name, at=moment(now)):
            with self._store.transaction():
                self._objects.add_many(tenant_id, kind, bodies, parent_id=parent_id)
        self._store.insert(
            "tenants",
            id=tenant_id,
            name=name,
            region=region,
            slug_id=world.slug_id,
            organization_id=world.organization_id,
            created_at=now.timestamp(),
        )
        tenant = self.get(tenant_id)
        assert tenant is not None  # noqa: S101 - inserted just now
        return tenant

    def rename(self, tenant_id: str, name: str) -> None:
        self._store.write("UPDATE tenants SET name = ? WHERE id = ?", name, tenant_id)


def contents(world: World, *, name: str, at: str) -> Iterator[tuple[str, str | None, list[Json]]]:
    """Walk a made-up world as (kind, parent, objects), the oldest object of a kind first."""
    yield "trust-centers", None, [trust_center(world.slug_id, name=name, at=at)]
    yield "users", None, world.users
    yield "accounts", None, world.accounts
    yield "questionnaires", None, world.questionnaires
    for questionnaire in world.questionnaires:
        yield "responses", questionnaire["id"], world.responses[questionnaire["id"]]
    yield "resources", None, world.resources
    yield "access-requests", None, world.access_requests
    yield "historical-access-requests", None, world.historical_access_requests
    yield "viewers", None, world.viewers
    yield "contracts", None, world.contracts
    yield "activity", None, world.activity
    yield "deletion-requests", None, world.deletion_requests
    yield from world.others


def trust_center(slug_id: str, *, name: str, at: str) -> Json:
    """Make the settings of a tenant's Trust Center (platform-api 4.5.1). It is found by its slug, not by its id."""
    return {
        "id": new_id(),
        "title": f"{name} Trust Center",
        "companyDescription": f"How {name} protects the data of its customers.",
        "privacyPolicy": None,
        "awsMarketplaceListing": None,
        "contactEmail": "security@trust.example",
        "customHeading": None,
        "customDomain": "trust.example",
        "isPublic": True,
        "bannerSetting": {"setting": "GRADIENT", "startColor": "#1d4ed8", "endColor": "#0f766e"},
        "customTheme": {"primary": None, "secondary": None},
        "controlVisibilityMode": "SHOW_OK_ONLY",
        "creationDate": at,
        "updatedDate": at,
    }
