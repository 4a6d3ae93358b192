"""Many tenants at once, from a file: what each line would become, and making them."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from portal.lib.spreadsheets import Unreadable, read_csv
from portal.members.models import Invitation
from portal.members.services.invitations import invite
from portal.members.services.membership import start_tenant
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import person_scope, tenant_scope
from portal.users.models import User

MAX_LINES = 50
"""Lines of one file."""
MAX_NAME = 120
COLUMNS = ("name", "owner email")


@dataclass(frozen=True)
class PlannedTenant:
    """What one line of the file would become. With a problem it becomes nothing."""

    number: int
    name: str
    email: str
    """Who is invited as a second owner; empty: nobody."""
    problem: str = ""


@dataclass(frozen=True)
class StartedTenant:
    """A tenant that was made, and the invitation to it with the token of its link."""

    tenant: Tenant
    invitation: Invitation | None = None
    token: str = ""


def plan_tenants(content: bytes, *, owner: User) -> list[PlannedTenant]:
    """Say what each line of a file would become. Raises Unreadable.

    A name that one of the person's tenants has already is left out: two that look the same are taken for each other.
    """
    sheet = read_csv(content, most=MAX_LINES, what="tenants")
    if "name" not in sheet.columns:
        raise Unreadable("The first line has to name the columns: name, and owner email if you want to invite someone.")
    with person_scope(owner.pk):
        names = Membership.objects.values_list("tenant__name", flat=True)
        taken = {name.casefold(): "One of your tenants already has this name." for name in names}
    return list(_planned(sheet.columns, sheet.rows, taken, owner))


def _planned(
    columns: Sequence[str], rows: Sequence[tuple[int, list[str]]], taken: dict[str, str], owner: User
) -> Iterator[PlannedTenant]:
    for number, cells in rows:
        found = dict(zip(columns, cells, strict=False))
        name, email = " ".join(found.get("name", "").split()), found.get("owner email", "").lower()
        problem = _problem(name, email, taken, owner)
        if not problem:
            taken[name.casefold()] = "An earlier line has this name."
        yield PlannedTenant(number, name[:MAX_NAME], email, problem)


def _problem(name: str, email: str, taken: Mapping[str, str], owner: User) -> str:
    if not name:
        return "The name is missing."
    if len(name) > MAX_NAME:
        return f"The name is longer than {MAX_NAME} characters."
    if name.casefold() in taken:
        return taken[name.casefold()]
    if email and email != owner.email:
        try:
            validate_email(email)
        except ValidationError:
            return f"{email[:80]} is not a valid email address."
    return ""


def lines_of(plans: list[PlannedTenant]) -> str:
    """Write what can be made as the file that makes it: it goes through the preview and comes back."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows((plan.name, plan.email) for plan in plans if not plan.problem)
    return text.getvalue()


@transaction.atomic
def start_planned(plan: PlannedTenant, *, owner: User) -> StartedTenant:
    """Make the tenant of one line, and invite its second owner. Raises TooManyTenants."""
    tenant = start_tenant(plan.name, owner=owner)
    if not plan.email or plan.email == owner.email:
        return StartedTenant(tenant)
    with tenant_scope(tenant.pk):
        by = Membership.objects.select_related("user").get(tenant=tenant, user=owner)
        return StartedTenant(tenant, *invite(tenant, email=plan.email, role=Role.OWNER, by=by))
