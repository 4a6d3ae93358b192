"""Every page of the portal over the contrary platform: none fails, none leads nowhere, none says what is not so."""

import pytest

from tests.contrary.house import House, expect_none
from tests.contrary.walking import walk

pytestmark = pytest.mark.once


def test_s5_every_page_can_be_opened_and_leads_on(filled: House):
    found = walk(filled, filled.root, "/portfolio/")
    expect_none(found.faults)
