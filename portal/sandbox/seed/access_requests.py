"""People who ask for access to the Trust Center, undecided and decided (platform-api 4.5.2)."""

from datetime import datetime, timedelta
from random import Random

from portal.sandbox.seed.cast import Cast, build_person
from portal.sandbox.seed.names import FREE_MAIL_DOMAINS
from portal.sandbox.seed.shapes import Json, ago, moment, new_id

REASONS = (
    "Vendor onboarding: our risk team needs the SOC 2 report before Friday.",
    "Annual supplier review for our ISO 27001 audit.",
    "We are comparing three providers and need your security documents for the shortlist.",
    "Renewal in January; please share the latest penetration test summary.",
    "Our regulator asks for evidence of resilience testing (DORA).",
    "Procurement asked me to collect the data processing agreement and the certificate.",
    "Follow-up to the call with your sales team last week.",
    "Due diligence",
    "Need to see how you handle our employees' personal data.",
    "The insurance company of our group needs proof of your controls.",
)
DENIAL_REASONS = ("No running deal with this company.", "Please use your business address.", "Competitor.", None)
LONG_NAME = "Maximiliane-Theodora Freifrau von Hohenschwangenau-Untermosbach zu Waldkirchen-Oberstetten"


def build_access_requests(cast: Cast, *, count: int, resources: list[Json]) -> list[Json]:
    """Make the open requests, the oldest first (platform-api 4.5.2)."""
    content, identifiers = cast.content("access requests"), cast.identifiers("access requests")
    requests = []
    for number in range(count):
        # Every third request comes from the company of the one before: several people of one company ask at once.
        customer = cast.customer_of(number - 1 if number % 3 == 2 else number)
        person = build_person(customer, content=content, free_mail=number % 9 == 4)
        if number == 1:
            person = {
                "email": "einkauf@acme-soehne.example",
                "name": "Änne Söhngen",
                "companyName": "<b>Acme & Söhne</b>",
            }
        if number == 3:
            person["name"] = LONG_NAME
        asked = ago(cast.now, content, days=(0.01, 0.9) if number % 2 else (1.0, 9.0))
        requests.append(build_request(person, asked=asked, resources=resources, content=content, identifiers=identifiers))
    return sorted(requests, key=lambda request: str(request["creationDate"]))


def build_request(person: Json, *, asked: datetime, resources: list[Json], content: Random, identifiers: Random) -> Json:
    private = [resource["id"] for resource in resources if not resource["isPublic"]]
    partial = content.random() < 0.6
    return {
        "id": new_id(identifiers),
        **person,
        "reason": content.choice(REASONS),
        "requestedResources": content.sample(private, k=content.randint(1, 3)) if partial else None,
        "accessLevel": "PARTIAL_ACCESS" if partial else "FULL_ACCESS",
        "creationDate": moment(asked),
        "updatedDate": moment(asked),
    }


def build_historical(cast: Cast, *, count: int, resources: list[Json]) -> list[Json]:
    """Make the decided requests, the oldest first. The decision's moment is their updatedDate (platform-api 4.5.2)."""
    content, identifiers = cast.content("historical requests"), cast.identifiers("historical requests")
    decided = []
    for number in range(count):
        person = build_person(cast.customer_of(number * 2), content=content, free_mail=number % 11 == 3)
        asked = ago(cast.now, content, days=(2, 240))
        request = build_request(person, asked=asked, resources=resources, content=content, identifiers=identifiers)
        approved = content.random() < 0.72 and not person["email"].endswith(FREE_MAIL_DOMAINS)
        request["updatedDate"] = moment(asked + timedelta(days=content.uniform(0.05, 1.9)))
        request["outcome"] = "APPROVED" if approved else "DENIED"
        request["manualDenialReason"] = None if approved else content.choice(DENIAL_REASONS)
        decided.append(request)
    return sorted(decided, key=lambda request: str(request["creationDate"]))
