"""One made-up tenant in the shapes of the API."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from random import Random

from portal.sandbox.seed import audits, compliance, inventory, knowledge, people, risks, showcase, vendors
from portal.sandbox.seed.access_requests import build_access_requests, build_historical
from portal.sandbox.seed.agreements import build_contracts, build_deletion_requests
from portal.sandbox.seed.cast import build_cast
from portal.sandbox.seed.questionnaires import build_questionnaires
from portal.sandbox.seed.responses import Responses
from portal.sandbox.seed.shapes import Batch, Json
from portal.sandbox.seed.trust_center import build_activity, build_resources
from portal.sandbox.seed.viewers import build_viewers

SLUG_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
MIN_CUSTOMERS, MAX_CUSTOMERS = 6, 400
MAX_HISTORICAL = 1000
OTHER_AREAS = (knowledge, showcase, people, vendors, risks, compliance, inventory, audits)


@dataclass(frozen=True, kw_only=True)
class World:
    """Everything a tenant starts with. Every list has its oldest object first."""

    slug_id: str
    organization_id: str
    users: list[Json]
    accounts: list[Json]
    questionnaires: list[Json]
    responses: Mapping[str, list[Json]]
    resources: list[Json]
    access_requests: list[Json]
    historical_access_requests: list[Json]
    viewers: list[Json]
    contracts: list[Json]
    activity: list[Json]
    deletion_requests: list[Json]
    others: list[Batch]
    """What no count is asked for."""


def build_world(
    *,
    name: str,
    region: str,
    now: datetime,
    seed: int,
    questionnaires: int,
    responses_per_questionnaire: int | None,
    access_requests: int,
    viewers: int,
    contracts: int,
) -> World:
    """Make a tenant. The same arguments make the same world; another name or region only changes identifiers."""
    customers = min(MAX_CUSTOMERS, max(MIN_CUSTOMERS, questionnaires, viewers // 2, contracts))
    cast = build_cast(name=name, region=region, now=now, seed=seed, customers=customers)
    resources = build_resources(cast)
    made_questionnaires = build_questionnaires(cast, count=questionnaires)
    historical = build_historical(cast, count=min(MAX_HISTORICAL, max(access_requests * 2, viewers // 2)), resources=resources)
    made_viewers = build_viewers(cast, count=viewers, historical=historical, resources=resources)
    return World(
        slug_id=slug_for(cast.identifiers("slug")),
        organization_id=cast.organization_id,
        users=cast.users,
        accounts=sorted(cast.accounts, key=lambda account: str(account["createdDate"])),
        questionnaires=made_questionnaires,
        responses=Responses(cast, made_questionnaires, per_questionnaire=responses_per_questionnaire),
        resources=resources,
        access_requests=build_access_requests(cast, count=access_requests, resources=resources),
        historical_access_requests=historical,
        viewers=made_viewers,
        contracts=build_contracts(cast, count=contracts),
        activity=build_activity(cast, viewers=made_viewers, resources=resources),
        deletion_requests=build_deletion_requests(cast, count=3 if viewers else 0),
        others=[batch for area in OTHER_AREAS for batch in area.build(cast)],
    )


def slug_for(identifiers: Random) -> str:
    """Make the opaque slug of a Trust Center: about twenty lower-case letters and digits (platform-api 1.2)."""
    return "".join(identifiers.choices(SLUG_LETTERS, k=20))
