from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.lib.counts import count_together
from portal.tenants.models import Tenant


def test_it_counts_in_one_query_up_to_its_limit(acme, globex):
    rows = Tenant.objects.all()
    parts = {"all": rows, "acme": rows.filter(name="Acme"), "none": rows.none()}
    with CaptureQueriesContext(connection) as captured:
        assert count_together(parts) == {"all": 2, "acme": 1, "none": 0}
        assert count_together(parts, limit=1) == {"all": 1, "acme": 1, "none": 0}
    assert len(captured) == 2
    assert count_together({"none": rows.none()}) == {"none": 0}
