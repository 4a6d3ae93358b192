"""The desk's copies of a person: found and erased when a deletion request asks for it."""

from functools import partial

from portal.page_refresh.services import touch_areas
from portal.people.kinds import AREA
from portal.people.models import Group, Person, PersonQuerySet
from portal.tenants.payloads import Payloads, register_payloads
from portal.tenants.personal_data import each_once, fold, register_holding


def erase(rows: PersonQuerySet) -> None:
    """Delete them, with the groups they are in and the changes to that."""
    rows.delete()
    touch_areas(AREA)


def register_personal_data() -> None:
    register_holding(
        "People of the company",
        rows=lambda email: Person.objects.of_person(fold(email)),
        erase=erase,
        addresses=lambda: each_once(Person.objects.exclude(folded_email="")),
    )
    register_payloads("Contacts of groups", Payloads(kind=Group, changed=partial(touch_areas, AREA)))
