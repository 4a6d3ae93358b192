"""What is done with a suggestion: the people of a domain are attached to their customer, or it is put away."""

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.accounts.links import Link
from portal.accounts.selectors import matches_by_domain
from portal.accounts.unmatched_people import NotAttached, kinds_of_people
from portal.audit.services import record
from portal.customers.models import Dismissal, Kind
from portal.customers.services.outcomes import AREA
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role

SUGGESTION = "customer_suggestion"


def attach_people(domain: str, *, member: Membership) -> Link:
    """Have the people of a mail domain linked to the one account that names it; return the page that tells how far it is.

    Their desk does it, in its own way. Raises NotAttached.
    """
    if not member.may(Role.APPROVER):
        raise PermissionDenied
    # Looked up anew: since the page was drawn another account may have come to name the domain.
    match = matches_by_domain([domain]).get(domain)
    if match is None or match.account is None:
        raise NotAttached("No account has this email domain anymore, or several do.")
    links = [people.attach(domain, match.account, member) for people in kinds_of_people().values() if people.attach]
    if not links:
        raise NotAttached("No one with this email domain can be attached.")
    return links[0]


@transaction.atomic
def dismiss(domain: str, kind: Kind, *, member: Membership) -> None:
    """Do not suggest this again."""
    _check(member)
    values = {"dismissed_by_name": str(member.user)[:120]}
    _, is_new = Dismissal.objects.get_or_create(domain=domain, kind=kind, defaults=values)
    if is_new:
        summary = f"Dismissed the suggestion for {domain[:200]}: {kind.label.lower()}."
        record("customer.dismiss", target=(SUGGESTION, domain[:100]), summary=summary, actor=member.user)
        touch_areas(AREA)


@transaction.atomic
def bring_back(domain: str, kind: Kind, *, member: Membership) -> None:
    """Suggest it again, while there is reason to."""
    _check(member)
    number, _ = Dismissal.objects.filter(domain=domain, kind=kind).delete()
    if number:
        summary = f"Brought the suggestion back for {domain[:200]}: {kind.label.lower()}."
        record("customer.bring_back", target=(SUGGESTION, domain[:100]), summary=summary, actor=member.user)
        touch_areas(AREA)


def _check(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied
