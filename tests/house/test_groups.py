"""The tests' own ground: what belongs together runs in one worker."""

import os

import pytest


@pytest.mark.once
@pytest.mark.xdist_group("kept-together")
def test_the_scheduler_is_told_which_tests_belong_to_a_group(request):
    # It reads the group off the end of the name. A pytest that hides it runs fault tests beside each other, and says nothing.
    assert request.node.nodeid.endswith("@kept-together") == ("PYTEST_XDIST_WORKER" in os.environ)
