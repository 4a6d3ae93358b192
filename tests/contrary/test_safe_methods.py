"""S2: whoever only looks changes nothing. The house tests ask every address with ids that nobody has; here there is everything,
with work on its way.
"""

import pytest

from portal.inbox.services import ensure_endpoints
from portal.sync.wake import DRAIN
from portal.work_items.services import work_off_changes
from tests.contrary.crawler import walk
from tests.contrary.deeds import DEEDS
from tests.contrary.house import House, expect_none
from tests.support.tables import all_rows

pytestmark = pytest.mark.once

MAY_CHANGE = {
    # The calls of a minute: these tests forget them before each page.
    "connections_callwindow",
    # When somebody was last seen, and what was told once.
    "django_session",
    "usersessions_usersession",
    # What was asked for a moment ago, and need not be asked for again.
    "shared_cache",
    # What is old and is looked at is fetched again.
    "sync_stalemark",
}
LEAST_ROUTES = 60
"""With fewer, the walk is broken."""


def settle(house: House) -> None:
    """Have done by the workers what else the first page would do in passing."""
    for _ in range(2):  # what was worked off is told to people, which is work again
        house.crew.work()
        work_off_changes()
    with house.scoped():
        ensure_endpoints()
    house.crew.queue.clear()


def test_s2_whoever_opens_every_page_of_a_filled_tenant_changes_no_row(filled: House):
    for deed in DEEDS:
        assert deed.act(filled).status_code < 400, deed.name
    settle(filled)
    before, effects = all_rows(), len(filled.platform.effects)
    found = walk(filled, filled.root, on_each_route=2)
    after = all_rows()
    faults = [
        f"{table}: {[*set(map(repr, after[table])) ^ set(map(repr, rows))][:2]}"[:600]
        for table, rows in before.items()
        if table not in MAY_CHANGE and after[table] != rows
    ]
    faults += ["something was done on the platform"] if len(filled.platform.effects) > effects else []
    faults += [f"a worker is asked for {name}" for name in sorted({name for name, _ in filled.crew.queue} - {DRAIN})]
    expect_none(faults)
    assert len(found.routes) > LEAST_ROUTES
