"""People who have access to the Trust Center, with NDA and expiry (platform-api 4.5.3)."""

from datetime import datetime, timedelta
from random import Random

from portal.sandbox.seed.cast import Cast, build_person
from portal.sandbox.seed.names import Company
from portal.sandbox.seed.shapes import Json, actor, ago, moment, new_id, pick


def build_viewers(cast: Cast, *, count: int, historical: list[Json], resources: list[Json]) -> list[Json]:
    """Make the viewers, the oldest first: people whose request was approved, then people added by hand."""
    content, identifiers = cast.content("viewers"), cast.identifiers("viewers")
    approved = [request for request in historical if request["outcome"] == "APPROVED"]
    seen: set[str] = set()
    viewers: list[Json] = []
    while len(viewers) < count:
        number = len(viewers)
        request = approved.pop() if approved else None
        person = request or unused_person(cast.customer_of(number), seen=seen, content=content)
        if person["email"] in seen:
            continue
        seen.add(person["email"])
        viewers.append(
            build_viewer(cast, person=person, request=request, resources=resources, content=content, identifiers=identifiers)
        )
    return sorted(viewers, key=lambda viewer: str(viewer["creationDate"]))


def unused_person(customer: Company, *, seen: set[str], content: Random) -> Json:
    """Invent somebody with an address nobody has yet: an address is a viewer once."""
    person = build_person(customer, content=content)
    if person["email"] in seen:
        local_part, domain = person["email"].split("@")
        person["email"] = f"{local_part}.{len(seen)}@{domain}"
    return person


def build_viewer(
    cast: Cast, *, person: Json, request: Json | None, resources: list[Json], content: Random, identifiers: Random
) -> Json:
    """Make one viewer (platform-api 4.5.3; its nulls are explicit)."""
    added = ago(cast.now, content, days=(1, 300))
    created = request["updatedDate"] if request else moment(added)
    partial = request["accessLevel"] == "PARTIAL_ACCESS" if request else content.random() < 0.4
    requested = request["requestedResources"] if request else None
    domain = person["email"].split("@")[1]
    account = next((account for account in cast.accounts if account["emailDomain"] == domain), None)
    return {
        "id": new_id(identifiers),
        "email": person["email"],
        "name": person["name"],
        "companyName": person["companyName"],
        "resourceIds": (requested or [resources[0]["id"]]) if partial else None,
        "accessLevel": "PARTIAL_ACCESS" if partial else "FULL_ACCESS",
        "ndaInfo": build_nda(person["name"], created=created, content=content, identifiers=identifiers),
        "externalServiceAssociations": build_associations(content),
        "creationDate": created,
        "updatedDate": created,
        "expirationDate": expiration(cast.now, content=content),
        "addedByUser": None if request else actor(content.choice(cast.active_users), organization_id=cast.organization_id),
        "customerTrustAccountId": account["id"] if account and content.random() < 0.85 else None,
    }


def build_nda(name: str, *, created: str, content: Random, identifiers: Random) -> Json | None:
    """Make the record of the viewer's NDA: none, pending or satisfied."""
    provider = pick(
        content,
        (45, "ONE_CLICK"),
        (25, "DOCUSIGN"),
        (8, "SFDC_BYPASS"),
        (4, "HUBSPOT_BYPASS"),
        (3, "IRONCLAD_BYPASS"),
        (15, None),
    )
    if provider is None:
        return None
    satisfied = created if provider.endswith("BYPASS") or content.random() < 0.75 else None
    envelope = {
        "envelopeId": new_id(identifiers),
        "accountId": new_id(identifiers),
        "accountBaseUrl": "https://sign.example",
    }
    signature = {"ndaUploadedDocumentId": None, "name": name, "date": satisfied}
    return {
        "provider": provider,
        "satisfiedDate": satisfied,
        "docuSign": envelope if provider == "DOCUSIGN" else None,
        "oneClick": signature if provider == "ONE_CLICK" and satisfied else None,
    }


def build_associations(content: Random) -> list[Json] | None:
    if content.random() < 0.8:
        return None
    service, object_type = pick(content, (2, ("SALESFORCE", "Opportunity")), (1, ("HUBSPOT", "deal")))
    return [{"service": service, "id": f"{content.getrandbits(48):012x}", "objectType": object_type}]


def expiration(now: datetime, *, content: Random) -> str | None:
    """Choose when access ends: in the past for some, soon for some, never for some."""
    days = pick(content, (25, None), (15, (-60, -1)), (20, (0.2, 14)), (40, (15, 330)))
    return None if days is None else moment(now + timedelta(days=content.uniform(*days)))
