"""Whoever changes several FAQs or controls at once waits for who stores a page of them, and neither stops the other."""

import pytest

from portal.trust_center.models import ControlCategory, ControlPlacement, Faq, FaqCategory, ShownControl
from portal.trust_center.services import delete_control_category, rename_category
from tests.support.beside import beside_a_page

pytestmark = pytest.mark.django_db(transaction=True)

IDS = {"a": "zeta", "b": "alpha"}
"""By what is shown first. The later one in the platform's order is the first one of the table, too."""


def test_q6_a_renamed_category_and_a_page_of_its_faqs_do_not_meet_in_a_deadlock(desk, owner):
    category = FaqCategory.objects.all()[0]
    asked = [
        Faq.objects.create(platform_id=each, question=name, question_sort=name, category_id=category.platform_id)
        for name, each in IDS.items()
    ]
    beside_a_page(asked, lambda: rename_category(category, "Keys", member=owner))
    assert set(Faq.objects.filter(category_id=category.platform_id).values_list("category_name", flat=True)) == {"Keys"}


def test_q6_a_deleted_category_and_a_page_of_its_controls_do_not_meet_in_a_deadlock(desk, owner):
    category = ControlCategory.objects.all()[0]
    shown = [ShownControl.objects.create(platform_id=each, name=name, name_sort=name) for name, each in IDS.items()]
    for control in shown:
        ControlPlacement.objects.create(control=control, category_id=category.platform_id)
    beside_a_page(shown, lambda: delete_control_category(category, member=owner))
    assert not ShownControl.objects.present().filter(pk__in=[row.pk for row in shown]).exists()
