"""The pages of the demo, as a browser with an empty cache fetches them."""

import pytest

from tests.support.demo import Demo
from tests.support.first_view import MAX_BYTES, MAX_REQUESTS, MAX_WARM, views

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.once, pytest.mark.xdist_group("demo")]


def test_o12_the_first_view_of_every_page_is_small_and_the_next_one_fetches_the_page_alone(browser, tmp_path):
    demo = Demo(tmp_path / "data").start()
    try:
        found = views(browser, demo)
    finally:
        demo.stop()
    assert len(found) > 8
    for view in found:
        assert view.bytes <= MAX_BYTES, view
        assert view.requests <= MAX_REQUESTS, view
        assert view.warm_requests <= MAX_WARM, view
