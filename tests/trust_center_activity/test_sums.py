"""The daily sums are what the rows say: in any order, doubled and late, and after somebody was erased."""

from collections import Counter
from datetime import UTC, datetime, timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.tenants import personal_data
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from portal.trust_center_activity.models import Activity, DailySum
from portal.trust_center_activity.services.sums import cells_of
from tests.trust_center_activity.conftest import document, entry, store

MIDNIGHT = datetime(2026, 3, 1, tzinfo=UTC)
PEOPLE = ["ada@acme.test", "ADA@ACME.TEST", "bob@acme.test", "eve@other.test", None, "odd"]
entries = st.builds(
    entry,
    key=st.integers(1, 12).map(str),
    email=st.sampled_from(PEOPLE),
    at=st.integers(-30, 30).map(lambda hours: MIDNIGHT + timedelta(hours=hours)),
    kind=st.sampled_from(["PAGE_VIEW", "RESOURCE_DOWNLOAD", "NEW", ""]),
    details=st.sampled_from([{"page": "FAQ"}, document("SOC 2"), {"videoTitle": "Hello"}, {}]),
    country=st.sampled_from(["DE", "de", None]),
)


def kept() -> dict:
    rows = DailySum.objects.values_list("cut", "key", "day", "part", "number")
    return {(cut, key, day, part): number for cut, key, day, part, number in rows}


def counted_anew() -> dict:
    return dict(Counter(cell for row in Activity.objects.all() for cell in cells_of(row)))


def start_anew() -> None:
    Activity.objects.all().delete()
    DailySum.objects.all().delete()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.lists(entries, max_size=8), max_size=5), gone=st.sampled_from(PEOPLE[:4]))
def test_the_sums_equal_the_rows_in_any_order(batches, gone, acme):
    with tenant_scope(acme.pk):
        start_anew()
        for batch in batches:
            store(*batch)
            store(*reversed(batch))
        assert kept() == counted_anew()
        assert personal_data.count(gone) == personal_data.erase(gone)
        assert kept() == counted_anew()
        assert not Activity.objects.filter(folded_email=gone.casefold()).exists()


def test_what_a_person_did_without_an_address_goes_too(scoped: Tenant):
    store(entry(email="ada@acme.test"), entry(email=None, viewerId="viewer-of-ada@acme.test"), entry(email=None))
    assert personal_data.erase("Ada@Acme.test") == {"Trust Center activity": 2}
    assert Activity.objects.count() == 1
    assert kept() == counted_anew()
