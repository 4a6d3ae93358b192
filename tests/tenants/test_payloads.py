"""Finding an address in the objects of the platform: all of one's own rows, and not one statement for those of others."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.tenants import payloads, personal_data
from tests.access_requests.conftest import make_viewer

EMAIL = "ann@firm.example"


@pytest.fixture
def named(scoped):
    """Five people whom the same colleague has let in."""
    return [make_viewer(f"V{number}", payload={"addedBy": {"email": EMAIL}}) for number in range(5)]


def statements(work) -> int:
    with CaptureQueriesContext(
        connection,
    ) as found:
        work()
    return len(found)


def test_s11_every_row_is_looked_at_however_many_at_once(named, monkeypatch):
    for at_once in (1, 2, 5, 6):
        monkeypatch.setattr(payloads, "ROWS_AT_ONCE", at_once)
        assert personal_data.count(EMAIL) == {"People who added viewers": 5}


def test_o13_rows_of_others_between_ones_own_cost_nothing(named):
    before = statements(lambda: personal_data.count(EMAIL))
    make_viewer("Late", pk=66_000_000, payload={"addedBy": {"email": EMAIL}})
    assert statements(lambda: personal_data.count(EMAIL)) == before
    assert personal_data.count(EMAIL) == {"People who added viewers": 6}
