"""Who and what every part of the made-up world refers to: the moment, the tenant's people, its customers, its tags."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from portal.sandbox.seed.names import (
    FIRST_NAMES,
    FREE_MAIL_DOMAINS,
    LAST_NAMES,
    USER_NAMES,
    Company,
    company,
    mail_name,
)
from portal.sandbox.seed.shapes import Json, moment, new_id, numbers, pick


@dataclass(frozen=True, kw_only=True)
class Cast:
    """The shared part of one world. `identity` differs between tenants, the content of a seed does not."""

    now: datetime
    seed: int
    identity: str
    organization_id: str
    users: list[Json]
    customers: list[Company]
    accounts: list[Json]
    tags: list[tuple[str, list[str]]]
    """The ids of tag categories, each with those of its tags."""

    def content(self, purpose: str) -> Random:
        """Start the random numbers that decide what is in the world: the same for every tenant of a seed."""
        return numbers(f"{self.seed}/{purpose}")

    def identifiers(self, purpose: str) -> Random:
        """Start the random numbers for identifiers: no two tenants share one, even with the same seed."""
        return numbers(f"{self.seed}/{self.identity}/{purpose}")

    @property
    def active_users(self) -> list[Json]:
        return [user for user in self.users if user["isActive"]]

    def account_of(self, number: int) -> Json:
        return self.accounts[number % len(self.accounts)]

    def customer_of(self, number: int) -> Company:
        return self.customers[number % len(self.customers)]


def build_cast(*, name: str, region: str, now: datetime, seed: int, customers: int) -> Cast:
    """Make the users, the customers and their accounts."""
    identity = f"{region}/{name}"
    identifiers = numbers(f"{seed}/{identity}/cast")
    domain = f"{mail_name(name) or 'tenant'}.example"
    users = [build_user(user_name, domain=domain, identifiers=identifiers) for user_name in USER_NAMES]
    users[-1]["isActive"] = False
    known = [company(number) for number in range(customers)]
    content = numbers(f"{seed}/accounts")
    tags = [(new_id(identifiers), [new_id(identifiers) for _ in range(3)]) for _ in range(2)]
    accounts = [build_account(customer, now=now, tags=tags, content=content, identifiers=identifiers) for customer in known]
    return Cast(
        now=now,
        seed=seed,
        identity=identity,
        organization_id=new_id(identifiers),
        users=users,
        customers=known,
        accounts=accounts,
        tags=tags,
    )


def build_user(name: str, *, domain: str, identifiers: Random) -> Json:
    local_part = mail_name(name).replace("-", ".")
    return {"id": new_id(identifiers), "email": f"{local_part}@{domain}", "displayName": name, "isActive": True}


def build_account(
    customer: Company, *, now: datetime, tags: list[tuple[str, list[str]]], content: Random, identifiers: Random
) -> Json:
    """Make the customer-trust account of one customer (platform-api 4.1.7; its nulls are explicit)."""
    created = now - timedelta(days=content.uniform(20, 700))
    signed = content.random() < 0.55
    auto = content.random() < 0.25
    option = pick(content, (1, "INCLUDE_EVERYTHING_REQUESTED"), (2, "INCLUDE_ONLY_CONFIGURED"))
    return {
        "id": new_id(identifiers),
        "name": customer.name,
        "emailDomain": customer.domain,
        "createdDate": moment(created),
        "updatedDate": moment(created + timedelta(days=content.uniform(0, 19))),
        "ndaDetails": {
            "ndaStatus": "SIGNED" if signed else pick(content, (2, "INCOMPLETE"), (1, "NOT_REQUIRED")),
            "ndaSatisfiedDate": moment(created + timedelta(days=2)) if signed else None,
        },
        "accessConfig": {"autoApprovalEnabled": auto, "grantAccessOption": option if auto else None},
        "customFields": [
            {"label": "Segment", "value": pick(content, (2, "Enterprise"), (3, "Mid-market"), (1, "Public sector"))},
            {"label": "Regions", "value": content.sample(["EU", "US", "AU"], k=content.randint(1, 2))},
        ],
        "tagsByCategory": [{"categoryId": category, "tagIds": [content.choice(ids)]} for category, ids in tags],
    }


def build_person(customer: Company, *, content: Random, free_mail: bool = False) -> Json:
    """Invent somebody who works for a customer."""
    first, last = content.choice(FIRST_NAMES), content.choice(LAST_NAMES)
    domain = content.choice(FREE_MAIL_DOMAINS) if free_mail else customer.domain
    local_part = f"{mail_name(first)}.{mail_name(last)}"
    return {"email": f"{local_part}@{domain}", "name": f"{first} {last}", "companyName": customer.name}
