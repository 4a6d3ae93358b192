"""A value that is kept is right until its area changes, and is one tenant's."""

import re

import pytest
from django.db import connection
from django.db.models import F
from django.http import HttpRequest
from django.test.utils import CaptureQueriesContext

from portal.page_refresh.models import Area
from portal.page_refresh.services import area_version, cached_by_version, read_once, share_reads, touch_areas
from portal.tenants.scope import NoTenantScope, scope, tenant_scope


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


@pytest.mark.usefixtures("within_a_minute")
def test_a_request_reads_the_versions_once_and_the_next_one_anew(client, alice, acme, scoped):
    client.force_login(alice)
    seen = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            seen.append(client.get("/t/acme/access-requests/").content.decode())
        assert len([each for each in queries if 'FROM "page_refresh_area"' in each["sql"]]) == 1
        touch_areas("access_requests")
    first, second = (re.findall(r'"Seen": "([^"]+)"', page) for page in seen)
    assert len(first) == len(second) > 1
    assert first != second


AREAS = ("connection", "sync", "access_requests", "trust_center", "engagements", "risks", "controls")


class ChangeMeanwhile:
    """Somebody else changes all areas, right after a page has read the first rows of its tenant."""

    def __init__(self, tenant_id: int) -> None:
        self.tenant_id, self.has_changed = tenant_id, False

    def __call__(self, execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        is_of_page = scope() == self.tenant_id and sql.startswith("SELECT") and "page_refresh_area" not in sql
        if is_of_page and not self.has_changed:
            self.has_changed = True
            Area.objects.update(version=F("version") + 1)
        return result


@pytest.mark.usefixtures("within_a_minute")
@pytest.mark.parametrize(
    "path", ["settings/connection/", "access-requests/", "trust-center/faqs/", "audits/", "issues/", "controls/"]
)
def test_what_changes_while_a_page_is_made_is_shown_when_it_asks_next(path, client, alice, acme):
    client.force_login(alice)
    with tenant_scope(acme.pk):
        touch_areas(*AREAS)
    change = ChangeMeanwhile(acme.pk)
    with connection.execute_wrapper(change):
        page = client.get(f"/t/acme/{path}")
    seen = re.findall(r'"Seen": "([^"]+)"', page.content.decode())
    assert (page.status_code, change.has_changed, bool(seen)) == (200, True, True)
    assert {client.get(f"/t/acme/{path}", headers={"HX-Request": "true", "Seen": each}).status_code for each in seen} == {200}


def test_a_request_that_changes_something_sees_its_own_change(acme, globex):
    def view(request):
        with tenant_scope(globex.pk):
            other = area_version("things")
        with tenant_scope(acme.pk):
            before = area_version("things")
            touch_areas("things")
            changed = area_version("things")
            touch_areas("things")
            return [before, changed, area_version("things"), other]

    assert share_reads(view)(HttpRequest()) == ["0", "1", "2", "0"]


def test_what_was_read_for_one_request_is_not_shown_to_another(acme):
    answer = share_reads(lambda request: area_version("things"))
    with tenant_scope(acme.pk):
        assert answer(HttpRequest()) == "0"
        touch_areas("things")
        assert answer(HttpRequest()) == "1"
        assert area_version("things") == "1"


def asked(method: str, view) -> object:
    request = HttpRequest()
    request.method = method
    return share_reads(lambda _: view())(request)


def test_a_row_is_read_once_for_a_request_that_only_reads(acme, globex, counter):
    def view() -> list[int]:
        seen = []
        for tenant in (acme, acme, globex, acme):
            with tenant_scope(tenant.pk):
                seen.append(read_once("row", counter))
        return seen

    assert asked("GET", view) == [1, 1, 2, 1]
    assert asked("GET", view) == [3, 3, 4, 3]
    assert asked("POST", view) == [5, 6, 7, 8]


def test_a_row_is_read_anew_once_the_request_has_changed_something(scoped, counter):
    def view() -> list[int]:
        before = read_once("row", counter)
        touch_areas("things")
        return [before, read_once("row", counter), read_once("row", counter)]

    assert asked("GET", view) == [1, 2, 3]
