"""Acme on the day of an incident: its customers, and what their contracts promise."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import Account
from portal.calendars.models import Holiday, OfficeHours
from portal.commitments.models import Commitment, Standard, Term
from portal.contracts.models import Contract
from portal.incidents import services
from portal.incidents.models import Incident, Notice
from portal.incidents.services import IncidentFacts
from portal.tenants.models import Membership, Tenant
from portal.users.models import User
from tests.support.members import find_member

PAGE = "/t/acme/incidents/"
BERLIN = ZoneInfo("Europe/Berlin")
NOTICED = datetime(2026, 11, 20, 14, 5, tzinfo=BERLIN)
"""A Friday."""


@pytest.fixture
def office(scoped: Tenant) -> OfficeHours:
    """Acme works in Berlin, and has a holiday of its own on Monday, 23 November."""
    Holiday.objects.create(day=datetime(2026, 11, 23, tzinfo=BERLIN).date(), name="Founders' day")
    return OfficeHours.objects.create(zone="Europe/Berlin")


@pytest.fixture
def owner(client: Client, alice: User, scoped: Tenant) -> Membership:
    """Alice, signed in, who reads the clock in Berlin."""
    User.objects.filter(pk=alice.pk).update(timezone="Europe/Berlin")
    alice.refresh_from_db()
    client.force_login(alice)
    return find_member(tenant=scoped, user=alice)


def make_account(name: str, **columns: Any) -> Account:
    domain = columns.pop("domain", f"{name.split(maxsplit=1)[0].lower()}.example")
    return Account.objects.create(
        platform_id=columns.pop("platform_id", f"id-{name}"[:60].replace(" ", "-").lower()),
        name=name,
        name_sort=name.casefold(),
        domain=domain,
        search=f"{name} {domain}".casefold(),
        **columns,
    )


def make_promise(account: Account, promise: str = "", **columns: Any) -> Commitment:
    """Write down what somebody has promised: `24 hours`, or words."""
    number, _, unit = promise.partition(" ")
    length = {"amount": Decimal(number), "unit": unit.replace(" ", "-")} if number.isdecimal() else {"words": promise}
    name = columns.pop("contract", "")
    contract = Contract.objects.get_or_create(
        platform_id=f"c-{account.platform_id}-{name}",
        defaults={"name": name, "account_id": account.platform_id, "created_at": timezone.now()},
    )[0]
    return Commitment.objects.create(
        account_id=account.platform_id,
        contract=contract if name else None,
        term=Term.BREACH_NOTICE,
        created_by_name="Alice Ames",
        **length | columns,
    )


def set_standard(amount: int = 72, unit: str = "hours") -> Standard:
    return Standard.objects.create(term=Term.BREACH_NOTICE, amount=Decimal(amount), unit=unit)


def facts(**columns: Any) -> IncidentFacts:
    return IncidentFacts(
        **{"name": "Leaked backup", "noticed_at": NOTICED, "kinds": ["personal"], "concerns_all": True} | columns
    )


def open_one(member: Membership, **columns: Any) -> Incident:
    return services.open_incident(facts(**columns), member=member)


def plan_of(incident: Incident) -> list[Notice]:
    return list(Notice.objects.filter(incident=incident).in_plan())


def notice_of(incident: Incident, name: str) -> Notice:
    return Notice.objects.select_related("incident").get(incident=incident, customer=name)


def typed(**changes: Any) -> dict[str, Any]:
    """What a browser sends for an incident."""
    return {
        "name": "Leaked backup",
        "noticed_at_0": "2026-11-20T14:05",
        "noticed_at_1": "Europe/Berlin",
        "kinds": ["personal"],
        "whom": "all",
        "customers": "",
        "notes": "",
        "template": "",
    } | changes


def words(answer: Any) -> str:
    """What a page says, whatever its line breaks."""
    return " ".join(answer.content.decode().split())
