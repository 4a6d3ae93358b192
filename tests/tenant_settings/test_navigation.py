"""Which entry of the navigation is that of the open page."""

import pytest

from portal.ui import navigation


@pytest.mark.parametrize(
    ("view_name", "label"),
    [
        ("access_requests:viewer_review", "Viewers"),
        ("access_requests:viewers", "Viewers"),
        ("access_requests:rules", "Access requests"),
        ("trust_center_activity:mentions", "Activity"),
        ("settings:overview", None),
    ],
)
def test_one_entry_at_most_is_that_of_the_open_page(acme, view_name, label):
    shown = [item for _, items in navigation.groups(acme, view_name=view_name) for item in items]
    assert [item.entry.label for item in shown if item.is_current] == ([label] if label else [])
