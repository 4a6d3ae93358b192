"""A row that refers to a locked one is committed beside it: the database looks at references last, behind the area's lock.

The lock of a row leaves its key alone, so that the reference need not wait for it.
"""

import pytest
from django.db import transaction
from django.utils import timezone

from portal.page_refresh.services import touch_areas
from portal.platform_api.models.knowledge import TagCategory
from portal.tags.models import Category, Use
from portal.tags.services.store import AREA, FetchedContext, store_context
from portal.tenants.scope import tenant_scope
from tests.support.beside import Beside
from tests.tags.conftest import CENTER

pytestmark = pytest.mark.django_db(transaction=True)


def test_q6_a_new_use_and_the_tags_of_its_category_do_not_meet_in_a_deadlock(acme):
    with tenant_scope(acme.pk):
        category = Category.objects.create(platform_id="region", name="Region")
        found = TagCategory.read({"id": "region", "displayName": "Region"})
        fetched = FetchedContext(CENTER, timezone.now(), [found])

        @transaction.atomic
        def store_uses() -> None:
            assert store_context(fetched)
            touch_areas(AREA)

        with transaction.atomic():
            # As who stores its tags begins.
            Category.objects.select_for_update().get(pk=category.pk)
            beside = Beside(acme.pk, store_uses)
            touch_areas(AREA)
        beside.wait()
        assert Use.objects.filter(category=category, context=CENTER).exists()
