"""From the consent screen to a whole copy, over a platform that is not our sandbox."""

import pytest

from portal.connections.models import Connection, State
from portal.sync.models import Run, RunState
from tests.contrary.house import House

pytestmark = pytest.mark.once


def test_a2_a_platform_that_names_its_own_issuer_can_be_connected(house: House):
    answer = house.connect()
    assert answer["Location"] == f"{house.root}settings/connection/"
    with house.scoped():
        assert Connection.objects.get().state == State.ACTIVE


def test_q12_the_first_copy_holds_everything_there_is(filled: House):
    with filled.scoped():
        assert set(Run.objects.values_list("state", flat=True)) == {RunState.DONE}
    assert filled.crew.unknown == set()
    assert filled.crew.failed == []
