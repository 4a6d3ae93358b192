"""Whoever changes several FAQs or controls at once waits for who stores a page of them, and neither stops the other."""

from collections.abc import Callable

import pytest
from django.db import transaction

from portal.tenants.scope import current_tenant_id
from portal.trust_center.models import ControlCategory, ControlPlacement, Faq, FaqCategory, ShownControl
from portal.trust_center.services import delete_control_category, rename_category
from tests.support.beside import Beside

pytestmark = pytest.mark.django_db(transaction=True)


IDS = ("zeta", "alpha")
"""The later of the two in the platform's order is the first one of the table."""


def beside_a_page(model: type[Faq | ShownControl], work: Callable[[], object]) -> None:
    """Begin some work in the middle of storing a page of what was fetched, and let it go on afterwards."""
    page = model.objects.select_for_update()
    with transaction.atomic():
        page.get(platform_id="alpha")
        beside = Beside(current_tenant_id(), work)
        page.get(platform_id="zeta")
    beside.wait()


def test_q6_a_renamed_category_and_a_page_of_its_faqs_do_not_meet_in_a_deadlock(desk, owner):
    category = FaqCategory.objects.all()[0]
    for platform_id in IDS:
        Faq.objects.create(platform_id=platform_id, question=platform_id, category_id=category.platform_id)
    beside_a_page(Faq, lambda: rename_category(category, "Keys", member=owner))
    assert set(Faq.objects.filter(category_id=category.platform_id).values_list("category_name", flat=True)) == {"Keys"}


def test_q6_a_deleted_category_and_a_page_of_its_controls_do_not_meet_in_a_deadlock(desk, owner):
    category = ControlCategory.objects.all()[0]
    for platform_id in IDS:
        control = ShownControl.objects.create(platform_id=platform_id, name=platform_id, name_sort=platform_id)
        ControlPlacement.objects.create(control=control, category_id=category.platform_id)
    beside_a_page(ShownControl, lambda: delete_control_category(category, member=owner))
    assert not ShownControl.objects.present().filter(platform_id__in=IDS).exists()
