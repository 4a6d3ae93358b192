"""Whoever changes several FAQs at once waits for who stores a page of them, and neither stops the other."""

import pytest
from django.db import transaction

from portal.tenants.scope import current_tenant_id
from portal.trust_center.models import Faq, FaqCategory
from portal.trust_center.services import rename_category
from tests.support.beside import Beside

pytestmark = pytest.mark.django_db(transaction=True)


def test_q6_a_renamed_category_and_a_page_of_its_faqs_do_not_meet_in_a_deadlock(desk, owner):
    category = FaqCategory.objects.all()[0]
    # The later of the two in the platform's order is the first one of the table.
    for platform_id in ("zeta", "alpha"):
        Faq.objects.create(platform_id=platform_id, question=platform_id, category_id=category.platform_id)
    page = Faq.objects.select_for_update()
    with transaction.atomic():
        page.get(platform_id="alpha")
        beside = Beside(current_tenant_id(), lambda: rename_category(category, "Keys", member=owner))
        page.get(platform_id="zeta")
    beside.wait()
    assert set(Faq.objects.filter(category_id=category.platform_id).values_list("category_name", flat=True)) == {"Keys"}
