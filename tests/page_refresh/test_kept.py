"""A value that is kept is right until its area changes, and is one tenant's."""

import pytest

from portal.page_refresh.services import cached_by_version, touch_areas
from portal.tenants.scope import NoTenantScope, tenant_scope


@pytest.fixture
def counter():
    calls = []

    def compute() -> int:
        calls.append(1)
        return len(calls)

    return compute


def test_it_is_computed_once_until_the_area_changes(scoped, counter):
    assert [cached_by_version("things", "count", counter) for _ in range(3)] == [1, 1, 1]
    touch_areas("others")
    assert cached_by_version("things", "count", counter) == 1
    touch_areas("things")
    assert cached_by_version("things", "count", counter) == 2
    assert cached_by_version("things", "another", counter) == 3


def test_s1_each_tenant_has_its_own(acme, globex, counter):
    for tenant, expected in ((acme, 1), (globex, 2), (acme, 1)):
        with tenant_scope(tenant.pk):
            assert cached_by_version("things", "count", counter) == expected


def test_s1_there_is_none_outside_of_a_tenant(db, counter):
    with pytest.raises(NoTenantScope):
        cached_by_version("things", "count", counter)
